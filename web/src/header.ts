// In: the view and the sections. Out: the bar that stays on top: navigation, data set, methods.
import { choice, h, idText, shorten } from "./dom";
import { glyph } from "./plots/frame";
import type { Section } from "./section";
import { themeButton } from "./theme";
import { kMaxShown } from "./palette";
import type { Shown, View } from "./view";

export function header(view: View, sections: Section[]): HTMLElement {
  const links = sections.map((s) => h("a", { href: `#${s.id}` }, s.title));
  followScrolling(sections, links);
  const controls = h("div", { class: "controls" });
  const fill = () => controls.replaceChildren(...[dataSetChoice(view), methods(view)].filter((e) => e !== null));
  fill();
  return h(
    "header",
    { class: "bar" },
    h("a", { class: "skip", href: "#content" }, "Skip to the report"),
    h("div", { class: "top" },
      h("span", { class: "brand" }, "evenkeel"),
      h("nav", { "aria-label": "Sections" }, links),
      themeButton()),
    controls,
  );
}

function dataSetChoice(view: View): HTMLElement | null {
  const sets = view.report.data_sets;
  if (sets.length < 2) return null;
  const changed = (value: (typeof sets)[number]) => view.chooseSet(value);
  const field = choice("Data set", sets.map((value) => ({ value, text: value.name })), view.set, changed);
  view.onChange(() => refill(field, view));
  return field;
}

/** Another data set has other methods; the list itself stays, and with it the focus. */
function refill(field: HTMLElement, view: View): void {
  const list = field.parentElement?.querySelector(".methods");
  if (list && list.getAttribute("data-set") !== view.set.name) list.replaceWith(methods(view)!);
}

function methods(view: View): HTMLElement | null {
  if (!view.set) return null;
  const attributes = { class: "methods", role: "group", "aria-label": "Methods shown", "data-set": view.set.name };
  return h("div", attributes, view.many ? picker(view) : view.methods.map((m) => chip(view, m)));
}

function chip(view: View, method: Shown): HTMLElement {
  const button = h("button",
    { type: "button", class: "chip", title: shorten(method.label, 300), onclick: () => view.toggle(method) },
    glyph(method.color, method.symbol.glyph), idText(method.label));
  const show = () => button.setAttribute("aria-pressed", String(view.isShown(method)));
  view.onChange(show);
  show();
  return button;
}

/** Too many methods for a colour each: a list with a search field, a few ticked. */
function picker(view: View): HTMLElement {
  const found = h("div", { class: "found" });
  const summary = h("summary", {});
  const search = h("input", { type: "search", placeholder: "Search methods", "aria-label": "Search methods",
    oninput: () => list() });
  function list(): void {
    const wanted = search.value.toLowerCase();
    const hits = view.methods.filter((m) => m.label.toLowerCase().includes(wanted));
    found.replaceChildren(...hits.map((m) => tick(view, m)));
  }
  const show = () => {
    summary.textContent =
      `${view.shown.length} of ${view.methods.length} methods shown (at most ${kMaxShown}): choose`;
  };
  view.onChange(show);
  show();
  list();
  return h("details", { class: "picker" }, summary, search, found);
}

function tick(view: View, method: Shown): HTMLElement {
  const box = h("input", { type: "checkbox", onchange: () => view.toggle(method) });
  const sign = h("span", {});
  const show = () => {
    box.checked = view.isShown(method);
    box.disabled = !box.checked && view.full;
    sign.replaceChildren(glyph(method.color, method.symbol.glyph));
  };
  view.onChange(show);
  show();
  return h("label", {}, box, sign, idText(method.label));
}

function followScrolling(sections: Section[], links: HTMLElement[]): void {
  const mark = () => {
    const tops = sections.map((s) => document.getElementById(s.id)?.getBoundingClientRect().top ?? 1e9);
    const current = Math.max(0, tops.findLastIndex((top) => top < innerHeight / 3));
    links.forEach((link, i) => {
      if (i === current) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
    });
  };
  addEventListener("scroll", mark, { passive: true });
  setTimeout(mark);
}
