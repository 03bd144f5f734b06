// The console's frame: sign-in, navigation, the mode switch, and one page at a time.
import { render } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Icon } from "./icons.tsx";
import { PAGES } from "./pages.ts";
import { isPaletteOpen, Palette } from "./palette.tsx";
import { SignIn } from "./sign-in.tsx";
import {
  isOperator,
  loadSessions,
  mode,
  type Mode,
  place,
  quota,
  sent,
  session,
  sessions,
  signOut,
  theme,
  zone,
} from "./state.ts";

const THEMES = ["auto", "light", "dark"] as const;
const ZONES = [
  "UTC",
  "America/Los_Angeles",
  "America/New_York",
  "Europe/London",
  "Europe/Berlin",
  "Asia/Kolkata",
  "Asia/Tokyo",
  "Australia/Sydney",
];

const shownPages = () => PAGES.filter((p) => !p.operator || isOperator.value);

function ModeSwitch() {
  const choose = (to: Mode) => () => {
    mode.value = to;
  };
  return (
    <fieldset class="mode" aria-label="Mode">
      {(["test", "live"] as const).map((m) => (
        <button type="button" key={m} class={m} aria-pressed={mode.value === m} onClick={choose(m)}>
          {m}
        </button>
      ))}
    </fieldset>
  );
}

function ZoneChoice() {
  const local = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return (
    <select
      class="small"
      aria-label="Time zone"
      value={zone.value}
      onChange={(e) => {
        zone.value = e.currentTarget.value;
      }}
    >
      <option value="local">Local time ({local})</option>
      {ZONES.map((name) => (
        <option key={name} value={name}>
          {name.replace("_", " ")}
        </option>
      ))}
    </select>
  );
}

function ThemeChoice() {
  const next = () => {
    theme.value = THEMES[(THEMES.indexOf(theme.value) + 1) % THEMES.length];
  };
  return (
    <button type="button" class="small" title="Change the theme" onClick={next}>
      {theme.value} theme
    </button>
  );
}

function TopBar() {
  const left = quota.value && `${quota.value.remaining.toLocaleString()} of ${quota.value.limit.toLocaleString()} left`;
  return (
    <header class="top">
      <a class="brand" href="#/home">
        <span class="logo" aria-hidden="true" /> Action Connector
      </a>
      <ModeSwitch />
      {session.value && (
        <button type="button" class="search" onClick={() => (isPaletteOpen.value = true)}>
          <span>Search</span> <kbd>Ctrl K</kbd>
        </button>
      )}
      <span class="tools">
        {left && (
          <span
            class="quiet wide-only"
            title={`${sent.value.length} sent by this tab. They count like any other request.`}
          >
            {left}
          </span>
        )}
        <ZoneChoice />
        <ThemeChoice />
        {session.value && (
          <button type="button" class="small" onClick={() => void signOut()}>
            Sign out
          </button>
        )}
      </span>
    </header>
  );
}

function Navigation() {
  const { account, plan, key } = session.value!;
  const { page } = place.value;
  // On a phone the strip of pages is wider than the screen.
  useEffect(() => {
    document.querySelector(".side [aria-current]")?.scrollIntoView({ inline: "center", block: "nearest" });
  }, [page]);
  return (
    <aside class="side">
      <nav aria-label="Pages">
        {shownPages().map((p) => (
          <a key={p.name} href={`#/${p.name}`} aria-current={page === p.name ? "page" : undefined}>
            <Icon name={p.name} /> {p.title}
          </a>
        ))}
      </nav>
      <div class="who wide-only">
        <strong>{account}</strong>
        <span class="quiet">
          plan {plan} · {key.name}
        </span>
        <a href="/docs">Documentation</a>
      </div>
    </aside>
  );
}

/** Each page is a file of its own, loaded when it is first opened. */
function CurrentPage() {
  const { page, id } = place.value;
  const pages = shownPages();
  const found = pages.find((p) => p.name === page) ?? pages[0];
  const [loaded, setLoaded] = useState<{ name: string; Page: any } | null>(null);
  useEffect(() => {
    let current = true;
    document.title = `${found.title} · Action Connector`;
    void found.load().then((module) => current && setLoaded({ name: found.name, Page: module.default }));
    return () => {
      current = false;
    };
  }, [found.name]);
  if (loaded?.name !== found.name) return <p class="quiet">Loading…</p>;
  // Another mode is another account's data: nothing of the old one stays on the page.
  return <loaded.Page key={mode.value} id={id} />;
}

function Main() {
  return (
    <main id="main" tabIndex={-1}>
      {mode.value === "live" && session.value && <p class="live-note">Live mode: actions reach the real world.</p>}
      {sessions.value === null ? <p class="quiet">Loading…</p> : session.value ? <CurrentPage /> : <SignIn />}
    </main>
  );
}

function App() {
  return (
    <>
      <button type="button" class="skip" onClick={() => document.getElementById("main")?.focus()}>
        Skip to content
      </button>
      <TopBar />
      <div class={session.value ? "frame" : ""}>
        {session.value && <Navigation />}
        <Main />
      </div>
      <Palette />
    </>
  );
}

void loadSessions();
render(<App />, document.getElementById("app")!);
