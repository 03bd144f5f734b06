// Reads the XML form of OpenStreetMap (.osm): enough of XML for what its exporters write, nothing more.
import type { OsmVisitor } from "./osm-pbf.ts";

const entities: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

export function readOsmXml(xml: string, visitor: OsmVisitor): void {
  const element = /<(node|way|tag|nd|\/node|\/way)\b([^>]*?)(\/?)>/g;
  let node: { id: number; lat: number; lon: number; tags: Map<string, string> } | null = null;
  let way: { id: number; nodes: number[]; tags: Map<string, string> } | null = null;
  for (let m = element.exec(xml); m; m = element.exec(xml)) {
    const [, name, rest, closed] = m;
    if (name === "node") {
      const a = attributes(rest);
      node = { id: Number(a.id), lat: Number(a.lat), lon: Number(a.lon), tags: new Map() };
      if (closed) visitor.node(node);
    } else if (name === "way") {
      way = { id: Number(attributes(rest).id), nodes: [], tags: new Map() };
    } else if (name === "nd") way?.nodes.push(Number(attributes(rest).ref));
    else if (name === "tag") {
      const a = attributes(rest);
      (way ?? node)?.tags.set(a.k, a.v);
    } else if (name === "/node" && node) {
      visitor.node(node);
      node = null;
    } else if (name === "/way" && way) {
      visitor.way(way);
      way = null;
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
