// Writes the data card's and the report's tables from the data and from report.json, so that no figure is typed by hand.
// usage: bun training/tables.ts DATA FOLDER
import { join } from "node:path";
import { readSet, type Row } from "./rows.ts";

const [data, folder] = process.argv.slice(2);
const sets = Object.fromEntries(["train", "more_human", "more_ai", "dev"].map((name) => [name, readSet(data, name)]));

function sourceTable(rows: Row[]): string {
  const bySource = Map.groupBy(rows, (row) => row.source);
  const lines = [...bySource]
    .sort((a, b) => b[1].length - a[1].length)
    .map(([source, list]) => {
      const licences = [...new Set(list.map((row) => row.licence))].join("; ");
      const ai = list.filter((row) => row.ai).length;
      return `| ${source} | ${list.length - ai} | ${ai} | ${[...new Set(list.map((row) => row.domain))].length} | ${licences} |`;
    });
  return ["| source | human | AI | domains | licence |", "|---|---|---|---|---|", ...lines].join("\n");
}

function genreTable(rows: Row[]): string {
  const lines = [...Map.groupBy(rows, (row) => row.genre)].map(([genre, list]) => {
    const ai = list.filter((row) => row.ai).length;
    return `| ${genre} | ${list.length - ai} | ${ai} |`;
  });
  return ["| genre | human | AI |", "|---|---|---|", ...lines].join("\n");
}

const training = [...sets.train, ...sets.more_human, ...sets.more_ai];
const makers = new Set(training.filter((row) => row.ai).map((row) => row.generator)).size;
const card = `## Sources and licences (made by tables.ts)

${training.length} texts for training, ${sets.dev.length} for development (other groups, same sources), ${makers} AI models.
Every row states its licence; a row without one stops the training.

${sourceTable(training)}

## Genres

${genreTable(training)}
`;

const report = await Bun.file(join(folder, "report.json")).json();
type Point = { fpr: number; tpr: number };
const points = (p: Record<string, Point>) =>
  Object.values(p)
    .map((x) => `${(100 * x.fpr).toFixed(2)} % / ${x.tpr.toFixed(3)}`)
    .join(" | ");
const overall = ["light", "deep"].flatMap((tier) =>
  Object.entries<any>(report[tier].measured).map(
    ([set, m]) => `| ${tier} | ${set} | ${m.human} | ${m.ai} | ${m.auroc} | ${m.ece} | ${points(m.points)} |`,
  ),
);
const human = Object.entries<any>(report.light.left_out_human)
  .sort((a, b) => b[1].fpr - a[1].fpr)
  .map(
    ([unit, u]) =>
      `| ${unit} | ${u.n} | ${(100 * u.fpr).toFixed(2)} % | ${(100 * report.deep.left_out_human[unit].fpr).toFixed(2)} % |`,
  );
const ai = Object.entries<any>(report.light.left_out_ai)
  .sort((a, b) => a[1].tpr - b[1].tpr)
  .map(([unit, u]) => `| ${unit} | ${u.n} | ${u.tpr.toFixed(3)} | ${report.deep.left_out_ai[unit].tpr.toFixed(3)} |`);
const tables = `## Overall, texts from 75 words (made by tables.ts)

FPR / TPR at the fixed points.

| tier | set | human | AI | AUROC | ECE | 0.2 % | 0.5 % | 1 % | 5 % |
|---|---|---|---|---|---|---|---|---|---|
${overall.join("\n")}

## Leave one source out: human texts flagged at the 1 % point by a model that never saw their source

| source / domain | texts | light | deep |
|---|---|---|---|
${human.join("\n")}

## Leave one source (or, for chats, one maker) out: AI texts found at the 1 % point

| source / domain | texts | light | deep |
|---|---|---|---|
${ai.join("\n")}
`;
await splice(join(folder, "data-card.md"), "## Sources and licences", card);
await splice(join(folder, "report.md"), "## Overall", tables);

/** Replaces everything from a heading to the end: what is above it is written by hand. */
async function splice(path: string, heading: string, text: string): Promise<void> {
  const old = await Bun.file(path).text();
  const at = old.indexOf(heading);
  await Bun.write(path, (at < 0 ? `${old.trimEnd()}\n\n` : old.slice(0, at)) + text);
}
