// In: the JSON in the page. Out: the report, or a page that says why there is none.
import "./style/theme.css";
import "./style/page.css";
import "./style/parts.css";
import "./style/media.css";
import type { ReportData } from "./data";
import { h, notice } from "./dom";
import { header } from "./header";
import { masthead } from "./masthead";
import { Sections, type Section } from "./section";
import { bias } from "./sections/bias";
import { data } from "./sections/data";
import { dial } from "./sections/dial";
import { explore } from "./sections/explore";
import { geometry } from "./sections/geometry";
import { quality } from "./sections/quality";
import { reproduce } from "./sections/reproduce";
import { summary } from "./sections/summary";
import { training } from "./sections/training";
import { View } from "./view";

const kSections: Section[] = [
  summary,
  quality,
  dial,
  geometry,
  bias,
  training,
  data,
  explore,
  reproduce,
];

class Unreadable extends Error {}

function read(): ReportData {
  const text = document.getElementById("report-data")?.textContent?.trim() ?? "";
  if (text === "")
    throw new Unreadable("This is the empty template of the report: it holds no data yet.");
  let report: ReportData;
  try {
    report = JSON.parse(text) as ReportData;
  } catch (error) {
    throw new Unreadable(`The data of this report is damaged: ${String(error)}`);
  }
  if (report?.format !== "evenkeel-report" || report.version !== 1)
    throw new Unreadable("The data in this page is not an evenkeel report of version 1.");
  return report;
}

/** Every list the page walks through; a report may lack what it has nothing to say about. */
function complete(report: ReportData): ReportData {
  const lists = { data_sets: [], runs: [], sweeps: [], notices: [], skipped: [], sampling: [] };
  return { ...lists, ...report };
}

function show(report: ReportData): Node[] {
  document.title = report.title ? `${report.title} · evenkeel` : "evenkeel report";
  const view = new View(report);
  const sections = new Sections(view, kSections);
  sections.element.prepend(masthead(view));
  requestAnimationFrame(() => sections.redraw());
  const colophon =
    `Written by evenkeel ${report.environment?.evenkeel ?? ""}. This file needs no ` + "network.";
  return [header(view, kSections), sections.element, h("footer", { class: "colophon" }, colophon)];
}

function tell(reason: string): Node[] {
  return [
    h(
      "main",
      { class: "alone" },
      h("h1", {}, "evenkeel report"),
      notice(reason),
      h(
        "p",
        {},
        "The command below trains nothing; it reads finished runs and writes a filled page:",
      ),
      h("pre", {}, h("code", {}, "evenkeel report RUN... --out report.html")),
    ),
  ];
}

function page(): Node[] {
  try {
    return show(complete(read()));
  } catch (error) {
    return tell(
      error instanceof Unreadable
        ? error.message
        : `The report could not be drawn: ${String(error)}`,
    );
  }
}

document.getElementById("page")!.replaceChildren(...page());
