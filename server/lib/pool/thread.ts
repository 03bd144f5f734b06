// One thread with a script, seen from outside: the only place of the service that makes threads.

export interface Thread {
  post(message: unknown, transfer?: ArrayBuffer[]): void;
  /** Ends it at once, whatever it is doing; `onEnd` is not called then. */
  end(): void;
}

export interface ThreadOptions<Message> {
  /** The address of the script, or how to start it. */
  script: string | (() => Worker);
  onMessage(message: Message): void;
  /** Called once if the thread ends by itself. */
  onEnd(why: string): void;
}

export function openThread<Message>({ script, onMessage, onEnd }: ThreadOptions<Message>): Thread {
  const worker = typeof script === "string" ? new Worker(script) : script();
  let ended = false;
  const end = () => {
    ended = true;
    worker.terminate();
  };
  const die = (why: string) => {
    if (ended) return;
    end();
    onEnd(why);
  };
  worker.onmessage = ({ data }: MessageEvent<Message>) => {
    if (!ended) onMessage(data);
  };
  worker.onerror = (event) => die(event.message);
  worker.addEventListener("close", () => die("it ended"));
  return { post: (message, transfer = []) => worker.postMessage(message, transfer), end };
}
