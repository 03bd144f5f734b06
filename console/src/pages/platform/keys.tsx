// Keys: make one with chosen scopes, replace it, revoke it.
import { useState } from "preact/hooks";
import { useAction, usePages } from "../../hooks.ts";
import { client, mode, session } from "../../state.ts";
import { Badge, Card, Copy, Field, Problem, Show, Table, Time } from "../../ui.tsx";

function Secret({ secret, title }: { secret: string; title: string }) {
  return (
    <div class="empty">
      <strong>{title}</strong>
      <div>
        <code>{secret}</code> <Copy text={secret} />
      </div>
    </div>
  );
}

function NewKey({ onMade }: { onMade(secret: string): void }) {
  const all = session.value?.scopes ?? [];
  const [name, setName] = useState("");
  const [scopes, setScopes] = useState(all.filter((s) => s !== "admin"));
  const toggle = (scope: string) =>
    setScopes((known) => (known.includes(scope) ? known.filter((s) => s !== scope) : [...known, scope]));
  const create = useAction(async () => {
    const made = await client.value.keys.create({ name, mode: mode.value, scopes: scopes as never });
    setName("");
    onMade(made.key);
  });
  return (
    <form
      onSubmit={(e) => {
        e.preventDefault();
        void create.act();
      }}
    >
      <div class="inline">
        <Field label="Name of a new key">
          <input
            name="name"
            required
            value={name}
            placeholder="for instance checkout service"
            onInput={(e) => setName(e.currentTarget.value)}
          />
        </Field>
        <button type="submit" class="primary" disabled={create.busy || scopes.length === 0}>
          Make key
        </button>
      </div>
      <details>
        <summary class="quiet">
          {scopes.length} of {all.length} scopes: a key should be able to do only what its program does
        </summary>
        <div class="scopes">
          {all.map((scope) => (
            <label key={scope}>
              <input type="checkbox" checked={scopes.includes(scope)} onChange={() => toggle(scope)} />{" "}
              <code>{scope}</code>
            </label>
          ))}
        </div>
      </details>
      <Problem error={create.error} />
    </form>
  );
}

export function Keys() {
  const keys = usePages(
    (api, page) => api.keys.list(page),
    (k) => k.id,
  );
  const [secret, setSecret] = useState<string | null>(null);
  const act = useAction(async (run: () => PromiseLike<{ key?: string } | unknown>) => {
    const answer = (await run()) as { key?: string };
    if (answer?.key) setSecret(answer.key);
    keys.reload();
  });
  const onMade = (key: string) => {
    setSecret(key);
    keys.reload();
  };
  const api = client.value.keys;
  return (
    <Card title="Keys" wide>
      <NewKey onMade={onMade} />
      {secret && <Secret secret={secret} title="Copy it now, it is shown once:" />}
      <Problem error={act.error} />
      <Show of={keys}>
        {({ items }) => (
          <Table
            label="Keys"
            onEnd={keys.more}
            rows={items}
            columns={[
              { title: "Name", cell: (k) => k.name, grow: 1.5 },
              { title: "Mode", cell: (k) => <Badge of={k.mode} />, grow: 0.6 },
              { title: "Key", cell: (k) => <code>{`${k.prefix}…${k.last4}`}</code>, grow: 1.5, minor: true },
              { title: "Scopes", cell: (k) => k.scopes.length, grow: 0.5, minor: true },
              { title: "Last used", cell: (k) => <Time at={k.last_used_at} />, grow: 1.2, minor: true },
              {
                title: "",
                grow: 1.2,
                cell: (k) =>
                  k.revoked_at ? (
                    <Badge of="revoked" />
                  ) : (
                    <>
                      <button type="button" class="small" onClick={() => void act.act(() => api.roll(k.id))}>
                        Replace
                      </button>{" "}
                      <button type="button" class="small" onClick={() => void act.act(() => api.revoke(k.id))}>
                        Revoke
                      </button>
                    </>
                  ),
              },
            ]}
          />
        )}
      </Show>
    </Card>
  );
}
