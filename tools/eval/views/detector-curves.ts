// Draws the ROC and reliability curves of the detector suite as small SVG files. Draws only; computes no score.

interface Point {
  ai: boolean;
  score: number;
}

const SIZE = 360;
const PAD = 44;
const x = (v: number) => PAD + v * (SIZE - 2 * PAD);
const y = (v: number) => SIZE - PAD - v * (SIZE - 2 * PAD);

function frame(title: string, across: string, up: string, body: string): string {
  const ticks = [0, 0.25, 0.5, 0.75, 1]
    .map(
      (v) =>
        `<text x="${x(v)}" y="${SIZE - PAD + 16}" text-anchor="middle">${v}</text><text x="${PAD - 8}" y="${y(v) + 4}" text-anchor="end">${v}</text>`,
    )
    .join("");
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${SIZE} ${SIZE}" font-family="sans-serif" font-size="11">
<rect width="${SIZE}" height="${SIZE}" fill="#fff"/><text x="${SIZE / 2}" y="20" text-anchor="middle" font-size="13">${title}</text>
<path d="M${x(0)} ${y(1)}V${y(0)}H${x(1)}" fill="none" stroke="#444"/><path d="M${x(0)} ${y(0)}L${x(1)} ${y(1)}" stroke="#bbb" stroke-dasharray="4 3"/>
${ticks}<text x="${SIZE / 2}" y="${SIZE - 8}" text-anchor="middle">${across}</text>
<text transform="translate(12 ${SIZE / 2}) rotate(-90)" text-anchor="middle">${up}</text>
${body}</svg>\n`;
}

export function drawRoc(judged: Point[]): string {
  const sorted = [...judged].sort((a, b) => b.score - a.score);
  const ai = Math.max(1, sorted.filter((j) => j.ai).length);
  const human = Math.max(1, sorted.length - ai);
  let hits = 0;
  let misses = 0;
  const path = [`M${x(0)} ${y(0)}`];
  sorted.forEach((j, i) => {
    if (j.ai) hits++;
    else misses++;
    if (i % Math.ceil(sorted.length / 400) === 0)
      path.push(`L${x(misses / human).toFixed(1)} ${y(hits / ai).toFixed(1)}`);
  });
  path.push(`L${x(1)} ${y(1)}`);
  return frame(
    "ROC",
    "false positive rate",
    "true positive rate",
    `<path d="${path.join("")}" fill="none" stroke="#0a58ca" stroke-width="2"/>`,
  );
}

export function drawReliability(judged: Point[]): string {
  const dots = Array.from({ length: 15 }, (_, b) => judged.filter((j) => Math.min(14, Math.floor(j.score * 15)) === b))
    .filter((inside) => inside.length > 0)
    .map((inside) => ({
      said: inside.reduce((sum, j) => sum + j.score, 0) / inside.length,
      was: inside.filter((j) => j.ai).length / inside.length,
      size: 2 + 9 * Math.sqrt(inside.length / judged.length),
    }));
  const body = dots
    .map(
      (d) =>
        `<circle cx="${x(d.said).toFixed(1)}" cy="${y(d.was).toFixed(1)}" r="${d.size.toFixed(1)}" fill="#0a58ca" fill-opacity=".7"/>`,
    )
    .join("");
  return frame("Reliability (dot size: share of texts)", "score given", "share that was AI", body);
}
