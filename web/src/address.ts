// In: what stands after '#' in the address: "section-or-figure?choice=value&...". Out: the same in
// parts, kept up to date, so that a link leads to the place and the choices of whoever sends it.

interface Address {
  anchor: string;
  choices: Map<string, string>;
}

function read(): Address {
  const text = location.hash.slice(1);
  const cut = text.indexOf("?");
  const anchor = cut < 0 ? text : text.slice(0, cut);
  const choices = new URLSearchParams(cut < 0 ? "" : text.slice(cut + 1));
  return { anchor: decode(anchor), choices: new Map(choices) };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // a lone per cent sign
  }
}

let current = read();
addEventListener("hashchange", () => {
  const { anchor, choices } = read();
  // A plain link of the page names a place alone: the choices stay.
  const same = [...choices].every(([key, value]) => current.choices.get(key) === value);
  if (!same || (choices.size > 0 && choices.size < current.choices.size)) location.reload();
  current = { anchor, choices: current.choices };
  write();
});

function write(): void {
  const choices = new URLSearchParams([...current.choices]).toString();
  const hash = encodeURIComponent(current.anchor) + (choices && `?${choices}`);
  try {
    history.replaceState(history.state, "", hash ? `#${hash}` : location.href.split("#")[0]);
  } catch {
    // some viewers of local files allow no address of one's own
  }
}

export const anchor = (): string => current.anchor;
export const choices = (): Map<string, string> => new Map(current.choices);
export const chosen = (key: string): string | undefined => current.choices.get(key);

/** Nothing stands for the value that the page has by itself. */
export function choose(key: string, value: string | undefined): void {
  if (chosen(key) === value) return;
  if (value === undefined) current.choices.delete(key);
  else current.choices.set(key, value);
  write();
}

/** Another data set: its choices alone. */
export function chooseAll(choices: Map<string, string>): void {
  current.choices = choices;
  write();
}

/** The address of a place with all choices made so far. */
export function linkTo(place: string): string {
  const choices = new URLSearchParams([...current.choices]).toString();
  return `#${encodeURIComponent(place)}${choices && `?${choices}`}`;
}
