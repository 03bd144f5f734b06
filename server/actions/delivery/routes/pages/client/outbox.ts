// The outbox of the courier's app, in the phone's own database: a move is written down before it is shown, and removed only
// when the service has answered for it. So nothing is lost offline, and nothing is sent out of order.

export interface Entry {
  seq?: number;
  /** The service takes the same id once. */
  id: string;
  at: string;
  do: string;
  delivery?: string;
  lat?: number;
  lon?: number;
  reason?: string;
  proof?: { pin?: string; signature?: string; barcode?: string };
  photo?: Blob;
  signatureImage?: Blob;
}

export interface Result {
  id: string;
  status: "done" | "repeated" | "refused";
  detail: string | null;
}

const MAX_MOVES = 10;
const MAX_BYTES = 3_000_000;

function open(): Promise<IDBDatabase> {
  return new Promise((done, fail) => {
    const asked = indexedDB.open(`courier ${location.pathname}`, 1);
    asked.onupgradeneeded = () => {
      asked.result.createObjectStore("outbox", { keyPath: "seq", autoIncrement: true });
      asked.result.createObjectStore("kept");
    };
    asked.onsuccess = () => done(asked.result);
    asked.onerror = () => fail(asked.error);
  });
}

const opened = open();

/** Runs in one transaction that is on disk when this resolves. */
async function inStore<T>(name: string, mode: IDBTransactionMode, work: (store: IDBObjectStore) => IDBRequest<T>) {
  const database = await opened;
  return new Promise<T>((done, fail) => {
    const transaction = database.transaction(name, mode, { durability: "strict" });
    const asked = work(transaction.objectStore(name));
    transaction.oncomplete = () => done(asked.result);
    transaction.onerror = () => fail(transaction.error);
    transaction.onabort = () => fail(transaction.error);
  });
}

export const addEntry = (entry: Entry): Promise<IDBValidKey> => inStore("outbox", "readwrite", (s) => s.add(entry));
export const countEntries = (): Promise<number> => inStore("outbox", "readonly", (s) => s.count());
export const keep = (key: string, value: unknown): Promise<IDBValidKey> =>
  inStore("kept", "readwrite", (s) => s.put(value, key));
export const kept = (key: string): Promise<any> => inStore("kept", "readonly", (s) => s.get(key));

/**
 * Sends what waits, oldest first, until nothing is left. Throws when the service cannot be reached: the rest stays. Only one
 * window sends at a time.
 */
export async function sendAll(onResult: (result: Result) => void): Promise<void> {
  await navigator.locks.request(`outbox ${location.pathname}`, async () => {
    for (;;) {
      const waiting: Entry[] = await inStore("outbox", "readonly", (s) => s.getAll(undefined, MAX_MOVES));
      const group = firstOf(waiting);
      if (group.length === 0) return;
      for (const result of await post(group)) {
        const entry = group.find((one) => one.id === result.id);
        if (entry) await inStore("outbox", "readwrite", (s) => s.delete(entry.seq!));
        onResult(result);
      }
    }
  });
}

/** As many as fit into one request; at least one. */
function firstOf(waiting: Entry[]): Entry[] {
  let bytes = 0;
  const group: Entry[] = [];
  for (const entry of waiting) {
    bytes += (entry.photo?.size ?? 0) + (entry.signatureImage?.size ?? 0);
    if (group.length > 0 && bytes > MAX_BYTES) break;
    group.push(entry);
  }
  return group;
}

async function post(entries: Entry[]): Promise<Result[]> {
  const answer = await fetch(`${location.pathname}/moves`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ moves: await Promise.all(entries.map(moveOf)) }),
  });
  if (answer.ok) return (await answer.json()).data.results;
  // What the service cannot read it will not read tomorrow: one bad move must not hold up the others.
  if (answer.status === 400 || answer.status === 413) {
    const { error } = await answer.json();
    if (entries.length === 1) return [{ id: entries[0].id, status: "refused", detail: error.detail }];
    return (await Promise.all(entries.slice(0, 1).map((entry) => post([entry])))).flat();
  }
  throw new Error(`the service answered ${answer.status}`);
}

async function moveOf({ seq: _, photo, signatureImage, proof, ...move }: Entry): Promise<object> {
  const pictures = {
    ...(photo ? { photo: await base64Of(photo) } : {}),
    ...(signatureImage ? { signature_image: await base64Of(signatureImage) } : {}),
  };
  return { ...move, ...(proof || photo || signatureImage ? { proof: { ...proof, ...pictures } } : {}) };
}

function base64Of(blob: Blob): Promise<string> {
  return new Promise((done, fail) => {
    const reader = new FileReader();
    reader.onload = () => done(String(reader.result).split(",")[1]);
    reader.onerror = () => fail(reader.error);
    reader.readAsDataURL(blob);
  });
}
