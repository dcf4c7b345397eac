// In: the place that the address names. Out: the page scrolled there, and kept there while sections
// above it are still drawn and grow, until the reader scrolls.
import { anchor } from "./address";

const kCalm = 1500; // milliseconds without growth after which the page is at rest

export class Landing {
  private active = false;
  private timer = 0;

  constructor(page: HTMLElement) {
    new ResizeObserver(() => this.correct()).observe(page);
    const begin = () => {
      this.active = anchor() !== "";
      this.correct();
    };
    // A plain link to a section that stands is the browser's business, smooth scrolling and all.
    addEventListener("hashchange", () => {
      const native = document.getElementById(decodeURIComponent(location.hash.slice(1)));
      if (!native || page.dataset.state !== "drawn") begin();
    });
    for (const move of ["wheel", "touchmove", "pointerdown", "keydown"])
      addEventListener(move, () => this.end(), { passive: true });
    begin();
  }

  /** Called whenever something has been drawn. */
  correct(): void {
    if (!this.active) return;
    const target = document.getElementById(anchor());
    if (target) target.scrollIntoView({ behavior: "instant", block: "start" });
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => this.end(), kCalm);
  }

  private end(): void {
    this.active = false;
    clearTimeout(this.timer);
  }
}
