// In: a section that is drawn. Out: its figures with a name that can be linked to, and a menu with
// the link and what can be saved.
import { linkTo } from "./address";
import { h } from "./dom";
import { exportsOf } from "./export";

const slug = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9_]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 50) || "figure";

/** Names every figure below a section; drawing the same again gives the same names. */
export function nameFigures(section: HTMLElement): void {
  const taken = new Map<string, number>();
  for (const figure of section.querySelectorAll<HTMLElement>("figure.panel")) {
    const title = figure.querySelector("h3")?.textContent ?? "figure";
    const name = `${section.id}-${slug(figure.dataset.name ?? title)}`;
    const use = (taken.get(name) ?? 0) + 1;
    taken.set(name, use);
    figure.id = use > 1 ? `${name}-${use}` : name;
    if (!figure.querySelector(":scope > .tools")) figure.prepend(tools(figure, title));
  }
}

function tools(figure: HTMLElement, title: string): HTMLElement {
  const menu = h("div", { class: "menu" });
  const fill = () => {
    const status = h("span", { role: "status" });
    const copied = () => {
      status.textContent = "copied";
    };
    const link = h(
      "a",
      {
        href: linkTo(figure.id),
        onclick: () => {
          link.href = linkTo(figure.id); // with what was chosen since
          const whole = new URL(link.href, location.href).href;
          navigator.clipboard?.writeText(whole).then(copied, () => {});
        },
      },
      "Link",
    );
    const save = exportsOf(figure).map((e) =>
      h("button", { type: "button", onclick: () => void e.run(figure) }, e.text),
    );
    menu.replaceChildren(link, ...save, status);
  };
  return h(
    "details",
    { class: "tools", ontoggle: fill },
    h(
      "summary",
      { title: "Link and downloads" },
      h("span", { class: "unseen" }, `Link to and save: ${title}`),
      "⤓",
    ),
    menu,
  );
}
