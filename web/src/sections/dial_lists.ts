// In: pools of items with scores. Out: one user's list of every method at the strength of the dial,
// with what moved against the list as logged.
import type { ItemTable, ListPool } from "../data";
import { append, choice, h, notice, type Child } from "../dom";
import { plural } from "../format";
import { groupName } from "../palette";
import { methodHead } from "../plots/frame";
import type { Choice, View } from "../view";
import type { Traced } from "./dial";
import { itemCells } from "./explore";

/** The best `k` items of a pool under a strength, as places in the pool. */
export function rerank(pool: ListPool, items: ItemTable, debias: number, k: number): number[] {
  const score = (n: number) =>
    pool.scores[n]! - debias * Math.log((items.popularity[pool.items[n]!] ?? 0) + 1);
  return [...pool.items.keys()].sort((a, b) => score(b) - score(a) || a - b).slice(0, k);
}

export interface Lists {
  element: HTMLElement;
  update(): void;
}

export function dialLists(view: View, traced: Traced[], debias: Choice<number>): Lists {
  const count = view.set.front!.users;
  const users = view.set.explore.slice(0, count);
  if (users.length === 0) return { element: h("div", {}), update: () => {} };
  const chosen = view.remember(
    "dial-user",
    0,
    users.map((_, i) => i),
  );
  const host = h("div", { class: "columns" });
  const update = () => {
    host.replaceChildren();
    append(host, columns(view, traced, chosen.value, debias.value));
  };
  const who = choice(
    "User",
    users.map((u, value) => ({
      value,
      text: `${u.id} (${groupName(u.group)}, ${plural(u.popularity, "item")})`,
    })),
    chosen.value,
    (value) => {
      chosen.set(value);
      update();
    },
  );
  update();
  const element = h(
    "div",
    { class: "panel", id: "dial-list" },
    h(
      "div",
      { class: "caption" },
      h("h3", {}, "One user's list at the dial"),
      h(
        "p",
        { class: "small" },
        "✓: an item the user took in validation or a test. “new”: not in the list as logged; " +
          "↑ and ↓: places moved.",
      ),
    ),
    h("div", { class: "row" }, who),
    host,
  );
  return { element, update };
}

function columns(view: View, traced: Traced[], user: number, debias: number): Child[] {
  const lists = traced.filter((t) => t.front.pools[user]);
  if (lists.length === 0) return [notice("None of the chosen methods has lists for this user.")];
  const { items } = view.set;
  return lists.map(({ method, front }) => {
    const pool = front.pools[user]!;
    const before = rerank(pool, items, 0, view.k);
    const now = rerank(pool, items, debias, view.k);
    const hits = now.filter((n) => pool.hits.includes(n)).length;
    const fresh = now.filter((n) => !before.includes(n)).length;
    return h(
      "div",
      {},
      methodHead(method),
      h("p", { class: "small" }, `${plural(hits, "hit")} in ${now.length}, ${fresh} new`),
      h(
        "ol",
        { class: "list" },
        now.map((n, rank) =>
          h(
            "li",
            { class: pool.hits.includes(n) ? "hit" : null },
            h("span", { class: "rank" }, rank + 1),
            ...itemCells(
              pool.items[n]!,
              items,
              pool.hits.includes(n),
              moved(before.indexOf(n), rank),
            ),
          ),
        ),
      ),
    );
  });
}

function moved(before: number, now: number): string {
  if (before < 0) return "new";
  if (before === now) return "";
  return before > now ? `↑${before - now}` : `↓${now - before}`;
}
