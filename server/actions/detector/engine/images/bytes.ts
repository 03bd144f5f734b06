// Bounded reading of hostile files: reading past the end is a MediaError that says where.

export class MediaError extends Error {}

export class Reader {
  readonly bytes: Uint8Array;
  readonly view: DataView;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  slice(at: number, size: number, what: string): Uint8Array {
    if (size < 0 || at < 0 || at + size > this.bytes.length) {
      throw new MediaError(
        `${what} at byte ${at} says it has ${size} bytes, but the file ends at ${this.bytes.length}`,
      );
    }
    return this.bytes.subarray(at, at + size);
  }

  u16(at: number, little = false): number {
    this.slice(at, 2, "A number");
    return this.view.getUint16(at, little);
  }

  u32(at: number, little = false): number {
    this.slice(at, 4, "A number");
    return this.view.getUint32(at, little);
  }

  /** Whether the ASCII text stands at that place. */
  has(at: number, text: string): boolean {
    if (at < 0 || at + text.length > this.bytes.length) return false;
    for (let i = 0; i < text.length; i++) if (this.bytes[at + i] !== text.charCodeAt(i)) return false;
    return true;
  }
}

export const latin1 = (bytes: Uint8Array) => new TextDecoder("latin1").decode(bytes);
export const utf8 = (bytes: Uint8Array) => new TextDecoder("utf-8").decode(bytes);

/** What the container parsers hand on: only metadata, never pixels. */
export interface Container {
  format: "png" | "jpeg" | "webp";
  width: number | null;
  height: number | null;
  /** Keyword and text, as in PNG text chunks and JPEG comments. */
  texts: [string, string][];
  exif: Uint8Array | null;
  xmp: string | null;
  /** The C2PA manifest store. */
  jumbf: Uint8Array | null;
}
