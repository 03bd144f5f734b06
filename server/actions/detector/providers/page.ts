// Reads a public page, through the guard. The only part of the detector that reaches outside.
import { Failure } from "../../../contract/errors.ts";
import { GuardError, type GuardFetch } from "../../../lib/guard-fetch/index.ts";

const LIMITS = { totalMs: 15_000, wireBytes: 4 * 1024 * 1024, decodedBytes: 8 * 1024 * 1024 };

export interface Page {
  body: string;
  isHtml: boolean;
  url: string;
}

export function createPageReader(guard: GuardFetch): (url: string) => Promise<Page> {
  return async (url) => {
    const answer = await guard
      .fetch(url, { redirects: 5, limits: LIMITS, headers: { accept: "text/html,text/plain;q=0.9" } })
      .catch((error: unknown) => {
        throw translate(error);
      });
    if (answer.status !== 200) throw new Failure("upstream_error", `The page answered with status ${answer.status}.`);
    const type = answer.headers.get("content-type") ?? "";
    if (/^text\/plain/i.test(type)) return { body: answer.text(), isHtml: false, url: answer.finalUrl };
    if (!/html|xml/i.test(type))
      throw new Failure("upstream_error", `The page is of type ${type || "unknown"}, not a text.`);
    return { body: answer.text(), isHtml: true, url: answer.finalUrl };
  };
}

function translate(error: unknown): unknown {
  if (!(error instanceof GuardError)) return error;
  if (error.code === "target_not_allowed" || error.code === "invalid_url")
    return new Failure("target_not_allowed", error.detail);
  if (error.code === "upstream_timeout") return new Failure("upstream_timeout", error.detail);
  return new Failure("upstream_error", error.detail, { hint: error.hint });
}
