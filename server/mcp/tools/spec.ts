// What describes one tool, and the arguments that several tools share.

export interface ToolArgument {
  /** Where it goes in the REST request: "body.pickup.address", "query.url", "params.id". */
  to: string;
  text: string;
  required?: true;
}

export interface ToolSpec {
  name: string;
  title: string;
  /** The route it calls: `delivery.schedule`. */
  route: string;
  description: string;
  arguments: Record<string, ToolArgument>;
  /** Sent with every call, e.g. `track=false`. */
  fixed?: Record<string, unknown>;
  /** Members of the answer that are shown; of a list, members of each item. Everything when absent. */
  show?: string[];
  /** Members that hold text from outside this service: page titles, feed items, contents. */
  outside?: string[];
  /** The kind of resource the answer can be read as in full, and the member with its id. */
  resource?: { kind: string; id: string };
  readOnly: boolean;
  destructive?: true;
  /** Calling it again with the same arguments changes nothing more. */
  idempotent?: true;
  /** Reaches parties beyond this service. */
  openWorld?: true;
  /** Says that it works while it works. */
  slow?: true;
  /** Asks the person before it acts, where the client can. */
  confirm?: (args: Record<string, unknown>) => string;
}

export const idOf = (what: string): ToolArgument => ({ to: "params.id", text: `Id of the ${what}.`, required: true });
export const TAGS: ToolArgument = { to: "body.tags", text: "Own labels." };

/** The arguments of every list. */
export const PAGE: Record<string, ToolArgument> = {
  limit: { to: "query.limit", text: "At most this many." },
  cursor: { to: "query.cursor", text: "next_cursor of the page before." },
};
