// A file or an image to check: dropped or chosen, read in the page, sent as base64.
import { useState } from "preact/hooks";

const MAX_FILE_BYTES = 6_000_000;
const IMAGE = /^image\/(png|jpeg|webp)$/;
const CHUNK = 0x8000;

export interface Dropped {
  name: string;
  kind: "media" | "file";
  base64: string;
  /** For an image: what is shown of it. */
  url: string | null;
}

export async function readFile(file: File): Promise<Dropped> {
  if (file.size > MAX_FILE_BYTES) throw new Error(`${file.name} is larger than 6 MB.`);
  const bytes = new Uint8Array(await file.arrayBuffer());
  let binary = "";
  for (let i = 0; i < bytes.length; i += CHUNK) binary += String.fromCharCode(...bytes.subarray(i, i + CHUNK));
  const base64 = btoa(binary);
  const isImage = IMAGE.test(file.type);
  return {
    name: file.name,
    kind: isImage ? "media" : "file",
    base64,
    url: isImage ? `data:${file.type};base64,${base64}` : null,
  };
}

export function DropZone({ dropped, onFile }: { dropped: Dropped | null; onFile(file: File | undefined): void }) {
  const [over, setOver] = useState(false);
  return (
    <section
      aria-label="A file to check"
      class={over ? "drop over" : "drop"}
      onDragOver={(e) => {
        e.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(e) => {
        e.preventDefault();
        setOver(false);
        onFile(e.dataTransfer?.files[0]);
      }}
    >
      {dropped?.url && <img src={dropped.url} alt={dropped.name} />}
      <label>
        {dropped ? <strong>{dropped.name}</strong> : "Drop a PDF, Word file, text or image here, or choose one:"}{" "}
        <input key={dropped?.name ?? ""} name="file" type="file" onChange={(e) => onFile(e.currentTarget.files?.[0])} />
      </label>
      {dropped && (
        <button type="button" class="small" onClick={() => onFile(undefined)}>
          Remove
        </button>
      )}
    </section>
  );
}
