// MCP: how an agent is connected, for each way agents are set up.
import { useState } from "preact/hooks";
import { Card, Copy } from "../../ui.tsx";

const endpoint = () => `${location.origin}/mcp`;

const SETUPS: Record<string, () => string> = {
  "Settings file": () =>
    JSON.stringify(
      {
        mcpServers: {
          "action-connector": {
            type: "http",
            url: endpoint(),
            headers: { Authorization: "Bearer YOUR_KEY" },
          },
        },
      },
      null,
      2,
    ),
  "Over stdio": () =>
    JSON.stringify(
      {
        mcpServers: {
          "action-connector": {
            command: "npx",
            args: ["connector", "mcp", "--url", location.origin, "--key", "YOUR_KEY"],
          },
        },
      },
      null,
      2,
    ),
  "Ask it yourself": () => `curl ${endpoint()} \\
  -H "Authorization: Bearer $ACTION_CONNECTOR_API_KEY" \\
  -H 'Content-Type: application/json' \\
  -H 'Accept: application/json, text/event-stream' \\
  -d '{"jsonrpc":"2.0","id":1,"method":"tools/list"}'`,
};

export function Mcp() {
  const [chosen, setChosen] = useState("Settings file");
  const text = SETUPS[chosen]();
  return (
    <>
      <Card title="Connect an agent" wide side={<Copy text={text} />}>
        <p>
          Agents reach every action at <code>{endpoint()}</code>. A tool call is one request of its key: the same
          scopes, quota and audit log, and it appears in the request log.
        </p>
        <div class="buttons">
          {Object.keys(SETUPS).map((name) => (
            <button
              type="button"
              class="small"
              key={name}
              aria-pressed={name === chosen}
              onClick={() => setChosen(name)}
            >
              {name}
            </button>
          ))}
        </div>
        <pre tabIndex={0}>{text}</pre>
      </Card>
      <Card title="Before you do" wide>
        <ul>
          <li>
            Give the agent <a href="#/platform/keys">a key of its own</a>, with only the scopes it needs.
          </li>
          <li>Begin with a test key: the same tools act on simulated couriers, shops and markets.</li>
          <li>
            Revoke the key to stop the agent at once, open streams included. <a href="/docs/mcp">Read the guide</a>.
          </li>
        </ul>
      </Card>
    </>
  );
}
