// Webhooks: endpoints, their attempts with bodies, tests and replays.
import { useState } from "preact/hooks";
import type { Webhook, WebhookAttempt } from "../../../../sdks/typescript/src/index.ts";
import { useAction, usePages } from "../../hooks.ts";
import { client } from "../../state.ts";
import { Badge, Card, Copy, Empty, Field, Problem, Show, Table, Time } from "../../ui.tsx";

/** The event as it was sent, for a program on the developer's own machine. */
function forwardText({ event_id, request_body }: WebhookAttempt, url: string): string {
  const body = (request_body ?? "{}").replaceAll("'", "'\\''");
  return `curl -X POST '${url}' \\\n  -H 'Content-Type: application/json' \\\n  -H 'webhook-id: ${event_id}' \\\n  -d '${body}'`;
}

function readable(text: string | null): string | null {
  try {
    return text && JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

function One({ attempt, replay }: { attempt: WebhookAttempt; replay(): void }) {
  const [url, setUrl] = useState("http://localhost:3000/webhook");
  return (
    <>
      <h3>
        {attempt.event_type} · attempt {attempt.attempt}
      </h3>
      {attempt.error && <p class="bad-text">{attempt.error}</p>}
      <div class="buttons">
        <button type="button" class="small" onClick={replay}>
          Replay this event
        </button>
      </div>
      <h3>Sent</h3>
      <pre tabIndex={0}>{readable(attempt.request_body) ?? "not kept"}</pre>
      <h3>Answered {attempt.status ?? ""}</h3>
      <pre tabIndex={0}>{readable(attempt.answer_body) ?? "nothing"}</pre>
      <h3>Forward</h3>
      <div class="inline">
        <Field label="To an address on your machine" note="Without a signature: this page never holds the secret.">
          <input type="url" value={url} onInput={(e) => setUrl(e.currentTarget.value)} />
        </Field>
        <Copy text={forwardText(attempt, url)} label="Copy as curl" />
      </div>
    </>
  );
}

function Attempts({ webhook }: { webhook: Webhook }) {
  const attempts = usePages(
    (api, page) => api.webhooks.attempts(webhook.id, page),
    (a) => `${a.event_id} ${a.at}`,
    [webhook.id],
  );
  const [opened, setOpened] = useState<WebhookAttempt | null>(null);
  const act = useAction(async (run: () => PromiseLike<unknown>) => {
    await run();
    attempts.reload();
  });
  const api = client.value.webhooks;
  return (
    <Card
      title={`Attempts at ${webhook.url}`}
      wide
      side={
        <span class="inline">
          <button type="button" class="small" onClick={() => void act.act(() => api.test(webhook.id))}>
            Send a test
          </button>
          <button type="button" class="small" onClick={attempts.reload}>
            Refresh
          </button>
        </span>
      }
    >
      <Problem error={act.error} />
      <Show of={attempts}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty title="No attempts yet">
              Send a test, or wait for the next event. Each attempt is kept with what was sent and what was answered.
            </Empty>
          ) : (
            <Table
              label="Attempts"
              onEnd={attempts.more}
              rows={items}
              onOpen={(a) => setOpened(a)}
              columns={[
                { title: "Event", cell: (a) => <code>{a.event_type}</code>, grow: 2 },
                { title: "Outcome", cell: (a) => <Badge of={a.outcome} />, grow: 1.2 },
                { title: "Status", cell: (a) => a.status ?? "—", minor: true },
                { title: "Time", cell: (a) => `${a.duration_ms} ms`, minor: true },
                { title: "When", cell: (a) => <Time at={a.at} />, grow: 1.4, minor: true },
              ]}
            />
          )
        }
      </Show>
      {opened && (
        <One attempt={opened} replay={() => act.act(() => api.replay(webhook.id, { event_id: opened.event_id }))} />
      )}
    </Card>
  );
}

export function Webhooks() {
  const webhooks = usePages(
    (api, page) => api.webhooks.list(page),
    (w) => w.id,
  );
  const [url, setUrl] = useState("");
  const [secret, setSecret] = useState<string | null>(null);
  const [chosen, setChosen] = useState<Webhook | null>(null);
  const create = useAction(async () => {
    const made = await client.value.webhooks.create({ url });
    setSecret(made.secret);
    webhooks.reload();
  });
  return (
    <>
      <Card title="Webhooks" wide>
        <form
          class="inline"
          onSubmit={(e) => {
            e.preventDefault();
            void create.act();
          }}
        >
          <Field label="Address that takes events">
            <input name="url" type="url" required value={url} onInput={(e) => setUrl(e.currentTarget.value)} />
          </Field>
          <button type="submit" class="primary" disabled={create.busy}>
            Add
          </button>
        </form>
        {secret && (
          <div class="empty">
            <strong>Secret for checking signatures, shown once:</strong>
            <div>
              <code>{secret}</code> <Copy text={secret} />
            </div>
          </div>
        )}
        <Problem error={create.error} />
        <Show of={webhooks}>
          {({ items }) =>
            items.length === 0 ? (
              <Empty title="No webhook yet">
                Add an address above and every event is sent to it, signed. Test keys send nothing into the world: their
                messages are kept in the sandbox inbox.
              </Empty>
            ) : (
              <Table
                label="Webhooks"
                onEnd={webhooks.more}
                rows={items}
                onOpen={(w) => setChosen(w)}
                columns={[
                  { title: "Address", cell: (w) => w.url, grow: 3 },
                  { title: "State", cell: (w) => <Badge of={w.status} /> },
                  { title: "Events", cell: (w) => w.types.join(", ") || "all", grow: 1.5, minor: true },
                ]}
              />
            )
          }
        </Show>
      </Card>
      {chosen && <Attempts webhook={chosen} key={chosen.id} />}
    </>
  );
}
