// Reads the XML form of OpenStreetMap (.osm): enough of XML for what its exporters write, nothing more.
import type { OsmVisitor } from "./osm-pbf.ts";

const entities: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

interface Open {
  node: { id: number; lat: number; lon: number; tags: Map<string, string> } | null;
  way: { id: number; nodes: number[]; tags: Map<string, string> } | null;
}

/** Piece by piece: the element that was begun last waits for the next piece. */
export async function readOsmXml(chunks: AsyncIterable<Uint8Array>, visitor: OsmVisitor): Promise<void> {
  const decoder = new TextDecoder();
  const open: Open = { node: null, way: null };
  let rest = "";
  for await (const chunk of chunks) {
    const text = rest + decoder.decode(chunk, { stream: true });
    const begun = Math.max(0, text.lastIndexOf("<"));
    readElements(text.slice(0, begun), open, visitor);
    rest = text.slice(begun);
  }
  readElements(rest, open, visitor);
}

function readElements(xml: string, open: Open, visitor: OsmVisitor): void {
  const element = /<(node|way|tag|nd|\/node|\/way)\b([^>]*?)(\/?)>/g;
  for (let m = element.exec(xml); m; m = element.exec(xml)) {
    const [, name, rest, closed] = m;
    if (name === "node") {
      const a = attributes(rest);
      open.node = { id: Number(a.id), lat: Number(a.lat), lon: Number(a.lon), tags: new Map() };
      if (closed) visitor.node?.(open.node);
    } else if (name === "way") open.way = { id: Number(attributes(rest).id), nodes: [], tags: new Map() };
    else if (name === "nd") open.way?.nodes.push(Number(attributes(rest).ref));
    else if (name === "tag") {
      const a = attributes(rest);
      (open.way ?? open.node)?.tags.set(a.k, a.v);
    } else if (name === "/node" && open.node) {
      visitor.node?.(open.node);
      open.node = null;
    } else if (name === "/way" && open.way) {
      visitor.way?.(open.way);
      open.way = null;
    }
  }
}

function attributes(text: string): Record<string, string> {
  const out: Record<string, string> = {};
  for (const [, name, a, b] of text.matchAll(/([\w:]+)=(?:"([^"]*)"|'([^']*)')/g)) {
    out[name] = (a ?? b).replace(/&(#x?[\da-f]+|\w+);/gi, (whole, code: string) => {
      if (code.startsWith("#x")) return String.fromCodePoint(Number.parseInt(code.slice(2), 16));
      if (code.startsWith("#")) return String.fromCodePoint(Number(code.slice(1)));
      return entities[code] ?? whole;
    });
  }
  return out;
}
