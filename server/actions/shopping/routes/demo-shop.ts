// The demo shop over HTTP: its index and its pages.
import { type Call, type Handler, handle } from "../../../contract/define.ts";
import type { Clock } from "../../../lib/clock.ts";
import { notFound } from "../../../platform/pages.ts";
import { demoPage, demoShop } from "../contract/index.ts";
import type { DemoShop } from "../providers/demo-shop.ts";

export interface DemoShopDeps {
  clock: Clock;
  demo: DemoShop;
}

function showPage({ clock, demo }: DemoShopDeps, call: Call<{ page: string }>): Response {
  const page = demo.render(call.params.page, clock.now());
  if (!page) throw notFound("page");
  return html(page.status, page.html);
}

const html = (status: number, body: string): Response =>
  new Response(body, { status, headers: { "content-type": "text/html; charset=utf-8", "cache-control": "no-store" } });

export const demoShopRoutes = (deps: DemoShopDeps): Handler[] => [
  handle(demoShop, async () => html(200, deps.demo.index())),
  handle(demoPage, async (call) => showPage(deps, call)),
];
