// In: the view. Out: one item at a time: who took it, how often each method shows it, and to whom.
import type { ItemTable } from "../data";
import { append, h, idText, notice, shorten, type Child } from "../dom";
import { count, fixed, percent, plural } from "../format";
import { groupName } from "../palette";
import { panel, sign } from "../plots/frame";
import { table } from "../table";
import type { Shown, View } from "../view";

const kListed = 24; // buttons for items found
const kUsers = 12; // of those who get an item

/** The title where one is known, else the id. */
export const itemName = (items: ItemTable, item: number): string =>
  items.title[item] || items.id[item] || `item ${item}`;

/** Shows an item under Explore, from wherever it was found. */
export let showItem: (item: number) => void = () => {};

export function itemSearch(view: View, showUser: (index: number) => void): Child {
  const { items } = view.set;
  const told = view.shown.some((m) => m.run.shown.length > 0);
  if (items.id.length === 0 || !told) return null;
  const chosen = view.remember<number>("item", -1, [-1, ...items.id.keys()]);
  const found = h("div", { class: "hits" });
  const status = h("p", { class: "small finder", role: "status" });
  const page = h("div", { class: "live close" });
  const show = () => {
    page.replaceChildren();
    if (chosen.value >= 0) append(page, itemPage(view, chosen.value, showUser));
  };
  const list = () => {
    const wanted = field.value.trim().toLowerCase();
    const hits = [...items.id.keys()].filter((i) => matches(items, i, wanted));
    hits.sort((a, b) => (items.popularity[b] ?? 0) - (items.popularity[a] ?? 0));
    const cut = hits.length > kListed ? `, the ${kListed} most popular listed` : "";
    status.textContent = hits.length
      ? `${plural(hits.length, "item")} found${cut}; this page names ${count(items.id.length)}.`
      : `No item's id or title contains “${shorten(wanted, 60)}”.`;
    found.replaceChildren(
      ...hits.slice(0, kListed).map((i) =>
        h(
          "button",
          {
            type: "button",
            class: "button",
            "aria-pressed": String(i === chosen.value),
            onclick: () => {
              chosen.set(i);
              show();
              list();
            },
          },
          h(
            "span",
            { class: `badge ${groupName(items.group[i] ?? 2)}` },
            groupName(items.group[i] ?? 2),
          ),
          idText(itemName(items, i)),
        ),
      ),
    );
  };
  const field = h("input", {
    type: "search",
    id: "item-search",
    placeholder: "Item id or title",
    "aria-label": "Search items",
    oninput: list,
  });
  list();
  show();
  showItem = (item) => {
    if (!items.id[item] && item !== 0) return;
    chosen.set(item);
    field.value = itemName(items, item);
    list();
    show();
    document.getElementById("explore-item")?.scrollIntoView({ block: "start" });
  };
  return h(
    "div",
    { class: "panel", id: "explore-item" },
    h("h3", {}, "One item"),
    h("label", { class: "choice finder" }, h("span", {}, "Find an item"), field),
    status,
    found,
    page,
  );
}

function matches(items: ItemTable, item: number, wanted: string): boolean {
  return (
    (items.id[item] ?? "").toLowerCase().includes(wanted) ||
    (items.title[item] ?? "").toLowerCase().includes(wanted)
  );
}

function itemPage(view: View, item: number, showUser: (index: number) => void): Child[] {
  const { items, statistics, explore } = view.set;
  const shown = view.shown.filter((m) => m.run.shown.length > item && m.run.exposure);
  const chosenBy = items.popularity[item] ?? 0;
  const name = itemName(items, item);
  const id = items.id[item] ?? "";
  const lists = (m: Shown) => m.run.shown[item] ?? 0;
  const share = (m: Shown) => lists(m) / Math.max(1, m.run.exposure!.lists);
  const had = chosenBy / Math.max(1, statistics.users);
  const getting = (m: Shown) =>
    m.run.explore.flatMap((list, u) => (list.items.includes(item) ? [u] : []));
  const having = explore.flatMap((u, i) => (u.history.includes(item) ? [i] : []));
  const users = (all: number[]): Child =>
    all.length === 0
      ? "none"
      : [
          ...all
            .slice(0, kUsers)
            .map((u) =>
              h(
                "button",
                { type: "button", class: "button", onclick: () => showUser(u) },
                idText(explore[u]!.id),
              ),
            ),
          all.length > kUsers ? ` and ${all.length - kUsers} more` : null,
        ];
  return [
    h("h4", {}, idText(name), name === id ? null : h("small", {}, " ", idText(id))),
    h(
      "p",
      { class: "small" },
      `A ${groupName(items.group[item] ?? 2)} item that ${plural(chosenBy, "user")} took in ` +
        `training (${percent(had, 2)} of all). A ratio of 1 means: shown as often as chosen.`,
    ),
    shown.length === 0
      ? notice("None of the chosen methods has counts of lists.")
      : panel(
          "Shown and chosen",
          `How many of the lists of ${view.k}, one for each user, hold the item.`,
          table<Shown>(
            "Shown and chosen",
            [
              {
                head: "Method",
                cell: (m) => h("span", { class: "named" }, sign(m), idText(m.label)),
              },
              { head: "Lists", value: lists, cell: (m) => count(lists(m)) },
              { head: "Share of users", value: share, cell: (m) => percent(share(m), 2) },
              {
                head: "Shown / chosen",
                value: (m) => (had > 0 ? share(m) / had : null),
                cell: (m) => (had > 0 ? fixed(share(m) / had, 2) : "–"),
              },
            ],
            shown,
          ),
        ),
    h("h4", {}, "Users of this page who get it"),
    shown.map((m) =>
      h("p", { class: "gets" }, sign(m), `${shorten(m.label, 40)}: `, users(getting(m))),
    ),
    h("h4", {}, "Users of this page who have it"),
    h("p", { class: "gets" }, users(having)),
  ];
}
