// In: tag names, attributes and children. Out: elements.
// Text always becomes a text node, never markup: ids in a report come from strangers' files.

export type Child = Node | string | number | null | undefined | false | Child[];
export type Attributes = Record<
  string,
  string | number | boolean | null | undefined | ((event: Event) => void)
>;

/** Creates an element; `on...` attributes that are functions become listeners. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value != null) element.setAttribute(name, String(value));
  }
  append(element, children);
  return element;
}

export function append(parent: Node, children: Child[]): void {
  for (const child of children) {
    if (Array.isArray(child)) append(parent, child);
    else if (child instanceof Node) parent.appendChild(child);
    else if (child !== null && child !== undefined && child !== false)
      parent.appendChild(document.createTextNode(String(child)));
  }
}

/** An id as it came: isolated from the direction of the text around it, cut by the style alone. */
export function idText(id: string): HTMLElement {
  return h("bdi", { class: "id", title: shorten(id, 300) }, id);
}

const kTurners = /[\u202a-\u202e\u2066-\u2069]/g; // would turn round the text after an id

/** For ids inside sentences, plots and options, where no style can cut or isolate them. */
export function shorten(text: string, length = 32): string {
  const letters = Array.from(text.slice(0, 2 * length + 2).replace(kTurners, "\ufffd"));
  return letters.length <= length ? letters.join("") : letters.slice(0, length - 1).join("") + "…";
}

/** The same for names side by side: those that would look alike once cut keep their ends, too. */
export function shortenAll(texts: string[], length: number): string[] {
  const cut = texts.map((text) => shorten(text, length));
  return cut.map((short, n) => {
    const text = texts[n] ?? "";
    if (short === text || !cut.some((other, m) => other === short && texts[m] !== text))
      return short;
    const end = Math.floor(length / 2);
    return shorten(text, length - end) + shorten(Array.from(text).slice(-end).join(""), end);
  });
}

/** A choice among a few: a labelled drop-down list. */
export function choice<T>(
  label: string,
  options: { value: T; text: string }[],
  chosen: T,
  changed: (value: T) => void,
): HTMLLabelElement {
  const select = h(
    "select",
    { onchange: () => changed(options[select.selectedIndex]!.value) },
    options.map((o) => h("option", { selected: o.value === chosen }, shorten(o.text, 48))),
  );
  return h("label", { class: "choice" }, h("span", {}, label), select);
}

/** A message in the place of something that cannot be shown, with the reason. */
export function notice(...children: Child[]): HTMLElement {
  return h("p", { class: "notice", role: "note" }, ...children);
}
