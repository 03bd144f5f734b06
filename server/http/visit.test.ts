// Answers share their common headers in memory; nothing of one may reach the next.
import { expect, test } from "bun:test";
import { Visit, type VisitDeps } from "./visit.ts";

function visitOf(plan: "free" | "max", requestId: string): Visit {
  const deps = { clock: { monotonic: () => 0, now: () => 1_000 }, makeId: () => requestId } as unknown as VisitDeps;
  const visit = new Visit(deps, new Request("http://x/"));
  visit.principal = { caller: { plan } } as Visit["principal"];
  visit.verdict = { admitted: true, remaining: 7, resetMs: 0 };
  return visit;
}

test("an answer's own headers win, and stay its own", () => {
  const own = { Location: "/api/v1/things/1", "Content-Type": "text/csv" };
  const first = visitOf("max", "req_1").succeed("{}", 201, own);
  const second = visitOf("max", "req_2").succeed("{}", 200, null);
  expect([first.headers.get("location"), first.headers.get("content-type")]).toEqual([own.Location, "text/csv"]);
  expect([second.headers.get("location"), second.headers.get("content-type")]).toEqual([null, "application/json"]);
  expect([first.headers.get("x-request-id"), second.headers.get("x-request-id")]).toEqual(["req_1", "req_2"]);
});

test("a header that cannot be sent leaves nothing behind", () => {
  expect(() => visitOf("free", "req_3").succeed("{}", 200, { "X-Secret": "mine", "X-Bad": "a\nb" })).toThrow();
  expect(visitOf("free", "req_4").succeed("{}", 200, null).headers.get("x-secret")).toBeNull();
});
