// Shopping: add a product page and see it read; the list of what is tracked.
import { useState } from "preact/hooks";
import { useAction, usePages } from "../../hooks.ts";
import { client, go, mode } from "../../state.ts";
import { Badge, Card, Empty, Field, Problem, Show, Table, Time } from "../../ui.tsx";
import { One, priceOf } from "./one.tsx";

const DEMO = "/demo-shop/kettle";

function Add() {
  const [url, setUrl] = useState("");
  const add = useAction(async () => {
    const tracker = await client.value.shopping.track({ url, wait: 10 });
    if (tracker.id) go("shopping", tracker.id);
  });
  return (
    <Card title="Track a product page" wide>
      <form
        class="inline"
        onSubmit={(e) => {
          e.preventDefault();
          void add.act();
        }}
      >
        <Field label="Address of the page">
          <input name="url" type="url" required value={url} onInput={(e) => setUrl(e.currentTarget.value)} />
        </Field>
        <button type="submit" class="primary" disabled={add.busy}>
          {add.busy ? "Reading the page…" : "Track"}
        </button>
        {mode.value === "test" && (
          <button type="button" onClick={() => setUrl(location.origin + DEMO)}>
            Use the demo shop
          </button>
        )}
      </form>
      {add.busy && (
        <p class="quiet">Asking robots.txt, then the page; the price is looked for in markup, text and scripts.</p>
      )}
      <Problem error={add.error} />
    </Card>
  );
}

function List() {
  const trackers = usePages(
    (api, page) => api.shopping.list(page),
    (t) => t.id ?? t.url,
  );
  return (
    <div class="grid">
      <Add />
      <Card title="Tracked products" wide>
        <Show of={trackers}>
          {({ items }) =>
            items.length === 0 ? (
              <Empty title="No product is tracked yet">
                Paste the address of a product page above. The service reads it now and then, and raises an event when
                the price or the availability changes. A test key reads the demo shop of this service.
              </Empty>
            ) : (
              <Table
                label="Tracked products"
                rows={items}
                onOpen={(t) => t.id && go("shopping", t.id)}
                onEnd={trackers.more}
                columns={[
                  { title: "Product", cell: (t) => t.product?.name ?? t.url, grow: 3 },
                  { title: "Price", cell: priceOf },
                  { title: "Availability", cell: (t) => <Badge of={t.availability.status} />, minor: true },
                  { title: "State", cell: (t) => <Badge of={t.status} /> },
                  { title: "Checked", cell: (t) => <Time at={t.check.last_checked_at} />, grow: 1.4, minor: true },
                ]}
              />
            )
          }
        </Show>
      </Card>
    </div>
  );
}

export default function Shopping({ id }: { id: string | null }) {
  return (
    <>
      <h1>Shopping</h1>
      {id ? <One id={id} key={id} /> : <List />}
    </>
  );
}
