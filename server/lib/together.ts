// Reads for many what many ask for in the same turn of the event loop: one question instead of one for each.

/** `readMany` answers for every id it is given. */
export function readTogether<T>(readMany: (ids: number[]) => Promise<Map<number, T>>): (id: number) => Promise<T> {
  let asked: number[] = [];
  let reading: Promise<Map<number, T>> | null = null;
  return (id) => {
    asked.push(id);
    reading ??= new Promise<void>((sent) => setImmediate(sent)).then(() => {
      const ids = asked;
      asked = [];
      reading = null;
      return readMany(ids);
    });
    return reading.then((all) => all.get(id)!);
  };
}
