// A call under way: await it for the data, or ask it for the whole response.

export interface WithResponse<T> {
  data: T;
  response: Response;
  requestId: string | null;
}

/** Starts when it is made, and behaves as a promise of the data. */
export class Call<T> implements PromiseLike<T> {
  readonly #result: Promise<WithResponse<T>>;

  constructor(result: Promise<WithResponse<T>>) {
    this.#result = result;
  }

  /** The data together with status and headers. The response's body has been read already. */
  withResponse(): Promise<WithResponse<T>> {
    return this.#result;
  }

  // biome-ignore lint/suspicious/noThenProperty: being awaited is what it is for.
  then<A = T, B = never>(
    done?: ((value: T) => A | PromiseLike<A>) | null,
    failed?: ((reason: any) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.#result.then(({ data }) => data).then(done, failed);
  }

  catch<B = never>(failed?: ((reason: any) => B | PromiseLike<B>) | null): Promise<T | B> {
    return this.then(null, failed);
  }

  finally(done?: (() => void) | null): Promise<T> {
    return this.then().finally(done);
  }

  get [Symbol.toStringTag](): string {
    return "Call";
  }
}
