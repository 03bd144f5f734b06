// Elements without a framework: element("button", { onclick }, "Text").

type Child = Node | string | null | false;

export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  properties: Partial<HTMLElementTagNameMap[K]> & Record<string, unknown> = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children.filter((child): child is Node | string => child !== null && child !== false));
  return made;
}

/** The wall clock of a tap. */
export const timeOf = (event: Event): string => new Date(performance.timeOrigin + event.timeStamp).toISOString();
