// The one error of unreadable documents.

/** The file is not what it says, damaged or beyond a limit. The message is for the sender. */
export class DocumentError extends Error {}
