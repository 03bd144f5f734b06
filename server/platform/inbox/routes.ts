// GET and DELETE /sandbox/inbox, and the job that forgets old messages.
import { type Call, handle } from "../../contract/define.ts";
import { DAY_MS } from "../../lib/time.ts";
import { toIso } from "../../store/db.ts";
import { transact } from "../idempotency/index.ts";
import { readPage } from "../pages.ts";
import type { Module, Platform } from "../platform.ts";
import { retentionNow } from "../retention/index.ts";
import { clearInbox, listInbox } from "./contract.ts";
import { clearMessages, forgetMessages, type InboxRow, listMessages } from "./store.ts";

export function createInbox(platform: Platform, retentionDays: number): Module {
  const { db, cursors } = platform;

  function list(call: Call) {
    const { tenantId } = call.caller;
    const channel: string | null = call.query.channel ?? null;
    return readPage({
      cursors,
      list: `inbox ${tenantId} ${channel}`,
      query: call.query,
      read: (before, count) => listMessages(db, { tenantId, channel, before, count }),
      position: (row) => row.seq,
      view,
    });
  }

  const clear = (call: Call) =>
    transact(db, call, async (tx) => ({ removed: await clearMessages(tx, call.caller.tenantId) }));

  return {
    handlers: [handle(listInbox, list), handle(clearInbox, clear)],
    jobs: [
      {
        name: "sandbox.forget",
        cron: "37 * * * *",
        run: async () => forgetMessages(db, (await retentionNow(platform, "sandbox.forget")) - retentionDays * DAY_MS),
      },
    ],
  };
}

function view({ id, channel, recipient, content, createdMs }: InboxRow) {
  return { id, channel, recipient, content, created_at: toIso(createdMs) };
}
