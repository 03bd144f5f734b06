// Loading and following: what a page asks once, and what the service pushes to it.
import { useEffect, useRef, useState } from "preact/hooks";
import type { ActionConnector, EventStream } from "../../sdks/typescript/src/index.ts";
import { type Page, renewHead } from "./paging.ts";
import { client, makeClient, mode } from "./state.ts";

export interface Loaded<T> {
  data: T | null;
  error: unknown;
  loading: boolean;
  reload(): void;
}

/** A list that follows a busy stream asks no more often than this, so that it leaves the account its quota. */
const RELOAD_EVERY_MS = 2_000;

/** Asks when the page opens, when `keys` or the mode change, and on reload. The last data stays until the next has come. */
export function useLoad<T>(ask: (api: ActionConnector) => PromiseLike<T>, keys: unknown[] = []): Loaded<T> {
  const [round, setRound] = useState(0);
  const [state, setState] = useState<{ data: T | null; error: unknown; loading: boolean }>({
    data: null,
    error: null,
    loading: true,
  });
  useEffect(() => {
    let current = true;
    setState((s) => ({ ...s, loading: true }));
    Promise.resolve(ask(client.value)).then(
      (data) => current && setState({ data, error: null, loading: false }),
      (error) => current && setState((s) => ({ data: s.data, error, loading: false })),
    );
    return () => {
      current = false;
    };
  }, [mode.value, round, ...keys]);
  const reload = useThrottled(() => setRound((n) => n + 1), RELOAD_EVERY_MS);
  return { ...state, reload };
}

/** Runs the first call at once, and all calls of the following `ms` as one at their end. */
function useThrottled(run: () => void, ms: number): () => void {
  const state = useRef<{ timer: ReturnType<typeof setTimeout> | null; again: boolean }>({ timer: null, again: false });
  useEffect(() => () => clearTimeout(state.current.timer ?? undefined), []);
  const call = () => {
    if (state.current.timer !== null) {
      state.current.again = true;
      return;
    }
    run();
    state.current.timer = setTimeout(() => {
      const { again } = state.current;
      state.current = { timer: null, again: false };
      if (again) call();
    }, ms);
  };
  return call;
}

export interface Pages<T> extends Loaded<Page<T>> {
  /** Asks for the next page, if there is one and none is on its way. */
  more(): void;
}

const PAGE_SIZE = 100;

/** A list, newest first, page after page as it is scrolled. A reload renews its head and keeps what was scrolled to. */
export function usePages<T>(
  ask: (api: ActionConnector, page: { limit: number; cursor?: string }) => PromiseLike<Page<T>>,
  idOf: (item: T) => string,
  keys: unknown[] = [],
): Pages<T> {
  const question = JSON.stringify([mode.value, keys]);
  const latest = useRef(question);
  latest.current = question;
  const held = useRef<{ question: string; page: Page<T> } | null>(null);
  const [, redraw] = useState(0);
  const hold = (page: Page<T>) => {
    if (latest.current === question) held.current = { question, page };
    return page;
  };
  const known = () => (held.current?.question === question ? held.current.page : null);
  const first = useLoad(async (api) => {
    const fresh = await ask(api, { limit: PAGE_SIZE });
    const before = known();
    return hold(before ? renewHead(before, fresh, idOf) : fresh);
  }, keys);
  const next = useAction(async () => {
    const cursor = known()?.next_cursor;
    if (!cursor) return;
    const page = await ask(client.value, { limit: PAGE_SIZE, cursor });
    const before = known();
    if (before?.next_cursor !== cursor) return;
    hold({ ...page, items: [...before.items, ...page.items] });
    redraw((n) => n + 1);
  });
  return {
    ...first,
    data: first.data && (held.current?.page ?? first.data),
    error: first.error ?? next.error,
    more: () => void next.act(),
  };
}

export type StreamState = "connecting" | "live" | "broken";

const FIRST_WAIT_MS = 1_000;
const MAX_WAIT_MS = 30_000;

/** Follows a stream for as long as the page is shown. Says when it is broken, and connects again behind the last event. */
export function useStream<T>(
  open: (api: ActionConnector, options: object) => EventStream<T>,
  onEvent: (event: { event: string; id: string; data: T }) => void,
  keys: unknown[] = [],
  enabled = true,
): StreamState {
  const [state, setState] = useState<StreamState>("connecting");
  const latest = useRef(onEvent);
  latest.current = onEvent;
  useEffect(() => {
    if (!enabled) return;
    const ending = new AbortController();
    void follow(ending.signal);
    return () => ending.abort();

    async function follow(signal: AbortSignal): Promise<void> {
      let lastEventId = "";
      let waitMs = FIRST_WAIT_MS;
      const api = makeClient(mode.value, (response) => {
        if (signal.aborted) return;
        setState(response?.ok ? "live" : "broken");
        if (response?.ok) waitMs = FIRST_WAIT_MS;
      });
      while (!signal.aborted) {
        const stream = open(api, { signal, lastEventId, maxRetries: 0 });
        try {
          for await (const event of stream) latest.current(event as never);
        } catch {
          if (signal.aborted) return;
        }
        lastEventId = stream.lastEventId;
        setState("broken");
        await new Promise((resolve) => setTimeout(resolve, waitMs));
        waitMs = Math.min(waitMs * 2, MAX_WAIT_MS);
      }
    }
  }, [mode.value, enabled, ...keys]);
  return state;
}

/** A value that follows another once it has stood still: for questions asked while typing. */
export function useSettled<T>(value: T, ms = 400): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), ms);
    return () => clearTimeout(timer);
  }, [JSON.stringify(value)]);
  return settled;
}

/** An action of a button or form: runs once at a time and keeps its error. */
export function useAction<A extends unknown[]>(run: (...given: A) => Promise<unknown>) {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const act = async (...given: A) => {
    if (busy) return;
    setBusy(true);
    setError(null);
    try {
      await run(...given);
    } catch (failure) {
      setError(failure);
    } finally {
      setBusy(false);
    }
  };
  return { act, busy, error };
}
