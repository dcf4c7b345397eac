// In: the view. Out: one user's history and what each method would recommend, side by side.
import type { ExploreUser, ItemTable } from "../data";
import { append, h, idText, notice, shorten, type Child } from "../dom";
import { count, plural } from "../format";
import { groupName, kGroupNames } from "../palette";
import { methodHead } from "../plots/frame";
import { live, type Section } from "../section";
import type { Shown, View } from "../view";
import { itemName, itemSearch, showItem } from "./items";

const kListed = 24; // buttons for users found

export const explore: Section = {
  id: "explore",
  title: "Explore",
  lead: "One user at a time: what it took, and what each method would show it next.",
  needsData: true,
  render: (view) => {
    const { explore: users } = view.set;
    if (users.length === 0)
      return [
        notice(
          "There are no users to explore: the models or the data of this set could not be read.",
        ),
      ];
    const chosen = view.remember<number>("explore-user", 0, [...users.keys()]);
    const lists = h("div", { class: "live" });
    const show = (index: number) => {
      chosen.set(index);
      lists.replaceChildren();
      append(lists, userPage(view, index));
    };
    show(chosen.value);
    const found = search(users, chosen.value, show);
    const jump = (index: number) => {
      found.choose(index);
      found.element.scrollIntoView({ block: "start" });
    };
    return [found.element, lists, itemSearch(view, jump)];
  },
};

interface Search {
  element: HTMLElement;
  choose(index: number): void;
}

function search(users: ExploreUser[], first: number, show: (index: number) => void): Search {
  let wanted = "";
  let current = first;
  const found = h("div", { class: "found-users" });
  const status = h("p", { class: "small", role: "status" });
  const list = () => {
    const hits = users.flatMap((u, i) => (matches(u, wanted) ? [i] : []));
    const cut = hits.length > kListed ? `, the first ${kListed} listed` : "";
    status.textContent = hits.length
      ? `${plural(hits.length, "user")} found${cut}; this page holds ${count(users.length)}.`
      : `No user's id contains “${shorten(wanted, 60)}”.`;
    found.replaceChildren(
      live((redraw) => [
        h(
          "div",
          { class: "hits" },
          hits.slice(0, kListed).map((i) =>
            button(users[i]!, i === current, () => {
              current = i;
              show(i);
              redraw();
            }),
          ),
        ),
      ]),
    );
  };
  const field = h("input", {
    type: "search",
    id: "user-search",
    placeholder: "User id, or head, mid, tail",
    "aria-label": "Search users",
    oninput: () => {
      wanted = field.value.trim().toLowerCase();
      list();
    },
  });
  list();
  const element = h(
    "div",
    { class: "panel finder" },
    h("label", { class: "choice" }, h("span", {}, "Find a user"), field),
    status,
    found,
  );
  const choose = (index: number) => {
    current = index;
    field.value = users[index]?.id ?? "";
    wanted = field.value.trim().toLowerCase();
    list();
    show(index);
  };
  return { element, choose };
}

function matches(user: ExploreUser, wanted: string): boolean {
  if ((kGroupNames as readonly string[]).includes(wanted)) return groupName(user.group) === wanted;
  return user.id.toLowerCase().includes(wanted);
}

function button(user: ExploreUser, pressed: boolean, act: () => void): HTMLElement {
  return h(
    "button",
    { type: "button", class: "button", "aria-pressed": String(pressed), onclick: act },
    badge(groupName(user.group)),
    idText(user.id),
  );
}

function badge(group: string): HTMLElement {
  return h("span", { class: `badge ${group}` }, group);
}

function userPage(view: View, index: number): Child[] {
  const user = view.set.explore[index];
  if (!user) return [notice("This user is not on the page.")];
  const { items } = view.set;
  const shown = view.shown.filter((m) => m.run.explore[index]);
  return [
    h(
      "div",
      { class: "panel" },
      h("h3", {}, "User ", idText(user.id)),
      h(
        "p",
        { class: "small" },
        `A ${groupName(user.group)} user with ${plural(user.popularity, "training item")}. ` +
          "A ✓ marks a hit: an item the user took in validation or a test, which no method " +
          "saw. The number is the item's training interactions.",
      ),
    ),
    shown.length === 0
      ? notice(
          "None of the chosen methods has lists for this page: their models are missing, or " +
            "only figures were kept of so many runs.",
        )
      : h(
          "div",
          { class: "columns" },
          shown.map((m) =>
            topList(m, m.run.explore[index]!.items, m.run.explore[index]!.hits, items),
          ),
        ),
    h(
      "div",
      { class: "columns" },
      plainList(
        user.history.length < user.histories
          ? `History (${user.history.length} of ${count(user.histories)})`
          : "History",
        user.history,
        items,
      ),
      plainList(
        user.held_out.length < user.held_outs
          ? `Held out (${user.held_out.length} of ${count(user.held_outs)})`
          : "Held out",
        user.held_out,
        items,
      ),
    ),
  ];
}

function topList(method: Shown, list: number[], hits: number[], items: ItemTable): HTMLElement {
  const line = (item: number, rank: number) => {
    const hit = hits.includes(rank);
    return h(
      "li",
      { class: hit ? "hit" : null },
      h("span", { class: "rank" }, rank + 1),
      ...itemCells(item, items, hit),
    );
  };
  return h(
    "div",
    {},
    methodHead(method),
    h("p", { class: "small" }, `${plural(hits.length, "hit")} in ${list.length}`),
    h("ol", { class: "list" }, list.map(line)),
  );
}

function plainList(title: string, list: number[], items: ItemTable): HTMLElement {
  return h(
    "div",
    {},
    h("h4", {}, title),
    list.length === 0
      ? h("p", { class: "small" }, "None.")
      : h(
          "ul",
          { class: "list short", tabindex: 0, "aria-label": title },
          list.map((item) => h("li", { class: "plain" }, ...itemCells(item, items, false))),
        ),
  );
}

export function itemCells(item: number, items: ItemTable, hit: boolean, move = ""): HTMLElement[] {
  return [
    badge(groupName(items.group[item] ?? 2)),
    h(
      "button",
      {
        type: "button",
        class: "item",
        title: "Show this item: who took it, who gets it",
        onclick: () => showItem(item),
      },
      idText(itemName(items, item)),
    ),
    h(
      "span",
      { class: "mark" },
      move ? h("b", {}, `${move} `) : null,
      hit ? "✓ " : "",
      count(items.popularity[item]),
    ),
  ];
}
