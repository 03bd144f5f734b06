// Signing in: a key is sent once and comes back as a cookie that no script can read.
import { useState } from "preact/hooks";
import { useAction } from "./hooks.ts";
import { mode, sessions, signIn } from "./state.ts";
import { Field, Problem } from "./ui.tsx";

export function SignIn() {
  const [key, setKey] = useState("");
  const { act, busy, error } = useAction(async () => signIn(key));
  const other = sessions.value?.length ? `You are signed in for ${sessions.value[0].mode} mode only.` : "";
  return (
    <form
      class="card sign-in"
      onSubmit={(e) => {
        e.preventDefault();
        void act();
      }}
    >
      <h1>Sign in with a key</h1>
      <p>
        {other} The key of the first account is printed when the service starts for the first time. A test key changes
        nothing in the world.
      </p>
      <Field label={`API key for ${mode.value} mode`} note="Kept sealed in a cookie of this browser for 12 hours.">
        <input
          name="key"
          type="password"
          autocomplete="off"
          required
          value={key}
          onInput={(e) => setKey(e.currentTarget.value)}
        />
      </Field>
      <Problem error={error} />
      <button type="submit" class="primary" disabled={busy}>
        Sign in
      </button>
    </form>
  );
}
