// In: runs with margins. Out: the training pairs that popularity explains least, and how their rank
// moved against softmax.
import type { HardPair, ItemTable } from "../data";
import { h, idText, notice, type Child } from "../dom";
import { count, fixed, isNumber } from "../format";
import { groupName } from "../palette";
import { namedPanel } from "../plots/frame";
import { table } from "../table";
import type { View } from "../view";
import { itemName } from "./items";

const badge = (group: string) => h("span", { class: `badge ${group}` }, group);

export function hardExamples(view: View): Child[] {
  return view.shown.flatMap((m) => {
    const pairs = m.run.margins?.hardest ?? [];
    return pairs.length
      ? [
          namedPanel(
            `hard-examples-${m.label}`,
            `Hard examples of ${m.label}`,
            caption(pairs),
            body(pairs, view.set.items),
          ),
        ]
      : [];
  });
}

function caption(pairs: HardPair[]): string {
  const moved = pairs.filter((p) => isNumber(p.rank) && isNumber(p.softmax_rank));
  const better = moved.filter((p) => p.rank! < p.softmax_rank!).length;
  const against = moved.length
    ? ` It ranks ${better} of these ${moved.length} higher than softmax does.`
    : " There is no softmax run to compare the ranks with.";
  return (
    "The largest margins among head, mid and tail items, one for each user. Rank: the item's place " +
    `among those the user does not have.${against}`
  );
}

function body(pairs: HardPair[], items: ItemTable): HTMLElement {
  if (pairs.length === 0) return notice("There are no margins.");
  const group = (p: HardPair) => groupName(items.group[p.item] ?? 2);
  const change = (p: HardPair) =>
    isNumber(p.rank) && isNumber(p.softmax_rank) ? p.softmax_rank - p.rank : null;
  return table<HardPair>(
    "Hard examples",
    [
      {
        head: "Item",
        cell: (p) =>
          h("span", { class: "named" }, badge(group(p)), idText(itemName(items, p.item))),
      },
      {
        head: "User",
        cell: (p) => h("span", { class: "named" }, badge(groupName(p.user_group)), idText(p.user)),
      },
      { head: "Margin", value: (p) => p.margin, cell: (p) => fixed(p.margin, 3) },
      { head: "Rank", value: (p) => p.rank, cell: (p) => count(p.rank) },
      { head: "Rank, softmax", value: (p) => p.softmax_rank, cell: (p) => count(p.softmax_rank) },
      {
        head: "Places gained",
        value: change,
        cell: (p) => {
          const gained = change(p);
          return gained === null ? "–" : (gained > 0 ? "+" : "") + fixed(gained, 0);
        },
      },
    ],
    pairs,
  );
}
