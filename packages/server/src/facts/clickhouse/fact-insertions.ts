import { insertion } from "../../answers/clickhouse/tables.ts";
import type { Insertion } from "../../platform/clickhouse/clickhouse.ts";
import {
  type BlockColumn,
  bytesOf,
  clickhouseUuid,
  textBytes,
} from "../../platform/clickhouse/native-block.ts";
import { eachInTurns } from "../../platform/turns.ts";
import { uuidBytes } from "../../platform/uuid.ts";
import { anyMeasures, type FactRows, measures } from "../columns.ts";
import { textNumber } from "./facts-tables.ts";

/** Whose rows a batch has. */
interface BatchKey {
  readonly accountId: string;
  readonly generation: number;
  readonly batch: number;
  readonly fold: number;
}

/** What a batch is inserted with, and how many rows of rollups are in it. */
interface FactInsertions {
  readonly insertions: readonly Insertion[];
  readonly rollupRows: number;
}

/** The inserts of a batch, in any order; the same for the same batch. */
export async function factInsertions(rows: FactRows, key: BatchKey): Promise<FactInsertions> {
  const numbers = await numbersOf(rows);
  const appearances = rows.appearances.answer.length;
  const citations = rows.citations.answer.length;
  const unanswered = rows.unanswered.outcome.length;
  const daily = dailyRows(rows);
  const domains = dailyDomainRows(rows, numbers.domainOfUrl);
  const dailyCount = daily["entity"]?.length ?? 0;
  const domainCount = domains.domain.length;
  const fold = (count: number) => [repeated("fold", key.fold, count)];
  const tables: readonly (readonly [string, number, readonly BlockColumn[]])[] = [
    ...bothOrders("appearances", appearances, appearanceColumns(rows)),
    ...bothOrders("citations", citations, citationColumns(rows, numbers)),
    ["unanswered", unanswered, unansweredColumns(rows)],
    ["queries", rows.queries.answer.length, queryColumns(rows)],
    ["words", rows.words.word.length, int32Columns(rows.words)],
    ["names", rows.names.answer.length, nameColumns(rows)],
    ["daily", dailyCount, [...fold(dailyCount), ...int32Columns(daily)]],
    [
      "daily_domains",
      domainCount,
      [
        ...fold(domainCount),
        ...int32Columns(domains.columns),
        numberColumn("domain_number", gathered64(numbers.domains, domains.domain)),
      ],
    ],
  ];
  const token = `${key.accountId}/${key.generation}/${key.batch}`;
  const filled = tables.filter(([, count]) => count > 0);
  return {
    rollupRows: dailyCount + domainCount,
    insertions: [
      ...filled.map(([table, count, columns]) =>
        insertion(table, token, { rows: count, columns: [...keyColumns(key, count), ...columns] }),
      ),
      ...(citations === 0 ? [] : nameInsertions(numbers, key, token)),
    ],
  };
}

function bothOrders(table: string, count: number, columns: readonly BlockColumn[]) {
  return [table, `${table}_by_prompt`].map((name) => [name, count, columns] as const);
}

/** Texts of a batch and the 64-bit numbers that stand for them, eight bytes each. */
interface Numbers {
  readonly urlNames: readonly string[];
  readonly urls: BigUint64Array;
  readonly domainNames: readonly string[];
  readonly domains: BigUint64Array;
  /** The place of each URL's domain. */
  readonly domainOfUrl: Int32Array;
}

async function numbersOf({ urls: { count, names, domains } }: FactRows): Promise<Numbers> {
  const urlNames = count === 0 ? [] : names.split("\n");
  const places = new Map<string, number>();
  const domainOfUrl = Int32Array.from(count === 0 ? [] : domains.split("\n"), (domain) => {
    const place = places.get(domain) ?? places.size;
    places.set(domain, place);
    return place;
  });
  const domainNames = [...places.keys()];
  return {
    urlNames,
    domainNames,
    domainOfUrl,
    urls: await hashes(urlNames),
    domains: await hashes(domainNames),
  };
}

async function hashes(texts: readonly string[]): Promise<BigUint64Array> {
  const numbers = new BigUint64Array(texts.length);
  await eachInTurns(texts, (text, place) => {
    numbers[place] = textNumber(text);
  });
  return numbers;
}

function keyColumns({ accountId, generation, batch }: BatchKey, rows: number) {
  const account = clickhouseUuid(uuidBytes(accountId));
  return [
    { name: "account_id", type: "UUID", bytes: Buffer.alloc(rows * account.length, account) },
    repeated("generation", generation, rows),
    repeated("batch", batch, rows),
  ];
}

function repeated(name: string, value: number, rows: number): BlockColumn {
  return { name, type: "UInt32", bytes: bytesOf(new Uint32Array(rows).fill(value)) };
}

function appearanceColumns(rows: FactRows): readonly BlockColumn[] {
  const { answer, ...own } = rows.appearances;
  return [
    ...answerColumns(rows.answers, answer),
    ...gatheredColumns(rows.details, answer),
    ...int32Columns(own),
  ];
}

