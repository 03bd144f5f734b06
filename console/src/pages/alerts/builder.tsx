// The builder: what to watch for, how to be told, a plain sentence of it, and what it would have matched lately.
import { useState } from "preact/hooks";
import { useAction, useLoad, useSettled } from "../../hooks.ts";
import { client, go } from "../../state.ts";
import { Card, Field, Problem, Show } from "../../ui.tsx";
import { Marked } from "./marked.tsx";
import { CHANNELS, type Draft, EMPTY_DRAFT, orderOf, RHYTHMS, sentenceOf, WATCHED } from "./sentence.ts";

type Set = (name: keyof Draft) => (e: { currentTarget: { value: string } }) => void;

function Choose(props: { name: keyof Draft; label: string; value: string; options: Record<string, string>; set: Set }) {
  return (
    <Field label={props.label}>
      <select name={props.name} value={props.value} onChange={props.set(props.name)}>
        {Object.entries(props.options).map(([name, title]) => (
          <option key={name} value={name}>
            {title}
          </option>
        ))}
      </select>
    </Field>
  );
}

const CHANNEL_TITLES = Object.fromEntries(Object.entries(CHANNELS).map(([name, { title }]) => [name, title]));

function Fields({ draft, set, onQuiet }: { draft: Draft; set: Set; onQuiet(on: boolean): void }) {
  const { label } = CHANNELS[draft.channel];
  return (
    <>
      <Field label="Watch for" note='Words, "a phrase", AND, OR, NOT, #tag'>
        <input name="query" required value={draft.query} onInput={set("query")} placeholder="harbour AND fog" />
      </Field>
      <div class="inline">
        <Choose name="watched" label="In" value={draft.watched} options={WATCHED} set={set} />
        <Choose name="channel" label="Tell me by" value={draft.channel} options={CHANNEL_TITLES} set={set} />
        <Choose name="rhythm" label="When" value={draft.rhythm} options={RHYTHMS} set={set} />
      </div>
      {draft.watched === "feed" && (
        <Field label="Address of the feed">
          <input name="source" type="url" required value={draft.source} onInput={set("source")} />
        </Field>
      )}
      {label && (
        <Field label={label}>
          <input name="target" required value={draft.target} onInput={set("target")} />
        </Field>
      )}
      <label>
        <input type="checkbox" checked={draft.quiet} onChange={(e) => onQuiet(e.currentTarget.checked)} /> Be quiet from
        22:00 to 07:00
      </label>
    </>
  );
}

function Preview({ query }: { query: string }) {
  const preview = useLoad(async (api) => (query ? api.alerts.preview({ query }) : null), [query]);
  if (!query) return <p class="quiet">Shows what the query would have matched lately, while you type.</p>;
  return (
    <Show of={preview}>
      {(p) =>
        p && (
          <>
            <p>
              Read as <code>{p.query.canonical}</code>: <strong>{p.preview.matched}</strong> of {p.preview.scanned}{" "}
              recent items match
              {p.preview.estimated_per_day !== null && `, about ${p.preview.estimated_per_day} a day`}.
            </p>
            {p.query.warnings.map((w) => (
              <p class="hint" key={w.code}>
                {w.detail}
              </p>
            ))}
            <ul class="pairs">
              {p.preview.samples.map((s) => (
                <li key={`${s.at}${s.title}`}>
                  <span>
                    <Marked text={s.title ?? "Untitled"} highlights={s.highlights} />
                  </span>
                </li>
              ))}
            </ul>
          </>
        )
      }
    </Show>
  );
}

export function Builder() {
  const [draft, setDraft] = useState(EMPTY_DRAFT);
  const set: Set = (name) => (e) => setDraft({ ...draft, [name]: e.currentTarget.value });
  const query = useSettled(draft.query).trim();
  const create = useAction(async () => go("alerts", (await client.value.alerts.create(orderOf(draft))).id));
  return (
    <>
      <Card title="New alert">
        <form
          onSubmit={(e) => {
            e.preventDefault();
            void create.act();
          }}
        >
          <Fields draft={draft} set={set} onQuiet={(quiet) => setDraft({ ...draft, quiet })} />
          <p class="sentence" aria-live="polite">
            {sentenceOf(draft)}
          </p>
          <Problem error={create.error} />
          <button type="submit" class="primary" disabled={create.busy}>
            Create alert
          </button>
        </form>
      </Card>
      <Card title="Preview">
        <Preview query={query} />
      </Card>
    </>
  );
}
