// The builder of an alert, with a preview and a plain sentence of what it will do.
import { useState } from "preact/hooks";
import type { ActionConnector, AlertHighlight } from "../../../sdks/typescript/src/index.ts";
import { useAction, useLoad, useSettled } from "../hooks.ts";
import { client, go } from "../state.ts";
import { Card, Field, Problem, Show } from "../ui.tsx";

const CHANNELS = ["sse", "webhook", "email"] as const;

type Order = Parameters<ActionConnector["alerts"]["create"]>[0];

interface Draft {
  name: string;
  query: string;
  source: string;
  channel: (typeof CHANNELS)[number];
  target: string;
}

/** What the alert will do, in words. */
function sentenceOf({ query, source, channel, target }: Draft): string {
  const where = source ? `the feed ${source}` : "all content you push";
  const how = {
    sse: "appears in the stream",
    webhook: `is sent to ${target || "…"}`,
    email: `is mailed to ${target || "…"}`,
  };
  return `Whatever in ${where} matches “${query || "…"}” ${how[channel]}.`;
}

function orderOf({ name, query, source, channel, target }: Draft): Order {
  const to = channel === "webhook" ? { url: target } : channel === "email" ? { to: target } : {};
  return {
    query,
    ...(name ? { name } : {}),
    ...(source ? { sources: [source] } : {}),
    channels: [{ type: channel, ...to }],
  } as Order;
}

/** A title with the words that matched marked. */
export function Marked({ text, highlights }: { text: string; highlights: AlertHighlight[] }) {
  const parts = [];
  let at = 0;
  for (const h of highlights.filter((one) => one.field === "title").sort((a, b) => a.start - b.start)) {
    if (h.start < at) continue;
    parts.push(text.slice(at, h.start), <mark key={h.start}>{text.slice(h.start, h.end)}</mark>);
    at = h.end;
  }
  return (
    <>
      {parts}
      {text.slice(at)}
    </>
  );
}

export function Builder({ onMade }: { onMade(): void }) {
  const [draft, setDraft] = useState<Draft>({ name: "", query: "", source: "", channel: "sse", target: "" });
  const set = (name: keyof Draft) => (e: { currentTarget: { value: string } }) =>
    setDraft({ ...draft, [name]: e.currentTarget.value });
  const query = useSettled(draft.query);
  const preview = useLoad(async (api) => (query.trim() ? api.alerts.preview({ query }) : null), [query]);
  const create = useAction(async () => {
    const alert = await client.value.alerts.create(orderOf(draft));
    onMade();
    go("alerts", alert.id);
  });
  return (
    <>
      <Card title="New alert">
        <form
          onSubmit={(e) => {
            e.preventDefault();
            void create.act();
          }}
        >
          <Field label="Watch for" note='Words, "a phrase", AND, OR, NOT, #tag'>
            <input name="query" required value={draft.query} onInput={set("query")} />
          </Field>
          <Field label="Feed (optional)">
            <input name="source" type="url" value={draft.source} onInput={set("source")} />
          </Field>
          <Field label="Notify by">
            <select name="channel" value={draft.channel} onChange={set("channel")}>
              {CHANNELS.map((c) => (
                <option key={c} value={c}>
                  {c === "sse" ? "stream" : c}
                </option>
              ))}
            </select>
          </Field>
          {draft.channel !== "sse" && (
            <Field label={draft.channel === "email" ? "Address" : "URL"}>
              <input name="target" required value={draft.target} onInput={set("target")} />
            </Field>
          )}
          <p>
            <strong>{sentenceOf(draft)}</strong>
          </p>
          <Problem error={create.error} />
          <button type="submit" class="primary" disabled={create.busy}>
            Create alert
          </button>
        </form>
      </Card>
      <Card title="Preview">
        {!query.trim() && <p class="quiet">Shows what the query would have matched lately, while you type.</p>}
        {query.trim() && (
          <Show of={preview}>
            {(p) =>
              p && (
                <>
                  <p>
                    Read as <code>{p.query.canonical}</code>: <strong>{p.preview.matched}</strong> of{" "}
                    {p.preview.scanned} recent items match
                    {p.preview.estimated_per_day !== null && `, about ${p.preview.estimated_per_day} a day`}.
                  </p>
                  {p.query.warnings.map((w) => (
                    <p class="hint" key={w.code}>
                      {w.detail}
                    </p>
                  ))}
                  <ul>
                    {p.preview.samples.map((s) => (
                      <li key={`${s.at}${s.title}`}>
                        <Marked text={s.title ?? "Untitled"} highlights={s.highlights} />
                      </li>
                    ))}
                  </ul>
                </>
              )
            }
          </Show>
        )}
      </Card>
    </>
  );
}
