// Detector: paste or drop a text, see its parts shaded by score, the evidence, the error rate in words, and the history.
import { useState } from "preact/hooks";
import type { Analysis, DetectorSegment } from "../../../sdks/typescript/src/index.ts";
import { useAction, useLoad } from "../hooks.ts";
import { client, go } from "../state.ts";
import { Badge, Card, Empty, Field, Problem, Show, Table, Time } from "../ui.tsx";

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

function Result({ analysis, text }: { analysis: Analysis; text: string | null }) {
  const point = analysis.operating_point;
  return (
    <>
      <Card title="Result">
        <p class="big">
          <Badge of={analysis.verdict} /> {analysis.score === null ? "" : analysis.score.toFixed(2)}
        </p>
        {analysis.abstained_because && (
          <p>No judgement: {analysis.abstained_because.replaceAll("_", " ")}. Longer running prose can be judged.</p>
        )}
        {point && (
          <p>
            At this setting {percent(point.measured_false_positive_rate)} of {point.measured_on} human texts were
            wrongly called AI, and {percent(point.measured_true_positive_rate)} of AI texts were found. A score is a
            sign, never a proof.
          </p>
        )}
        <p class="quiet">
          {analysis.words} words · {analysis.language ?? "language unknown"} · {analysis.model.name}{" "}
          {analysis.model.version}
        </p>
      </Card>
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
      {text && (
        <Card title="The text, shaded by score" wide>
          <Shaded text={text} parts={analysis.sentences.length > 0 ? analysis.sentences : analysis.segments} />
        </Card>
      )}
    </>
  );
}

function Paste({ onDone }: { onDone(analysis: Analysis, text: string): void }) {
  const [text, setText] = useState("");
  const [keep, setKeep] = useState(true);
  const check = useAction(async () => {
    const answer = await client.value.detector.analyze({ content: text, detail: "full", store: keep });
    onDone(answer as Analysis, text);
  });
  const onDrop = async (e: DragEvent) => {
    const file = e.dataTransfer?.files[0];
    if (!file) return;
    e.preventDefault();
    setText(await file.text());
  };
  return (
    <Card title="Check a text" wide>
      <form
        onSubmit={(e) => {
          e.preventDefault();
          void check.act();
        }}
      >
        <Field label="Text" note="Paste it, or drop a text file here.">
          <textarea name="text" required value={text} onInput={(e) => setText(e.currentTarget.value)} onDrop={onDrop} />
        </Field>
        <label>
          <input type="checkbox" checked={keep} onChange={(e) => setKeep(e.currentTarget.checked)} /> Keep it in the
          history
        </label>
        <Problem error={check.error} />
        <div class="buttons">
          <button type="submit" class="primary" disabled={check.busy}>
            Check
          </button>
        </div>
      </form>
    </Card>
  );
}

function History({ round }: { round: number }) {
  const list = useLoad((api) => api.detector.list({ limit: 100 }), [round]);
  return (
    <Card title="History" wide>
      <Show of={list}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty title="Nothing kept yet">Checked texts that you keep are listed here.</Empty>
          ) : (
            <Table
              label="Kept analyses"
              rows={items}
              onOpen={(a) => go("detector", a.analysis_id)}
              columns={[
                { title: "Verdict", cell: (a) => <Badge of={a.verdict} />, grow: 1.2 },
                { title: "Text", cell: (a) => a.excerpt, grow: 3 },
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
  const [done, setDone] = useState<{ analysis: Analysis; text: string; round: number } | null>(null);
  const onDone = (analysis: Analysis, text: string) => setDone({ analysis, text, round: (done?.round ?? 0) + 1 });
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
