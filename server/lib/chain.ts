// Goes on with a value at once when it is there, and later when it is promised: the common request never waits a turn.

export function chain<T, R>(value: T | Promise<T>, next: (value: T) => R | Promise<R>): R | Promise<R> {
  return value instanceof Promise ? value.then(next) : next(value);
}
