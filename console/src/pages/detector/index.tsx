// Detector: paste a text or drop a file or an image; parts shaded by score, evidence, the error rate in words, history.
import { useState } from "preact/hooks";
import type { Analysis, DetectorSegment } from "../../../../sdks/typescript/src/index.ts";
import { useAction, useLoad, usePages } from "../../hooks.ts";
import { client, go } from "../../state.ts";
import { Badge, Card, Empty, Field, Problem, Show, Table, Time } from "../../ui.tsx";
import { type Dropped, DropZone, readFile } from "./drop.tsx";

const SHADES: [from: number, name: string][] = [
  [0.8, "s3"],
  [0.6, "s2"],
  [0.4, "s1"],
];

const shadeOf = (score: number) => SHADES.find(([from]) => score >= from)?.[1] ?? "";
const percent = (share: number) => `${Number((share * 100).toFixed(1))} %`;

function Shaded({ text, parts }: { text: string; parts: DetectorSegment[] }) {
  const pieces = [];
  let at = 0;
  for (const part of [...parts].sort((a, b) => a.start - b.start)) {
    if (part.start < at) continue;
    pieces.push(text.slice(at, part.start));
    pieces.push(
      <span key={part.start} class={shadeOf(part.score)} title={`score ${part.score.toFixed(2)}`}>
        {text.slice(part.start, part.end)}
      </span>,
    );
    at = part.end;
  }
  return (
    <section class="shaded" aria-label="The text, shaded by score" tabIndex={0}>
      {pieces}
      {text.slice(at)}
    </section>
  );
}

/** The score in a sentence, with how often such a judgement is wrong. */
function meaningOf({ verdict, operating_point: point, abstained_because: why }: Analysis): string {
  if (why) return `No judgement: ${why.replaceAll("_", " ")}. Longer running prose can be judged.`;
  if (!point) return "Nothing was measured for this kind of content.";
  const wrong = Math.max(1, Math.round(point.measured_false_positive_rate * 1000));
  const found = percent(point.measured_true_positive_rate);
  const said = verdict === "likely_ai" ? "It reads like AI." : "It is not called AI.";
  return `${said} At this setting about ${wrong} in 1,000 human texts are wrongly called AI, and ${found} of AI texts are found. A score is a sign, never a proof.`;
}

function Claims({ analysis: { provenance } }: { analysis: Analysis }) {
  const { format, width, height, claims } = provenance;
  return (
    <Card title="What the file says of itself">
      <p class="quiet">
        {format} {width} × {height}. Metadata can be removed or forged; the pixels are not judged.
      </p>
      {claims.length === 0 && <Empty title="Nothing">The image carries no word about how it was made.</Empty>}
      <ul class="pairs">
        {claims.map((c) => (
          <li key={c.kind + c.detail}>
            <span>
              {c.detail} <span class="quiet">{c.kind.replaceAll("_", " ")}</span>
            </span>
            <Badge of={c.says} />
          </li>
        ))}
      </ul>
    </Card>
  );
}

function Verdict({ analysis }: { analysis: Analysis }) {
  const { shares } = analysis;
  return (
    <Card title="Result">
      <p class="big">
        {analysis.verdict.replaceAll("_", " ")}{" "}
        {analysis.score !== null && <span class="quiet">{Math.round(analysis.score * 100)} %</span>}
      </p>
      <p>{meaningOf(analysis)}</p>
      {shares && (
        <ul class="pairs">
          {(["human", "mixed", "ai"] as const).map((name) => (
            <li key={name}>
              <span>{{ human: "Reads like a person", mixed: "Could be either", ai: "Reads like AI" }[name]}</span>
              <span>{percent(shares[name])} of the words</span>
            </li>
          ))}
        </ul>
      )}
      <p class="quiet">
        {analysis.words} words · {analysis.language ?? "language unknown"} · model {analysis.model.name}{" "}
        {analysis.model.version}
      </p>
    </Card>
  );
}

