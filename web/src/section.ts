// In: a view. Out: the contract of a section of the page, and the drawing of sections one by one.
import { append, h, notice, type Child } from "./dom";
import { Landing } from "./landing";
import { nameFigures } from "./figure";
import type { View } from "./view";

export interface Section {
  id: string;
  title: string;
  lead: string; // one sentence: what the reader learns here
  needsData: boolean; // false: drawn even where no run could be read
  render(view: View): Child[];
}

const kPause = 15; // milliseconds between sections, in which the reader may do something

interface Place {
  section: Section;
  host: HTMLElement;
  body: HTMLElement;
  stale: boolean;
}

/** Draws what is on the screen first and the rest when the browser has time. */
export class Sections {
  readonly element = h("main", { id: "content" });
  private places: Place[];
  private waiting = false;
  private landing: Landing;

  constructor(
    private view: View,
    sections: Section[],
  ) {
    this.places = sections.map((section, i) => place(section, i));
    append(
      this.element,
      this.places.map((p) => p.host),
    );
    this.landing = new Landing(this.element);
    view.onChange(() => this.redraw());
    addEventListener("scroll", () => this.wake(), { passive: true });
    addEventListener("beforeprint", () =>
      this.places.filter((p) => p.stale).forEach((p) => this.draw(p)),
    );
  }

  redraw(): void {
    for (const p of this.places) p.stale = true;
    this.drawNearest();
    this.wake();
  }

  private wake(): void {
    const done = !this.places.some((p) => p.stale);
    this.element.dataset.state = done ? "drawn" : "drawing";
    this.landing.correct();
    if (this.waiting || done) return;
    this.waiting = true;
    setTimeout(() => {
      this.waiting = false;
      this.drawNearest();
      this.wake();
    }, kPause);
  }

  private drawNearest(): void {
    const distance = (p: Place) => {
      const box = p.host.getBoundingClientRect();
      return Math.max(box.top - innerHeight, -box.bottom, 0);
    };
    const stale = this.places.filter((p) => p.stale).sort((a, b) => distance(a) - distance(b));
    if (stale[0]) this.draw(stale[0]);
  }

  private draw(place: Place): void {
    place.stale = false;
    place.body.replaceChildren();
    append(place.body, this.content(place.section));
    nameFigures(place.host);
    place.host.dataset.drawn = "true"; // for tests, as main's data-state
  }

  private content(section: Section): Child[] {
    if (section.needsData && !this.view.set)
      return [
        notice("There is nothing to show here: this report holds no run that could be read."),
      ];
    try {
      return section.render(this.view);
    } catch (error) {
      return [notice(`This section could not be drawn from the report's data: ${String(error)}`)];
    }
  }
}

function place(section: Section, index: number): Place {
  const body = h("div", { class: "body" });
  const host = h(
    "section",
    { id: section.id, "aria-labelledby": `${section.id}-title` },
    h(
      "header",
      {},
      h("span", { class: "numeral", "aria-hidden": "true" }, index + 1),
      h("h2", { id: `${section.id}-title` }, section.title),
      h("p", { class: "lead" }, section.lead),
    ),
    body,
  );
  return { section, host, body, stale: true };
}

/** A part of a section that redraws itself alone when one of its own choices changes. */
export function live(render: (redraw: () => void) => Child[]): HTMLElement {
  const host = h("div", { class: "live" });
  const redraw = () => {
    host.replaceChildren();
    append(host, render(redraw));
    const section = host.closest("section");
    if (section) nameFigures(section);
  };
  redraw();
  return host;
}
