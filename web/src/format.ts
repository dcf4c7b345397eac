// In: numbers, perhaps missing. Out: short text for people.

export type Maybe = number | null | undefined;
export const isNumber = (x: Maybe): x is number => typeof x === "number" && Number.isFinite(x);

const kMissing = "–";

export const count = (x: Maybe): string =>
  isNumber(x) ? Math.round(x).toLocaleString("en-US") : kMissing;

/** Rounded; what rounds to zero has no sign. */
const rounded = (x: number, digits: number): string =>
  x.toFixed(digits).replace(/^-(?=0\.?0*$)/, "");

export const fixed = (x: Maybe, digits: number): string =>
  isNumber(x) ? rounded(x, digits).replace("-", "−") : kMissing;

/** A metric between 0 and 1, with four digits as papers print them. */
export const metric = (x: Maybe): string => fixed(x, 4);

/** Three significant digits, whatever the size. */
export const short = (x: Maybe): string =>
  !isNumber(x)
    ? kMissing
    : x !== 0 && (Math.abs(x) < 1e-3 || Math.abs(x) >= 1e6)
      ? x.toExponential(2)
      : Number(x.toPrecision(3)).toLocaleString("en-US", { maximumFractionDigits: 6 });

export const percent = (x: Maybe, digits = 1): string =>
  isNumber(x) ? `${fixed(100 * x, digits)} %` : kMissing;

/** A share of places: a small one keeps two digits and none is none, as the program writes it. */
export function share(x: Maybe): string {
  if (!isNumber(x)) return kMissing;
  if (x <= 0) return "0 %";
  return 100 * x < 0.005 ? "< 0.01 %" : percent(x, 100 * x < 0.95 ? 2 : 1);
}

/** A relative change with its sign. */
export const signed = (x: Maybe, digits = 1): string =>
  isNumber(x) && x > 0 ? `+${percent(x, digits)}` : percent(x, digits);

export const degrees = (x: Maybe): string => (isNumber(x) ? `${x.toFixed(1)}°` : kMissing);

export function seconds(x: Maybe): string {
  if (!isNumber(x)) return kMissing;
  if (x < 0.1) return x < 0.0005 ? "0 s" : `${(1000 * x).toFixed(0)} ms`;
  if (x < 100) return `${x < 10 ? x.toFixed(2) : x.toFixed(1)} s`;
  return x < 5400 ? `${(x / 60).toFixed(1)} min` : `${(x / 3600).toFixed(1)} h`;
}

export function bytes(x: Maybe): string {
  if (!isNumber(x)) return kMissing;
  return x < 1e9 ? `${(x / 1e6).toFixed(0)} MB` : `${(x / 1e9).toFixed(2)} GB`;
}

/** A sentence whose figures stay on one line with their signs: "6.8 %", "p < 0.001". */
export const glued = (text: string): string =>
  text.replace(/(\d) %/g, "$1\u00a0%").replace(/\bp ([<=]) (?=\d)/g, "p\u00a0$1\u00a0");

const kMetricNames: Record<string, string> = {
  recall: "Recall",
  ndcg: "NDCG",
  hr: "Hit rate",
  precision: "Precision",
  map: "MAP",
  mrr: "MRR",
  coverage: "Coverage",
  gini: "Gini of exposure",
  mean_popularity: "Mean popularity (ARP)",
  tail_share: "Tail share (APLT)",
  balanced_recall: "Balanced Recall (estimate)",
  aclt: "Tail items in a list (ACLT)",
  pop_reo: "PopREO",
  pop_rsp: "PopRSP",
  novelty: "Novelty (bits)",
  miscalibration: "Miscalibration",
};

export const metricName = (key: string, k?: number): string =>
  (kMetricNames[key] ?? key) + (k ? `@${k}` : "");

export function plural(n: number, one: string, many = `${one}s`): string {
  return `${count(n)} ${n === 1 ? one : many}`;
}
