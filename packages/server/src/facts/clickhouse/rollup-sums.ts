import type { FactRows } from "../fact-rows.ts";
import { anyMeasures, measures } from "../measures.ts";

/** Rows of a rollup: sums of a batch's rows, as columns side by side. */
export type RollupRows = Readonly<Record<string, Int32Array>>;

const answerKeys = ["day", "week", "month", "provider", "region", "branded"] as const;

/** A batch's rows of `daily`: equal keys are one row, with the sums of their measures. */
export function dailyRows({ answers, details, appearances }: FactRows): RollupRows {
  const { answer, entity } = appearances;
  const { rowOf, firsts } = grouped(answer.length, (row) => {
    const place = answer[row] ?? 0;
    const { day, provider, region, branded } = answers;
    const codes = [day[place], provider[place], region[place], branded[place], entity[row]];
    return codes.join(" ");
  });
  const summed = (values: Int32Array) => {
    const sum = new Int32Array(firsts.length);
    for (const [row, value] of values.entries()) add(sum, rowOf[row], value);
    return sum;
  };
  const sums = [
    ...measures.map((measure) => [measure, summed(appearances[measure])] as const),
    ...anyMeasures.map((measure) => {
      const values = details[measure];
      return [measure, summed(answer.map((place) => values[place] ?? 0))] as const;
    }),
  ];
  const keys = answerKeys.map((name) => {
    const column = answers[name];
    return [name, Int32Array.from(firsts, (row) => column[answer[row] ?? 0] ?? 0)] as const;
  });
  const entities = Int32Array.from(firsts, (row) => entity[row] ?? 0);
  return Object.fromEntries([...keys, ["entity", entities] as const, ...sums]);
}

/** A batch's rows of `daily_domains`, without the domains' numbers. */
export interface DailyDomains {
  readonly columns: RollupRows;
  /** The place of each row's domain among `domains`. */
  readonly domain: Int32Array;
}

/**
 * A batch's rows of `daily_domains`.
 * @param domainOfUrl the place of each URL's domain.
 */
export function dailyDomainRows(
  { answers, citations }: FactRows,
  domainOfUrl: Int32Array,
): DailyDomains {
  const { answer, url } = citations;
  const dayOf = (row: number) => answers.day[answer[row] ?? 0] ?? 0;
  const domainOf = (row: number) => domainOfUrl[url[row] ?? 0] ?? 0;
  const { rowOf, firsts } = grouped(answer.length, (row) => `${dayOf(row)} ${domainOf(row)}`);
  const counts = new Int32Array(firsts.length);
  for (const row of rowOf) add(counts, row, 1);
  const { month } = answers;
  return {
    columns: {
      day: Int32Array.from(firsts, dayOf),
      month: Int32Array.from(firsts, (row) => month[answer[row] ?? 0] ?? 0),
      citations: counts,
    },
    domain: Int32Array.from(firsts, domainOf),
  };
}

/** For each row its group's place, and for each group its first row. */
function grouped(rows: number, keyOf: (row: number) => string) {
  const places = new Map<string, number>();
  const firsts: number[] = [];
  const rowOf = new Int32Array(rows);
  for (let row = 0; row < rows; row++) {
    const key = keyOf(row);
    const place = places.get(key) ?? places.size;
    if (place === places.size) {
      places.set(key, place);
      firsts.push(row);
    }
    rowOf[row] = place;
  }
  return { rowOf, firsts };
}

function add(sums: Int32Array, place: number | undefined, value: number): void {
  if (place !== undefined) sums[place] = (sums[place] ?? 0) + value;
}
