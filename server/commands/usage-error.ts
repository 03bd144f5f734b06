// A mistake of whoever typed the command: printed without a stack.
export class UsageError extends Error {
  override name = "UsageError";
}
