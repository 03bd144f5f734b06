// Opens sockets only to the address that was checked, and proves it on the open socket. Pools them per checked address.
import { Agent as HttpAgent } from "node:http";
import { Agent as HttpsAgent } from "node:https";
import type { AgentOptions, ClientRequest, RequestOptions } from "node:http";
import { connect as connectTcp } from "node:net";
import type { Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { parseAddress, sameAddress } from "./address.ts";
import { GuardError } from "./errors.ts";

export interface DialOptions {
  address: string;
  port: number;
  /** Present for https: the name for SNI and for the certificate check. */
  tls: { hostname: string; ca?: string } | null;
}

/** Opens one socket. A test hands in its own to see, or to bend, where we go. */
export type Dial = (options: DialOptions) => Socket;

export interface PinnedRequest extends RequestOptions {
  pinned: DialOptions;
  /** Set for a request that must not travel on a used connection: a pool of its own. */
  once: number | null;
}

const IDLE_MS = 4000;

export const systemDial: Dial = ({ address, port, tls }) => {
  // The pinned lookup answers with the checked address even if a runtime should ask for a literal's address.
  const lookup = (_: string, options: { all?: boolean }, done: (error: null, ...rest: unknown[]) => void) => {
    const family = address.includes(":") ? 6 : 4;
    if (options.all) done(null, [{ address, family }]);
    else done(null, address, family);
  };
  if (!tls) return connectTcp({ host: address, port, lookup: lookup as never, noDelay: true });
  const named = parseAddress(tls.hostname) === null;
  return connectTls({
    host: named ? tls.hostname : address,
    port,
    lookup: lookup as never,
    servername: named ? tls.hostname : undefined,
    ca: tls.ca,
    ALPNProtocols: ["http/1.1"],
    minVersion: "TLSv1.2",
  });
};

/** Two agents (http, https) whose pools are keyed by the checked address, so a reused socket was checked too. */
export function createAgents(dial: Dial) {
  const options: AgentOptions = { keepAlive: true, maxFreeSockets: 32, scheduling: "lifo" };
  const open = (request: RequestOptions): Socket => {
    const pinned = (request as PinnedRequest).pinned;
    const socket = dial(pinned);
    socket.setNoDelay?.(true);
    proveOnConnect(socket, pinned);
    // Set only while the socket waits in the pool (see `keepSocketAlive`).
    socket.on("timeout", () => socket.destroy());
    return socket;
  };
  const name = (request?: RequestOptions): string => {
    const { pinned, once } = request as PinnedRequest;
    return `${pinned.address}|${pinned.port}|${pinned.tls?.hostname ?? ""}|${once ?? ""}`;
  };
  class PinnedHttp extends HttpAgent {
    override createConnection(request: RequestOptions) {
      return open(request);
    }
    override getName(request?: RequestOptions) {
      return name(request);
    }
    override keepSocketAlive(socket: Socket) {
      super.keepSocketAlive(socket);
      socket.setTimeout(IDLE_MS);
      return true;
    }
    override reuseSocket(socket: Socket, request: ClientRequest) {
      socket.setTimeout(0);
      super.reuseSocket(socket, request);
    }
  }
  class PinnedHttps extends HttpsAgent {
    override createConnection(request: RequestOptions) {
      return open(request);
    }
    override getName(request?: RequestOptions) {
      return name(request);
    }
    override keepSocketAlive(socket: Socket) {
      super.keepSocketAlive(socket);
      socket.setTimeout(IDLE_MS);
      return true;
    }
    override reuseSocket(socket: Socket, request: ClientRequest) {
      socket.setTimeout(0);
      super.reuseSocket(socket, request);
    }
  }
  const http = new PinnedHttp(options);
  const https = new PinnedHttps(options);
  return {
    http,
    https,
    close() {
      http.destroy();
      https.destroy();
    },
  };
}

/** The first listener on the socket: a wrong peer is cut before a byte of the request has left. */
function proveOnConnect(socket: Socket, pinned: DialOptions): void {
  socket.prependOnceListener("connect", () => {
    if (!sameAddress(parseAddress(socket.remoteAddress ?? ""), parseAddress(pinned.address))) {
      socket.destroy(new GuardError("target_not_allowed", "The connection did not reach the checked address."));
    }
  });
}
