// The command palette: Ctrl+K, then a few letters, then Enter.
import { signal } from "@preact/signals";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { PAGES } from "./pages.ts";
import { go, isOperator, mode, signOut, theme, zone } from "./state.ts";

export const isPaletteOpen = signal(false);

interface Command {
  title: string;
  operator?: true;
  run(): void;
}

const OBJECT_PAGES: [prefix: RegExp, page: string][] = [
  [/^dlv_/, "delivery"],
  [/^trk_/, "shopping"],
  [/^alt_/, "alerts"],
  [/^ana_/, "detector"],
  [/^req_/, "platform/requests"],
];

const COMMANDS: Command[] = [
  ...PAGES.map((p) => ({ title: `Open ${p.title}`, operator: p.operator, run: () => go(p.name) })),
  { title: "Schedule a delivery", run: () => go("delivery", "new") },
  { title: "Open the fleet board", run: () => go("delivery", "board") },
  { title: "Open the request log", run: () => go("platform", "requests") },
  { title: "Open webhooks", run: () => go("platform", "webhooks") },
  { title: "Open keys", run: () => go("platform", "keys") },
  { title: "Open the audit log", run: () => go("platform", "audit") },
  { title: "Connect an agent (MCP)", run: () => go("platform", "mcp") },
  { title: "Switch to test mode", run: () => void (mode.value = "test") },
  { title: "Switch to live mode", run: () => void (mode.value = "live") },
  { title: "Light theme", run: () => void (theme.value = "light") },
  { title: "Dark theme", run: () => void (theme.value = "dark") },
  { title: "Show times in UTC", run: () => void (zone.value = "UTC") },
  { title: "Show times in local time", run: () => void (zone.value = "local") },
  { title: "Open the API documentation", run: () => void open("/docs", "_blank", "noopener") },
  { title: "Sign out", run: () => void signOut() },
];

window.addEventListener("keydown", (e: KeyboardEvent) => {
  if (e.key.toLowerCase() !== "k" || !(e.ctrlKey || e.metaKey)) return;
  e.preventDefault();
  isPaletteOpen.value = !isPaletteOpen.value;
});

/** Commands whose words begin like the words typed; an id leads to its page. */
function find(text: string): Command[] {
  const object = OBJECT_PAGES.find(([prefix]) => prefix.test(text.trim()));
  if (object) return [{ title: `Open ${text.trim()}`, run: () => go(object[1], text.trim()) }];
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return COMMANDS.filter(
    (c) => (!c.operator || isOperator.value) && words.every((w) => c.title.toLowerCase().includes(w)),
  );
}

export function Palette() {
  const dialog = useRef<HTMLDialogElement>(null);
  const [text, setText] = useState("");
  const [chosen, setChosen] = useState(0);
  const found = find(text);
  useLayoutEffect(() => {
    setText("");
    setChosen(0);
    if (isPaletteOpen.value) dialog.current?.showModal();
    else dialog.current?.close();
  }, [isPaletteOpen.value]);
  const run = (command: Command | undefined) => {
    isPaletteOpen.value = false;
    command?.run();
  };
  const onKeyDown = (e: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[e.key];
    if (step) setChosen((n) => Math.max(0, Math.min(found.length - 1, n + step)));
    else if (e.key === "Enter") run(found[chosen]);
    else return;
    e.preventDefault();
  };
  return (
    <dialog ref={dialog} class="palette" aria-label="Commands" onClose={() => (isPaletteOpen.value = false)}>
      <input
        aria-label="Command or id"
        placeholder="A command, a page, an id"
        value={text}
        onInput={(e) => {
          setText(e.currentTarget.value);
          setChosen(0);
        }}
        onKeyDown={onKeyDown}
      />
      <ul>
        {found.map((c, i) => (
          <li key={c.title}>
            <button type="button" aria-current={i === chosen ? "true" : undefined} onClick={() => run(c)}>
              {c.title}
            </button>
          </li>
        ))}
        {found.length === 0 && <li class="quiet">No command of that name.</li>}
      </ul>
    </dialog>
  );
}
