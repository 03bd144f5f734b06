// Opens sockets only to the address that was checked, and proves it on the open socket before a byte of a request leaves.
import { connect as connectTcp } from "node:net";
import type { Socket } from "node:net";
import { connect as connectTls, type TLSSocket } from "node:tls";
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

/** Whoever uses a connection at the moment. */
export interface User {
  /** Proven to lead to the checked address; a request may be written. */
  ready(): void;
  bytes(bytes: Buffer): void;
  /** Nothing more will come: null when the other side closed in good order. Called once. */
  gone(error: unknown): void;
}

export interface Connection {
  /** Same host, port and TLS name: what it may be used for. */
  readonly key: string;
  /** When the address was checked, on the monotonic clock. */
  readonly checkedMs: number;
  /** Whether it has carried a request before. */
  used: boolean;
  isReady(): boolean;
  isOpen(): boolean;
  /** Everything that was written has been handed to the system. */
  isFlushed(): boolean;
  write(message: string | Uint8Array): void;
  pause(): void;
  resume(): void;
  /** Without a user any byte and any end closes the connection. */
  setUser(user: User | null): void;
  destroy(): void;
  /** Destroys it and lets its user know. */
  cut(): void;
}

export function openConnection(dial: Dial, pinned: DialOptions, key: string, checkedMs: number): Connection {
  const socket = dial(pinned);
  let user: User | null = null;
  let ready = false;
  let open = true;

  function lose(error: unknown): void {
    if (!open) return;
    open = false;
    socket.destroy();
    user?.gone(error);
  }

  function prove(): void {
    if (sameAddress(parseAddress(socket.remoteAddress ?? ""), parseAddress(pinned.address))) return;
    lose(new GuardError("target_not_allowed", "The connection did not reach the checked address."));
  }

  function proven(): void {
    prove();
    if (pinned.tls && !(socket as TLSSocket).authorized)
      lose(new GuardError("upstream_tls", "The certificate of the other side was not accepted."));
    if (!open) return;
    ready = true;
    user?.ready();
  }

  socket.setNoDelay?.(true);
  // First of all listeners: a wrong peer is cut before anything else happens on the socket.
  socket.prependOnceListener("connect", pinned.tls ? prove : proven);
  if (pinned.tls) socket.once("secureConnect", proven);
  socket.on("data", (bytes: Buffer) => {
    if (!open) return;
    if (user) user.bytes(bytes);
    else lose(null);
  });
  socket.on("error", lose);
  socket.on("end", () => lose(null));
  socket.on("close", () => lose(null));

  return {
    key,
    checkedMs,
    used: false,
    isReady: () => ready,
    isOpen: () => open,
    isFlushed: () => socket.writableLength === 0,
    write: (message) => void socket.write(message),
    pause: () => void socket.pause(),
    resume: () => void socket.resume(),
    setUser: (next) => {
      user = next;
    },
    destroy() {
      open = false;
      socket.destroy();
    },
    cut: () => lose(new GuardError("aborted", "The service is shutting down.")),
  };
}
