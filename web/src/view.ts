// In: the report's data and what the reader chose. Out: what every section has to show.
import { choices, choose, chooseAll, chosen } from "./address";
import type { DataSet, Evaluation, Method, ReportData, Run } from "./data";
import { kMaxShown, methodColor, methodSymbol, type MethodSymbol } from "./palette";

/** A method as it is drawn: its runs differ in the seed alone, `run` stands for them. */
export interface Shown {
  index: number;
  label: string;
  method: Method;
  run: Run;
  color: string;
  symbol: MethodSymbol;
}

export interface Choice<T> {
  value: T;
  set(value: T): void;
}

const kFirstShown = 6; // where there are more methods than colours

export class View {
  readonly report: ReportData;
  set: DataSet;
  methods: Shown[] = [];
  private chosen = new Set<number>();
  private slots = new Map<string, number>(); // of colours, by label
  private usual = ""; // what is shown unless the reader chooses
  private memories = new Map<DataSet, Map<string, string>>();
  private listeners: (() => void)[] = [];

  constructor(report: ReportData) {
    this.report = report;
    for (const set of report.data_sets)
      for (const { label } of set.methods)
        if (!this.slots.has(label)) this.slots.set(label, this.slots.size);
    this.set = report.data_sets[Number(chosen("set") ?? 0)] ?? report.data_sets[0]!;
    this.memories.set(this.set, choices());
    this.takeUp();
    const wanted = (chosen("methods") ?? "").split(".").filter(Boolean).map(Number);
    const known = this.methods.filter((m) => wanted.includes(m.index)).slice(0, kMaxShown);
    if (known.length > 0) this.chosen = new Set(known.map((m) => m.index));
    this.paint();
  }

  private get memory(): Map<string, string> {
    const own = this.memories.get(this.set) ?? new Map<string, string>();
    this.memories.set(this.set, own);
    return own;
  }

  get k(): number {
    return this.report.k;
  }

  get shown(): Shown[] {
    return this.methods.filter((m) => this.chosen.has(m.index));
  }

  /** More methods than colours: the reader picks from a list instead of toggling. */
  get many(): boolean {
    return this.methods.length > kMaxShown;
  }

  get full(): boolean {
    return this.chosen.size >= kMaxShown;
  }

  isShown(method: Shown): boolean {
    return this.chosen.has(method.index);
  }

  toggle(method: Shown): void {
    if (this.chosen.has(method.index)) this.chosen.delete(method.index);
    else if (!this.full) this.chosen.add(method.index);
    this.paint();
    const all = [...this.chosen].sort((a, b) => a - b).join(".");
    choose("methods", all === this.usual ? undefined : all);
    this.changed();
  }

  chooseSet(set: DataSet): void {
    this.set = set;
    this.takeUp();
    const index = this.report.data_sets.indexOf(set);
    chooseAll(new Map([...(index > 0 ? [["set", String(index)] as const] : []), ...this.memory]));
    this.changed();
  }

  onChange(listener: () => void): void {
    this.listeners.push(listener);
  }

  /**
   * A choice inside a section that outlives redrawing, kept for each data set and in the address.
   * An address may hold anything: what is not allowed is as if nothing was chosen.
   */
  remember<T extends string | number>(key: string, initial: T, allowed?: readonly T[]): Choice<T> {
    const { memory } = this;
    const text = memory.get(key);
    const told = text === undefined ? initial : typeof initial === "number" ? Number(text) : text;
    const fits = allowed ? allowed.includes(told as T) : told === told; // a NaN is not itself
    return {
      value: fits ? (told as T) : initial,
      set(value) {
        this.value = value;
        if (value === initial) memory.delete(key);
        else memory.set(key, String(value));
        choose(key, value === initial ? undefined : String(value));
      },
    };
  }

  private changed(): void {
    for (const listener of this.listeners) listener();
  }

