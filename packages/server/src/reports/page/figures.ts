import type { ReportMetric, ReportValue } from "../asked-report.ts";
import type { ChangeWord, ReportWords } from "../words/report-words.ts";

/** Whether a value is a fraction, or a mean place. */
export type FigureKind = "share" | "rank";

/** How values of a metric are written. */
export function kindOf(metric: string): FigureKind {
  return metric === "rank" ? "rank" : "share";
}

type Change = NonNullable<ReportValue["change"]>;
type Bounds = NonNullable<ReportValue["interval"]>;

/** Figures as the readers of a language write them. */
export class Figures {
  readonly #words: ReportWords;
  readonly #formats = new Map<string, Intl.NumberFormat>();

  constructor(words: ReportWords) {
    this.#words = words;
  }

  /** A whole number: 1,240. */
  count(value: number): string {
    return this.#format({ maximumFractionDigits: 1 }).format(value);
  }

  /** A fraction: 43.6 %, or a rank: 2.31. Nothing measured is never 0. */
  value(kind: FigureKind, value: number | null): string {
    if (value === null) return this.#words.nothing;
    if (kind === "rank") return this.#format(digits(2)).format(value);
    return this.#format({ style: "percent", ...digits(1) }).format(value);
  }

  /** A change with its sign, in points or places. */
  change(kind: FigureKind, value: number | null, places = kind === "rank" ? 2 : 1): string {
    if (value === null) return this.#words.nothing;
    const format = this.#format({ signDisplay: "exceptZero", ...digits(places) });
    if (kind === "rank") return withMinus(format.format(value));
    return `${withMinus(format.format(value * 100))} ${this.#words.points}`;
  }

  /** The bounds of a value; null: there are none. */
  bounds(kind: FigureKind, interval: Bounds | null): string | null {
    if (interval === null) return null;
    const { low, high } = interval;
    if (kind === "rank") {
      const format = this.#format(digits(2));
      return `${format.format(low)}–${format.format(high)}`;
    }
    const lower = this.#format(digits(1)).format(low * 100);
    return `${lower}–${this.value("share", high)}`;
  }

  /** The bounds of a change; null: there are none. */
  changeBounds(kind: FigureKind, interval: Bounds | null): string | null {
    if (interval === null) return null;
    const places = kind === "rank" ? 2 : 1;
    const unit = ` ${this.#words.points}`;
    const [low, high] = [interval.low, interval.high].map((each) =>
      this.change(kind, each, places),
    );
    return `${low?.replace(unit, "")}${this.#words.figures.to}${high}`;
  }

  /** An instant's UTC day. */
  day(at: string | number): string {
    return this.#date(at, { dateStyle: "medium" });
  }

  /** An instant to the minute. */
  instant(at: string | number): string {
    return `${this.#date(at, { dateStyle: "medium", timeStyle: "short" })} UTC`;
  }

  /** Two UTC days, both inside. */
  days({ startDate, endDate }: { readonly startDate: string; readonly endDate: string }): string {
    return `${this.day(startDate)} – ${this.day(endDate)}`;
  }

  #date(at: string | number, options: Intl.DateTimeFormatOptions): string {
    const format = new Intl.DateTimeFormat(this.#words.locale, { ...options, timeZone: "UTC" });
    return format.format(new Date(at));
  }

  #format(options: Intl.NumberFormatOptions): Intl.NumberFormat {
    const name = JSON.stringify(options);
    const found = this.#formats.get(name) ?? new Intl.NumberFormat(this.#words.locale, options);
    this.#formats.set(name, found);
    return found;
  }
}

function digits(count: number): Intl.NumberFormatOptions {
  return { minimumFractionDigits: count, maximumFractionDigits: count };
}

/** The minus of figures, as wide as a plus; a hyphen is neither. */
const withMinus = (text: string): string => text.replace("-", "\u2212");

/** What a change comes to. */
export function changeWord({ value, parts, verdict }: Change): ChangeWord {
  if (value === null) return "nothingToCompare";
  if (parts === null) return "noCommonPrompts";
  switch (verdict) {
    case null:
      return "tooShort";
    case "moved":
      return "moved";
    case "within-noise":
      return "withinNoise";
    case "discontinuous":
      return "discontinuous";
    case "insufficient":
      return "insufficient";
  }
}

/** Whether a move is good for who moved; of ranks less is better. */
export function isBetter(metric: ReportMetric, change: Change): boolean {
  const size = change.parts?.likeForLike ?? 0;
  return metric === "rank" ? size < 0 : size > 0;
}

/** A text of bounded length: names and prompts come from outside. */
export function shortened(text: string, charactersMax: number): string {
  if (text.length <= charactersMax) return text;
  return `${text
    .slice(0, charactersMax - 1)
    .toWellFormed()
    .trimEnd()}…`;
}
