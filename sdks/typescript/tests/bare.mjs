// Runs the bundled package in a context that has only what browsers and Workers have: no process, no require, no Buffer.
// Then once more without a global crypto, as in Node 18.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import vm from "node:vm";

const folder = dirname(createRequire(join(process.cwd(), "x.js")).resolve("action-connector/package.json"));
const load = (name) => readFileSync(join(folder, "dist/cjs", name), "utf8");

const answers = [];
const fetchOnce = async (url, init) => {
  answers.push({ url, agent: init.headers.get("user-agent"), key: init.headers.get("idempotency-key") });
  return new Response(JSON.stringify({ success: true, data: { delivery_id: "dlv_1" } }));
};

const web = {
  fetch: fetchOnce,
  Response,
  Headers,
  URL,
  AbortController,
  TextEncoder,
  TextDecoder,
  setTimeout,
  clearTimeout,
  atob,
  crypto,
  console,
};

function loadInto(context) {
  const modules = new Map();
  const require = (from) => (name) => {
    const path = join(dirname(from), name);
    if (!modules.has(path)) {
      const module = { exports: {} };
      modules.set(path, module);
      vm.runInContext(`(function (exports, module, require) {${load(path)}\n})`, context)(
        module.exports,
        module,
        require(path),
      );
    }
    return modules.get(path).exports;
  };
  return require("index.js")("./index.js");
}

async function callOnce(globals) {
  const context = vm.createContext(globals);
  context.globalThis = context;
  const { ActionConnector } = loadInto(context);
  const client = new ActionConnector({ apiKey: "acn_test_x", baseUrl: "https://x.example" });
  const delivery = await client.delivery.schedule({
    pickup: { address: "a b c", time: "t" },
    dropoff: { address: "d e f" },
  });
  const { url, key } = answers.at(-1);
  if (
    delivery.delivery_id !== "dlv_1" ||
    url !== "https://x.example/api/v1/delivery/schedule" ||
    !/^[0-9a-f-]{36}$/.test(key)
  )
    throw new Error(JSON.stringify(answers.at(-1)));
}

await callOnce({ ...web });
await callOnce({ ...web, document: {} });
if (answers[1].agent !== null) throw new Error("A browser must not be asked to set User-Agent.");

delete globalThis.crypto;
const { ActionConnector } = createRequire(join(process.cwd(), "x.js"))("action-connector");
const client = new ActionConnector({ apiKey: "acn_test_x", baseUrl: "https://x.example", fetch: fetchOnce });
await client.delivery.schedule({ pickup: { address: "a b c", time: "t" }, dropoff: { address: "d e f" } });
if (!/^[0-9a-f-]{36}$/.test(answers.at(-1).key)) throw new Error("No idempotency key without a global crypto.");