  private takeUp(): void {
    const { runs } = this.report;
    this.methods = (this.set?.methods ?? []).flatMap((method, index) => {
      const own = method.runs.map((r) => runs[r]).filter((r) => r !== undefined);
      const run =
        own.find((r) => r.detailed && r.state === "ok") ?? own.find((r) => r.detailed) ?? own[0];
      return run
        ? [{ index, label: method.label, method, run, color: "", symbol: methodSymbol(0) }]
        : [];
    });
    this.chosen = new Set((this.many ? this.best(kFirstShown) : this.methods).map((m) => m.index));
    this.usual = [...this.chosen].sort((a, b) => a - b).join(".");
    this.paint();
  }

  /**
   * The method the verdict speaks of; then those that can be looked at in depth, the best setting of
   * each loss before others, by validation recall.
   */
  private best(n: number): Shown[] {
    const valid = (m: Shown) => figure(m.method, "valid", "recall") ?? 0;
    const ordered = [...this.methods].sort((a, b) => valid(b) - valid(a));
    const losses = new Set<string>();
    const rank = new Map(
      ordered.map((m): [Shown, number] => {
        const first = m.run.detailed && !losses.has(m.run.loss);
        if (first) losses.add(m.run.loss);
        const winner = m.index === this.set.verdict?.best;
        return [m, winner ? 3 : first ? 2 : m.run.detailed ? 1 : 0];
      }),
    );
    return ordered.sort((a, b) => rank.get(b)! - rank.get(a)!).slice(0, n); // the sort is stable
  }

  /**
   * A method has the same colour in every data set: its place among all labels of the report. Of
   * more methods than colours, each chosen one keeps the slot it has.
   */
  private paint(): void {
    const taken = new Set<string>();
    const wanting = this.many ? this.shown : this.methods;
    if (this.many) {
      for (const method of this.methods) if (!this.isShown(method)) method.color = "";
      for (const method of wanting) if (method.color) taken.add(method.color);
    } else for (const method of this.methods) method.color = "";
    for (const method of wanting) {
      if (method.color) continue;
      const start = this.slots.get(method.label) ?? 0;
      const free = [...Array(kMaxShown).keys()]
        .map((s) => (start + s) % kMaxShown)
        .find((s) => !taken.has(methodColor(s)));
      this.give(method, free ?? start);
      taken.add(method.color);
    }
  }

  private give(method: Shown, slot: number): void {
    method.color = methodColor(slot);
    method.symbol = methodSymbol(slot);
  }
}

export function evaluation(run: Run, part: string): Evaluation | undefined {
  return run.evaluations.find((e) => e.part === part);
}

/** Mean over seeds of a metric or an exposure figure. */
export function figure(method: Method, part: string, key: string): number | null {
  return method.evaluations.find((e) => e.part === part)?.mean[key] ?? null;
}

/** Exposure over the lists of all users: the one meaning of Gini, coverage and tail share here. */
export function exposureOf(method: Shown, key: "gini" | "coverage" | "tail_share"): number | null {
  return method.run.exposure?.[key] ?? null;
}

/** Recall on the least biased test: the order of methods where the reader has chosen none. */
export function byMerit(view: View, methods: Shown[]): Shown[] {
  const main = mainTest(view);
  const recall = (m: Shown) => figure(m.method, main, "recall") ?? -1;
  return [...methods].sort((a, b) => recall(b) - recall(a));
}

/** The test that every choice starts with: the least biased. */
export function mainTest(view: View): string {
  const all = parts(view);
  return all.includes(view.set.main_test) ? view.set.main_test : (all[0] ?? "valid");
}

/** Runs behind the means: those with a result. */
export function seeds(method: Method): number {
  return Math.max(1, ...method.evaluations.map((e) => e.seeds));
}

/** Parts with figures: the tests, the least biased first, or validation where there is no test. */
export function parts(view: View): string[] {
  const { tests, main_test: main } = view.set;
  if (tests.length > 0) return [...tests].sort((a, b) => +(b === main) - +(a === main));
  const valid = view.methods.some((m) => m.method.evaluations.some((e) => e.part === "valid"));
  return valid ? ["valid"] : [];
}
