// What the service asks of whoever reads pages for it: the web, a browser, the demo shop.

export interface PageRequest {
  etag: string | null;
  lastModified: string | null;
  signal?: AbortSignal;
}

export interface PageAnswer {
  status: number;
  body: Uint8Array;
  contentType: string | null;
  finalUrl: string;
  notModified: boolean;
  etag: string | null;
  lastModified: string | null;
  retryAfterMs: number | null;
}

/** A page that could not be fetched at all; `detail` may be shown to the caller. */
export class ReadError extends Error {
  readonly code: "target_not_allowed" | "unreachable" | "timeout" | "too_large" | "backing_off";
  readonly retryAfterMs: number | null;

  constructor(code: ReadError["code"], detail: string, retryAfterMs: number | null = null) {
    super(detail);
    this.code = code;
    this.retryAfterMs = retryAfterMs;
  }
}

export interface PageReader {
  /** Values of a simulated reader are flagged and never reach a live key. */
  simulated: boolean;
  /** Refuses, with a ReadError, an address it must not read; asks nobody outside where it can. */
  check(url: string): Promise<void>;
  read(url: string, request: PageRequest): Promise<PageAnswer>;
}
