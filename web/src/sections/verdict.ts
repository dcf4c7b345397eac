// In: the view. Out: what a reader takes away in ten seconds: a sentence, three large figures, one
// line on the catalogue.
import type { VerdictFigure } from "../data";
import { h, type Child } from "../dom";
import { glued } from "../format";
import type { View } from "../view";

export function verdict(view: View): Child {
  const said = view.set?.verdict;
  if (!said) return null;
  return h(
    "div",
    { class: "verdict", id: "summary-verdict" },
    h("p", { class: "sentence" }, glued(said.sentence)),
    h("dl", { class: "big" }, said.figures.map(big)),
    said.catalogue ? h("p", { class: "catalogue" }, glued(said.catalogue)) : null,
    merged(view),
  );
}

function big({ value, label, note }: VerdictFigure): HTMLElement {
  return h(
    "div",
    {},
    h("dt", {}, label),
    h("dd", {}, value),
    h("dd", { class: "note" }, glued(note)),
  );
}

function merged(view: View): Child {
  const { merged_tests: tests } = view.set;
  if (tests.length === 0) return null;
  const one = (t: (typeof tests)[number]) => `${t.name} holds the same pairs as ${t.same_as}`;
  return h("p", { class: "small" }, `${tests.map(one).join("; ")}: shown once.`);
}
