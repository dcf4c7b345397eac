// In: the view and the sections. Out: the bar that stays on top: navigation, data set, methods.
import { choice, h, idText, shorten } from "./dom";
import { sign } from "./plots/frame";
import type { Section } from "./section";
import { themeButton } from "./theme";
import { kMaxShown } from "./palette";
import type { Shown, View } from "./view";

/** A part of the bar that follows the view without being built anew: it may hold the focus. */
interface Control {
  element: HTMLElement;
  update(): void;
}

export function header(view: View, sections: Section[]): HTMLElement {
  const links = sections.map((s) => h("a", { href: `#${s.id}` }, s.title));
  followScrolling(sections, links);
  return h(
    "header",
    { class: "bar" },
    h("a", { class: "skip", href: "#content" }, "Skip to the report"),
    h(
      "div",
      { class: "top" },
      h("span", { class: "brand" }, "evenkeel"),
      h("nav", { "aria-label": "Sections" }, links),
      themeButton(),
    ),
    view.set ? controls(view) : null,
  );
}

function controls(view: View): HTMLElement {
  let set = view.set;
  let list = methods(view);
  view.onChange(() => {
    if (set === view.set) return list.update();
    set = view.set; // another data set has other methods
    const fresh = methods(view);
    list.element.replaceWith(fresh.element);
    list = fresh;
  });
  return h("div", { class: "controls" }, dataSetChoice(view), list.element);
}

function dataSetChoice(view: View): HTMLElement | null {
  const sets = view.report.data_sets;
  if (sets.length < 2) return null;
  return choice(
    "Data set",
    sets.map((value) => ({ value, text: value.name })),
    view.set,
    (value) => view.chooseSet(value),
  );
}

function methods(view: View): Control {
  const inner = view.many ? [picker(view)] : view.methods.map((m) => chip(view, m));
  return {
    element: h(
      "div",
      { class: "methods", role: "group", "aria-label": "Methods shown" },
      inner.map((c) => c.element),
    ),
    update: () => inner.forEach((c) => c.update()),
  };
}

function chip(view: View, method: Shown): Control {
  const element = h(
    "button",
    {
      type: "button",
      class: "chip",
      title: shorten(method.label, 300),
      onclick: () => view.toggle(method),
    },
    sign(method),
    idText(method.label),
  );
  const update = () => element.setAttribute("aria-pressed", String(view.isShown(method)));
  update();
  return { element, update };
}

/** Too many methods for a colour each: a list with a search field, a few ticked. */
function picker(view: View): Control {
  const found = h("div", { class: "found" });
  const summary = h("summary", {});
  const search = h("input", {
    type: "search",
    placeholder: "Search methods",
    "aria-label": "Search methods",
    oninput: () => list(),
  });
  let ticks: Control[] = [];
  const list = () => {
    const wanted = search.value.toLowerCase();
    ticks = view.methods
      .filter((m) => m.label.toLowerCase().includes(wanted))
      .map((m) => tick(view, m));
    found.replaceChildren(...ticks.map((t) => t.element));
  };
  const update = () => {
    summary.textContent =
      `${view.shown.length} of ${view.methods.length} methods shown (at most ` +
      `${kMaxShown}): choose`;
    for (const t of ticks) t.update();
  };
  list();
  update();
  return { element: h("details", { class: "picker" }, summary, search, found), update };
}

function tick(view: View, method: Shown): Control {
  const box = h("input", { type: "checkbox", onchange: () => view.toggle(method) });
  const mark = h("span", {});
  const update = () => {
    box.checked = view.isShown(method);
    box.disabled = !box.checked && view.full;
    mark.replaceChildren(sign(method));
  };
  update();
  return { element: h("label", {}, box, mark, idText(method.label)), update };
}

function followScrolling(sections: Section[], links: HTMLElement[]): void {
  const mark = () => {
    const tops = sections.map(
      (s) => document.getElementById(s.id)?.getBoundingClientRect().top ?? 1e9,
    );
    const current = Math.max(
      0,
      tops.findLastIndex((top) => top < innerHeight / 3),
    );
    links.forEach((link, i) => {
      if (i === current) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
    });
  };
  addEventListener("scroll", mark, { passive: true });
  setTimeout(mark);
}
