// The console's frame: sign-in, navigation, the mode switch, and one page at a time.
import { render } from "preact";
import { useEffect, useState } from "preact/hooks";
import { loadSessions, mode, type Mode, place, quota, sent, session, sessions, signOut, theme, utc } from "./state.ts";
import { isPaletteOpen, Palette } from "./palette.tsx";
import { SignIn } from "./sign-in.tsx";
import { PAGES } from "./pages.ts";

const THEMES = ["auto", "light", "dark"] as const;

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

function TopBar() {
  const used = quota.value ? `${quota.value.remaining} of ${quota.value.limit} left this minute` : "";
  return (
    <header class="top">
      <a class="brand" href="#/home">
        Action Connector
      </a>
      <ModeSwitch />
      <span class="quiet wide-only" title="Requests of this console count like any other request of the key.">
        {used} · {sent.value.length} sent by this tab
      </span>
      <span class="tools">
        <button type="button" class="small" onClick={() => (isPaletteOpen.value = true)}>
          Search <kbd>Ctrl K</kbd>
        </button>
        <button type="button" class="small" onClick={() => (utc.value = !utc.value)}>
          {utc.value ? "UTC" : "Local time"}
        </button>
        <button
          type="button"
          class="small"
          onClick={() => (theme.value = THEMES[(THEMES.indexOf(theme.value) + 1) % THEMES.length])}
        >
          Theme: {theme.value}
        </button>
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
  return (
    <nav aria-label="Pages">
      {PAGES.map((p) => (
        <a key={p.name} href={`#/${p.name}`} aria-current={place.value.page === p.name ? "page" : undefined}>
          {p.title}
        </a>
      ))}
    </nav>
  );
}

/** Each page is a file of its own, loaded when it is first opened. */
function CurrentPage() {
  const { page, id } = place.value;
  const found = PAGES.find((p) => p.name === page) ?? PAGES[0];
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

function App() {
  return (
    <>
      <button type="button" class="skip" onClick={() => document.getElementById("main")?.focus()}>
        Skip to content
      </button>
      <TopBar />
      {mode.value === "live" && <p class="live-note">Live mode: actions reach the real world.</p>}
      {session.value && <Navigation />}
      <main id="main" tabIndex={-1}>
        {sessions.value === null ? <p class="quiet">Loading…</p> : session.value ? <CurrentPage /> : <SignIn />}
      </main>
      <Palette />
    </>
  );
}

void loadSessions();
render(<App />, document.getElementById("app")!);
