// SIGTERM: what is in flight is finished and kept, new connections are refused, the process ends with 0.
import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { makeDataFolder, removeDataFolder, startConnector } from "../connector.ts";

test("a request that is half sent when the stop comes is still answered and stored", async () => {
  const folder = makeDataFolder();
  const service = await startConnector(folder);
  const port = Number(new URL(service.url).port);
  const time = new Date(Date.now() + 3_600_000).toISOString();
  const order = { pickup: { address: "Boston, MA", time }, dropoff: { address: "Salem, MA" } };
  const body = JSON.stringify(order);
  const head = `POST /v1/delivery/schedule HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${service.key}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`;
  // The gazetteer is opened by the first order; a stop should not wait for that.
  await fetch(`${service.url}/v1/delivery/schedule`, {
    method: "POST",
    headers: { Authorization: `Bearer ${service.key}`, "Content-Type": "application/json" },
    body,
  });
  const socket = connect(port, "127.0.0.1");
  const answered = new Promise<string>((done, fail) => {
    let text = "";
    socket.on("data", (chunk) => {
      text += chunk.toString();
      if (text.includes('"delivery_id"')) done(text);
    });
    socket.on("error", fail);
    socket.on("close", () => fail(new Error(`closed after "${text}"`)));
  });
  await new Promise<void>((sent) => socket.write(head + body.slice(0, 20), () => sent()));
  // A request that was answered after the half one shows that the half one has been read.
  await fetch(`${service.url}/health/live`);
  const stopped = service.stop();
  // As Ctrl-C under npm does: the signal comes twice, and the second must not cut the first short.
  process.kill(service.pid, "SIGTERM");
  let refused = false;
  while (!refused)
    refused = await fetch(`${service.url}/health/live`).then(
      () => false,
      () => true,
    );
  socket.write(body.slice(20));
  const id = /"delivery_id":"(dlv_\w+)"/.exec(await answered)![1];
  socket.end();
  expect(await stopped).toBe(0);
  expect(existsSync(join(folder, "postgres", "postmaster.pid"))).toBe(false);
  const again = await startConnector(folder);
  const read = await fetch(`${again.url}/v1/delivery/${id}`, { headers: { Authorization: `Bearer ${again.key}` } });
  expect(read.status).toBe(200);
  expect(await again.stop()).toBe(0);
  removeDataFolder(folder);
}, 120_000);