function citationColumns(
  { answers, citations: { answer, url } }: FactRows,
  { urls, domains, domainOfUrl }: Numbers,
): readonly BlockColumn[] {
  const domain = gathered32(domainOfUrl, url);
  return [
    ...answerColumns(answers, answer),
    numberColumn("url_number", gathered64(urls, url)),
    numberColumn("domain_number", gathered64(domains, domain)),
  ];
}

function queryColumns({ answers, queries }: FactRows): readonly BlockColumn[] {
  const { answer, keys } = queries;
  const bytes = answer.length === 0 ? [] : keys.split("\n").map(textBytes);
  const query = { name: "query_key", type: "String", bytes: Buffer.concat(bytes) };
  return [...answerColumns(answers, answer), query];
}

function nameColumns({ answers, names }: FactRows): readonly BlockColumn[] {
  const { answer, number, domains, ...own } = names;
  const bytes = answer.length === 0 ? [] : domains.split("\n").map(textBytes);
  return [
    ...answerColumns(answers, answer),
    { name: "number", type: "Int64", bytes: bytesOf(number) },
    ...int32Columns(own),
    { name: "domain", type: "String", bytes: Buffer.concat(bytes) },
  ];
}

function unansweredColumns({ unanswered }: FactRows): readonly BlockColumn[] {
  const { outcome, ...answers } = unanswered;
  return [...answerColumns(answers, Int32Array.from(outcome.keys())), ...int32Columns({ outcome })];
}

/** What each row says of its answer. */
function answerColumns(answers: FactRows["answers"], places: Int32Array): readonly BlockColumn[] {
  const { sequence, answeredAt, ...codes } = answers;
  const instants = gathered64(answeredAt, places);
  return [
    { name: "sequence", type: "Int64", bytes: bytesOf(gathered64(sequence, places)) },
    { name: "answered_at", type: "Int64", bytes: bytesOf(instants) },
    ...gatheredColumns(codes, places),
  ];
}

function gatheredColumns(
  columns: Readonly<Record<string, Int32Array>>,
  places: Int32Array,
): readonly BlockColumn[] {
  return Object.entries(columns).map(([name, column]) => {
    return { name, type: "Int32", bytes: bytesOf(gathered32(column, places)) };
  });
}

function nameInsertions(numbers: Numbers, { accountId, generation }: BatchKey, token: string) {
  const { urlNames, urls, domainNames, domains } = numbers;
  const account = clickhouseUuid(uuidBytes(accountId));
  const names = (table: string, texts: readonly string[], values: BigUint64Array) =>
    insertion(table, token, {
      rows: texts.length,
      columns: [
        {
          name: "account_id",
          type: "UUID",
          bytes: Buffer.alloc(texts.length * account.length, account),
        },
        repeated("generation", generation, texts.length),
        numberColumn("number", values),
        { name: "name", type: "String", bytes: Buffer.concat(texts.map(textBytes)) },
      ],
    });
  return [names("url_names", urlNames, urls), names("domain_names", domainNames, domains)];
}

function numberColumn(name: string, values: ArrayBufferView): BlockColumn {
  return { name, type: "UInt64", bytes: bytesOf(values) };
}

function int32Columns(columns: Readonly<Record<string, Int32Array>>): readonly BlockColumn[] {
  return Object.entries(columns).map(([name, values]) => {
    return { name, type: "Int32", bytes: bytesOf(values) };
  });
}

/** The values at places. */
function gathered32(values: Int32Array, places: Int32Array): Int32Array {
  return places.map((place) => values[place] ?? 0);
}

/** The values at places, copied by halves: as BigInts they would take ten times as long. */
function gathered64(values: BigInt64Array | BigUint64Array, places: Int32Array): Int32Array {
  const halves = new Int32Array(values.buffer, values.byteOffset, 2 * values.length);
  const gathered = new Int32Array(2 * places.length);
  for (const [row, place] of places.entries()) {
    gathered[2 * row] = halves[2 * place] ?? 0;
    gathered[2 * row + 1] = halves[2 * place + 1] ?? 0;
  }
  return gathered;
}

/** Rows of a rollup: sums of a batch's rows, as columns side by side. */
type RollupRows = Readonly<Record<string, Int32Array>>;

const answerKeys = ["day", "week", "month", "provider", "region", "branded"] as const;

/** A batch's rows of `daily`: equal keys are one row, with the sums of their measures. */
function dailyRows({ answers, details, appearances }: FactRows): RollupRows {
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
interface DailyDomains {
  readonly columns: RollupRows;
  /** The place of each row's domain among `domains`. */
  readonly domain: Int32Array;
}

/**
 * A batch's rows of `daily_domains`.
 * @param domainOfUrl the place of each URL's domain.
 */
function dailyDomainRows({ answers, citations }: FactRows, domainOfUrl: Int32Array): DailyDomains {
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