function Result({ analysis, text }: { analysis: Analysis; text: string | null }) {
  const isImage = analysis.type === "image";
  return (
    <>
      <Verdict analysis={analysis} />
      {isImage && <Claims analysis={analysis} />}
      {!isImage && (
        <Card title="Evidence">
          {analysis.signals.length === 0 && <p class="quiet">No signals.</p>}
          <ul class="pairs">
            {analysis.signals.map((s) => (
              <li key={s.name}>
                <span>
                  {s.explanation}
                  {s.evidence.slice(0, 3).map((e) => (
                    <span key={e}>
                      {" "}
                      <mark>{e}</mark>
                    </span>
                  ))}
                </span>
                <span class="badge">{s.direction}</span>
              </li>
            ))}
          </ul>
        </Card>
      )}
      {text && !isImage && (
        <Card
          title="The text, shaded by score"
          wide
          side={
            <span class="key">
              <span class="s1">from 40 %</span>
              <span class="bad">from 80 %</span>
            </span>
          }
        >
          <Shaded text={text} parts={analysis.sentences.length > 0 ? analysis.sentences : analysis.segments} />
        </Card>
      )}
    </>
  );
}

function Paste({ onDone }: { onDone(analysis: Analysis, text: string | null): void }) {
  const [text, setText] = useState("");
  const [keep, setKeep] = useState(true);
  const [dropped, setDropped] = useState<Dropped | null>(null);
  const take = useAction(async (file: File | undefined) => setDropped(file ? await readFile(file) : null));
  const check = useAction(async () => {
    const what = dropped ? { [dropped.kind]: dropped.base64 } : { content: text };
    const answer = (await client.value.detector.analyze({ ...what, detail: "full", store: keep } as never)) as Analysis;
    // The text of a file is known to the service alone; it is shown where it was kept.
    const kept = dropped?.kind === "file" && keep ? await client.value.detector.get(answer.analysis_id) : null;
    onDone(answer, dropped ? (kept?.content ?? null) : text);
  });
  return (
    <Card title="Check a text, a file or an image" wide>
      <form
        onSubmit={(e) => {
          e.preventDefault();
          void check.act();
        }}
      >
        {!dropped && (
          <Field label="Text" note="English prose of 75 words or more.">
            <textarea name="text" required value={text} onInput={(e) => setText(e.currentTarget.value)} />
          </Field>
        )}
        <DropZone dropped={dropped} onFile={(file) => void take.act(file)} />
        <label>
          <input type="checkbox" checked={keep} onChange={(e) => setKeep(e.currentTarget.checked)} /> Keep it in the
          history
        </label>
        <Problem error={check.error ?? take.error} />
        <div class="buttons">
          <button type="submit" class="primary" disabled={check.busy}>
            {check.busy ? "Checking…" : "Check"}
          </button>
        </div>
      </form>
    </Card>
  );
}

function History({ round }: { round: number }) {
  const list = usePages(
    (api, page) => api.detector.list(page),
    (a) => a.analysis_id,
    [round],
  );
  return (
    <Card title="History" wide>
      <Show of={list}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty title="Nothing kept yet">
              Checked texts that you keep are listed here, with their report to print, until you delete them.
            </Empty>
          ) : (
            <Table
              label="Kept analyses"
              onEnd={list.more}
              rows={items}
              onOpen={(a) => go("detector", a.analysis_id)}
              columns={[
                { title: "Verdict", cell: (a) => <Badge of={a.verdict} />, grow: 1.2 },
                { title: "Text", cell: (a) => a.excerpt || a.type, grow: 3 },
                { title: "Words", cell: (a) => a.words, minor: true },
                { title: "When", cell: (a) => <Time at={a.created_at} />, grow: 1.4, minor: true },
              ]}
            />
          )
        }
      </Show>
    </Card>
  );
}

function Kept({ id }: { id: string }) {
  const analysis = useLoad((api) => api.detector.get(id), [id]);
  return (
    <Show of={analysis}>
      {(a) => (
        <div class="grid">
          <Result analysis={a} text={a.content} />
          <button type="button" onClick={() => go("detector")}>
            Check another text
          </button>
        </div>
      )}
    </Show>
  );
}

export default function Detector({ id }: { id: string | null }) {
  const [done, setDone] = useState<{ analysis: Analysis; text: string | null; round: number } | null>(null);
  const onDone = (analysis: Analysis, text: string | null) =>
    setDone({ analysis, text, round: (done?.round ?? 0) + 1 });
  return (
    <>
      <h1>Detector</h1>
      {id ? (
        <Kept id={id} key={id} />
      ) : (
        <div class="grid">
          <Paste onDone={onDone} />
          {done && <Result analysis={done.analysis} text={done.text} />}
          <History round={done?.round ?? 0} />
        </div>
      )}
    </>
  );
}
