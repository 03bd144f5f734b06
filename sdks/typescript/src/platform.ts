// What differs between Node, Bun, Deno, browsers and Workers. Nothing else asks where it runs.
import { version } from "./version.ts";

const global = globalThis as any;

export const isBrowser = typeof global.document !== "undefined";

export function environment(name: string): string | undefined {
  try {
    return global.process?.env?.[name] ?? global.Deno?.env?.get(name);
  } catch {
    // Deno without --allow-env refuses; that is the same as not being set.
    return undefined;
  }
}

export function userAgent(): string {
  const { Bun, Deno, process, navigator } = global;
  const host = Bun
    ? `bun/${Bun.version}`
    : Deno
      ? `deno/${Deno.version.deno}`
      : process?.versions?.node
        ? `node/${process.versions.node}`
        : navigator?.userAgent === "Cloudflare-Workers"
          ? "workers"
          : "browser";
  return `action-connector-typescript/${version} ${host}`;
}

/** WebCrypto; Node 18 has it only as a module. */
export async function webcrypto(): Promise<Crypto> {
  if (global.crypto?.subtle) return global.crypto;
  const name = "node:crypto";
  return ((await import(/* @vite-ignore */ /* webpackIgnore: true */ name)) as any).webcrypto;
}

export function warn(message: string): void {
  if (typeof global.process?.emitWarning === "function") global.process.emitWarning(message, "DeprecationWarning");
  else console.warn(message);
}

export function sleep(ms: number, signal?: AbortSignal | null): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    if (signal?.aborted) done();
    else signal?.addEventListener("abort", done);
  });
}
