// Continues with a value: at once if it is there, otherwise when its promise resolves. The common request never waits a
// turn.

export function chain<T, R>(value: T | Promise<T>, next: (value: T) => R | Promise<R>): R | Promise<R> {
  return value instanceof Promise ? value.then(next) : next(value);
}
