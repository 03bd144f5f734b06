// Where the price was found, on the page's own text; another candidate is chosen by a click.
import type { Static } from "typebox";
import type { Tracked } from "../../../../server/actions/shopping/contract/answers.ts";
import { Card, Problem } from "../../ui.tsx";

export type Found = Static<typeof Tracked>;
type Candidate = NonNullable<Found["check"]["candidates"]>[number];

/** The text around a price, with the price marked. */
function Passage({ candidate: { context, text, amount } }: { candidate: Candidate }) {
  if (!context) return <span class="quiet">Not shown to readers: it stands in the markup or in scripts.</span>;
  const at = text ? context.indexOf(text) : -1;
  if (at < 0) return <span>{context}</span>;
  return (
    <span>
      {context.slice(0, at)}
      <mark title={amount}>{text}</mark>
      {context.slice(at + text!.length)}
    </span>
  );
}

const share = (score: number) => `${Math.round(score * 100)} %`;

export interface WhereProps {
  found: Found;
  busy: boolean;
  error: unknown;
  /** Null goes back to what the service finds by itself. */
  onCorrect(selector: string | null): void;
}

export function Where({ found, busy, error, onCorrect }: WhereProps) {
  const { check, price, settings } = found;
  const isChosen = (c: Candidate) => price !== null && Number(c.amount) === Number(price.amount);
  return (
    <Card title="Where this price was found">
      <p>
        Found by <strong>{check.method?.replaceAll("+", ", ") ?? "—"}</strong>
        {check.confidence !== null && `, confidence ${Math.round(check.confidence * 100)} %`}.
      </p>
      <p class="quiet">Is it the wrong one? Choose what the price is:</p>
      {(check.candidates ?? []).map((c) => (
        <button
          type="button"
          class="choice"
          key={c.method + c.amount}
          aria-pressed={isChosen(c)}
          disabled={busy || (c.selector === null && !isChosen(c))}
          onClick={() => !isChosen(c) && onCorrect(c.selector)}
        >
          <strong>
            {c.amount} {c.currency}
          </strong>{" "}
          <span class="quiet">
            {c.method.replaceAll("+", ", ")} · {share(c.score)}
          </span>
          <br />
          <Passage candidate={c} />
        </button>
      ))}
      {settings.selector && (
        <p>
          Corrected: read from <code>{settings.selector}</code>.{" "}
          <button type="button" class="small" disabled={busy} onClick={() => onCorrect(null)}>
            Undo
          </button>
        </p>
      )}
      <Problem error={error} />
    </Card>
  );
}
