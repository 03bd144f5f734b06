// Writes the data card's and the report's tables from the data and from report.json, so that no figure is typed by hand.
// usage: bun training/tables.ts DATA FOLDER
import { join } from "node:path";
import { readSet, readTraining, type Row } from "./rows.ts";

const [data, folder] = process.argv.slice(2);
const training = readTraining(data);
const development = readSet(data, "dev");

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

const makers = new Set(training.filter((row) => row.ai).map((row) => row.generator)).size;
const card = `## Sources and licences (made by tables.ts)

${training.length} texts for training, ${development.length} for development (other groups, same sources), ${makers} AI models.
Every row states its licence; a row without one stops the training.

${sourceTable(training)}

## Genres

${genreTable(training)}
`;

const report = await Bun.file(join(folder, "report.json")).json();
type Point = { fpr: number; tpr: number };
const percent = (share: number) => `${(100 * share).toFixed(2)} %`;
const points = (p: Record<string, Point>) =>
  Object.values(p)
    .map((x) => `${percent(x.fpr)} / ${x.tpr.toFixed(3)}`)
    .join(" | ");
const overall = Object.entries<any>(report.measured).map(
  ([set, m]) => `| ${set} | ${m.human} | ${m.ai} | ${m.auroc} | ${m.ece} | ${points(m.points)} |`,
);
const { summary, ai_by_family, ai_by_maker, human_by_family } = report.pooled;
const { human_by_source, human_by_genre } = report.at_1_percent;
const folds = Object.entries<any>(summary).map(
  ([kind, s]) =>
    `| ${kind} | ${s.folds.map((x: number) => x.toFixed(3)).join(", ")} | ${s.mean.toFixed(3)} | ${s.worst.toFixed(3)} |`,
);
type Cell = { texts: number; rate: number };
const rates = (table: Record<string, Cell>, view: (rate: number) => string) =>
  Object.entries(table)
    .map(([key, cell]) => `| ${key} | ${cell.texts} | ${view(cell.rate)} |`)
    .join("\n");
const tables = `## Overall, texts from 75 words (made by tables.ts)

FPR / TPR at the fixed points, which depend on the length.

| set | human | AI | AUROC | ECE | 0.2 % | 0.5 % | 1 % | 5 % |
|---|---|---|---|---|---|---|---|---|
${overall.join("\n")}

Upper bounds of the false positive rate (19 in 20, families drawn anew): ${Object.entries<number>(report.bounds)
  .map(([point, bound]) => `${percent(Number(point))} point ${percent(bound)}`)
  .join(", ")}.

## AI texts found at one pooled 1 %, by models that never met their family or their maker

| left out | by fold | mean | worst |
|---|---|---|---|
${folds.join("\n")}

| family left out | AI texts | found |
|---|---|---|
${rates(ai_by_family, (x) => x.toFixed(3))}

| maker left out | AI texts | found |
|---|---|---|
${rates(ai_by_maker, (x) => x.toFixed(3))}

| family left out | human texts | flagged |
|---|---|---|
${rates(human_by_family, percent)}

## Human texts flagged at the service's own 1 % point, by models that never met their family

| genre | human texts | flagged |
|---|---|---|
${rates(human_by_genre, percent)}

| source | human texts | flagged |
|---|---|---|
${rates(human_by_source, percent)}
`;
await splice(join(folder, "data-card.md"), "## Sources and licences", card);
await splice(join(folder, "report.md"), "## Overall", tables);

/** Replaces everything from a heading to the end: what is above it is written by hand. */
async function splice(path: string, heading: string, text: string): Promise<void> {
  const old = await Bun.file(path).text();
  const at = old.indexOf(heading);
  await Bun.write(path, (at < 0 ? `${old.trimEnd()}\n\n` : old.slice(0, at)) + text);
}
