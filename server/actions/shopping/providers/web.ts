// Pages of the web, through the guard: identified, conditional, bounded. Pacing is the scheduler's, so the guard's is left out.
import { GuardError, type GuardFetch } from "../../../lib/guard-fetch/index.ts";
import { type PageReader, ReadError } from "./port.ts";

const LIMITS = {
  totalMs: 20_000,
  idleMs: 10_000,
  connectMs: 5_000,
  wireBytes: 5 * 1024 * 1024,
  decodedBytes: 5 * 1024 * 1024,
  ratio: 100,
};
const HEADERS = { accept: "text/html,application/xhtml+xml;q=0.9,*/*;q=0.5" };

export function createWebReader(guard: GuardFetch): PageReader {
  return {
    simulated: false,
    async check(url) {
      try {
        await guard.check(url);
      } catch (error) {
        throw translate(error);
      }
    },
    async read(url, { etag, lastModified, signal }) {
      try {
        const answer = await guard.fetch(url, {
          redirects: 5,
          limits: LIMITS,
          polite: false,
          conditional: { etag, lastModified },
          headers: HEADERS,
          signal,
        });
        return {
          status: answer.status,
          body: answer.body,
          contentType: answer.headers.get("content-type"),
          finalUrl: answer.finalUrl,
          notModified: answer.notModified,
          etag: answer.validators.etag,
          lastModified: answer.validators.lastModified,
          retryAfterMs: answer.retryAfterMs,
        };
      } catch (error) {
        throw translate(error);
      }
    },
  };
}

function translate(error: unknown): unknown {
  if (!(error instanceof GuardError)) return error;
  const code =
    error.code === "target_not_allowed" || error.code === "invalid_url"
      ? "target_not_allowed"
      : error.code === "upstream_timeout"
        ? "timeout"
        : error.code === "too_large"
          ? "too_large"
          : error.code === "backing_off" || error.code === "circuit_open" || error.code === "host_busy"
            ? "backing_off"
            : "unreachable";
  return new ReadError(code, error.detail ?? error.message, error.retryAfterMs ?? null);
}
