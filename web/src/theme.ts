// In: the system's wish for light or dark, and the reader's. Out: the theme of the page.
import { h } from "./dom";

const kThemes = ["system", "light", "dark"] as const;
type Theme = (typeof kThemes)[number];
const kPlace = "evenkeel-report-theme";

function remembered(): Theme {
  try {
    return kThemes.find((t) => t === localStorage.getItem(kPlace)) ?? "system";
  } catch {
    return "system"; // a page from file:// may have no storage
  }
}

function apply(theme: Theme): void {
  if (theme === "system") document.documentElement.removeAttribute("data-theme");
  else document.documentElement.dataset.theme = theme;
  document.dispatchEvent(new Event("themechange"));
}

/** A button that goes round: as the system says, light, dark. */
export function themeButton(): HTMLButtonElement {
  let theme = remembered();
  const button = h("button", { type: "button", class: "theme", onclick: next });
  function show(): void {
    apply(theme);
    button.textContent = { system: "◐ Auto", light: "☀ Light", dark: "☾ Dark" }[theme];
    button.setAttribute("aria-label", `${button.textContent}: colours. Press to change.`);
  }
  function next(): void {
    theme = kThemes[(kThemes.indexOf(theme) + 1) % kThemes.length]!;
    try {
      localStorage.setItem(kPlace, theme);
    } catch {
      // not remembered then
    }
    show();
  }
  // Paper is light; the globes are pictures by then and must know it before.
  addEventListener("beforeprint", () => apply("light"));
  addEventListener("afterprint", () => apply(theme));
  show();
  return button;
}
