// A cache of bounded size: the oldest entry is evicted first.

export function createRecent<V>(most: number): (question: string, answer: () => V) => V {
  const known = new Map<string, V>();
  return (question, answer) => {
    let value = known.get(question);
    if (value === undefined) value = answer();
    else known.delete(question);
    known.set(question, value);
    if (known.size > most) known.delete(known.keys().next().value!);
    return value;
  };
}
