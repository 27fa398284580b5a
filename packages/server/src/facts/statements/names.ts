import { NameBits } from "../../extraction/index.ts";
import { constant, type Fragment, type Statement, sql } from "../../platform/sql.ts";
import type {
  NameCounts,
  NamePlace,
  NamePlacesRead,
  NameSpread,
  NamesPageFound,
  NamesPageRead,
  NamesPlan,
  NamesRead,
  NameWord,
} from "../plan/names-plan.ts";
import { type Dialect, eachPart } from "./dialect.ts";
import type { Reader } from "./measurement.ts";

const countsShape = {
  number: "number",
  answers: "number",
  marked: "number",
  leads: "number",
  owned: "number",
  cited: "number",
  kin: "number",
  besideKin: "number",
  onlyMarked: "number",
  owner: "number",
  places: "number",
  sequence: "number",
} as const;

/** Every engine knows the remainder; each has its own word for bits. */
function bitOf(name: keyof typeof NameBits): Fragment {
  const bit = NameBits[name];
  return constant(`cast(bits % ${2 * bit} >= ${bit} as integer)`);
}

const sumOf = (name: keyof typeof NameBits) => sql`cast(sum(${bitOf(name)}) as double)`;

/**
 * The names of several answers and prompts, those of the most answers first. Most names of many
 * answers are in few of them: which names remain is found first, by what groups of millions need
 * little memory for.
 */
function countsStatement(plan: NamesPlan, dialect: Dialect): Statement<typeof countsShape> {
  const all = eachPart(plan.rows, dialect, (from) => sql`select number, prompt from ${from}`);
  const rows = eachPart(plan.rows, dialect, (from) => {
    return sql`select number, sequence, bits, owner, place from ${from}`;
  });
  return {
    query: sql`select cast(number as double), cast(count(*) as double),
        ${sumOf("marked")}, ${sumOf("leads")}, ${sumOf("owned")},
        ${sumOf("cited")}, ${sumOf("kin")}, ${sumOf("besideKin")}, ${sumOf("onlyMarked")},
        cast(max(owner) as double),
        cast(sum(place) as double), cast(min(sequence) as double)
      from (${rows}) as found
      where number in (
        select number from (${all}) as named group by number
        having count(*) > 1 and min(prompt) < max(prompt)
        order by count(*) desc, number
        limit ${{ type: "Int64", value: plan.namesMax }}
      )
      group by number order by count(*) desc, number`,
    shape: countsShape,
  };
}

const amongNames = (numbers: readonly number[], dialect: Dialect): Fragment =>
  dialect.isAmong(sql`number`, { type: "Array(Int64)", value: numbers });

const spreadShape = { number: "number", prompts: "number", providers: "number" } as const;

function spreadStatement(
  { rows }: NamesPlan,
  numbers: readonly number[],
  dialect: Dialect,
): Statement<typeof spreadShape> {
  const found = eachPart(rows, dialect, (from) => {
    return sql`select number, prompt, provider from ${from} and ${amongNames(numbers, dialect)}`;
  });
  return {
    query: sql`select cast(number as double), cast(count(distinct prompt) as double),
        cast(count(distinct provider) as double)
      from (${found}) as found group by number`,
    shape: spreadShape,
  };
}

const unknownShape = { prompt: "number", answers: "number", unknown: "number" } as const;

/** By prompt, all answers, and those that name only some of these names. */
function unknownStatement(
  { rows, answers }: NamesPlan,
  numbers: readonly number[],
  dialect: Dialect,
): Statement<typeof unknownShape> {
  const all = eachPart(answers, dialect, (from) => {
    return sql`select prompt, cast(count(*) as double) as own, cast(0 as double) as alone
      from ${from} and entity = 0 group by prompt`;
  });
  const alone = eachPart(rows, dialect, (from) => {
    return sql`select prompt, cast(0 as double) as own,
        cast(count(distinct sequence) as double) as alone
      from ${from} and ${bitOf("beside")} = 0 and ${amongNames(numbers, dialect)} group by prompt`;
  });
  return {
    query: sql`select prompt, sum(own), sum(alone)
      from (${all} union all ${alone}) as counted group by prompt order by prompt`,
    shape: unknownShape,
  };
}

const placesShape = {
  number: "number",
  sequence: "number",
  begins: "number",
  ends: "number",
} as const;

/** Where names stand in their first answers; some stand in those of others, too. */
function placesStatement(
  { rows }: NamesPlan,
  names: readonly Pick<NameCounts, "number" | "sequence">[],
  dialect: Dialect,
): Statement<typeof placesShape> {
  const numbers = names.map(({ number }) => number);
  const sequences = names.map(({ sequence }) => sequence);
  const first = dialect.isAmong(sql`sequence`, { type: "Array(Int64)", value: sequences });
  const found = eachPart(rows, dialect, (from) => {
    return sql`select number, sequence, begins, ends
      from ${from} and ${amongNames(numbers, dialect)} and ${first}`;
  });
  return {
    query: sql`select cast(number as double), cast(sequence as double), cast(begins as double),
        cast(ends as double)
      from (${found}) as found order by sequence, number`,
    shape: placesShape,
  };
}

const domainsShape = { number: "number", domain: "text", answers: "number" } as const;

function domainsStatement(
  { rows }: NamesPlan,
  numbers: readonly number[],
  dialect: Dialect,
): Statement<typeof domainsShape> {
  const found = eachPart(rows, dialect, (from) => {
    return sql`select number, domain from ${from}
      and domain <> '' and ${amongNames(numbers, dialect)}`;
  });
  return {
    query: sql`select cast(number as double), domain, cast(count(*) as double)
      from (${found}) as found group by number, domain order by count(*) desc, domain`,
    shape: domainsShape,
  };
}

/** The names of several answers and prompts, in no order that says what they are. */
export function readNameCounts(
  { query, dialect }: Reader,
  plan: NamesPlan,
): Promise<readonly NameCounts[]> {
  return query(countsStatement(plan, dialect));
}

const wordsShape = { word: "number", lower: "number", capital: "number" } as const;

/** How many answers of the account write words in lower case, and with a capital. */
export function readNameWords(
  { query, dialect }: Reader,
  words: readonly number[],
): Promise<readonly NameWord[]> {
  if (words.length === 0) return Promise.resolve([]);
  const among = dialect.isAmong(sql`word`, { type: "Array(Int32)", value: words });
  return query({
    query: sql`select cast(word as double), cast(sum(lower) as double),
        cast(sum(capital) as double)
      from ${dialect.fromWords} and ${among} group by word order by word`,
    shape: wordsShape,
  });
}

/** Where names stand in their first answers, among other places of theirs. */
export function readNamePlaces(
  { query, dialect }: Reader,
  { plan, names }: NamePlacesRead,
): Promise<readonly NamePlace[]> {
  return names.length === 0 ? Promise.resolve([]) : query(placesStatement(plan, names, dialect));
}

/** How widely names are spread. */
export function readNameSpread(
  { query, dialect }: Reader,
  { plan, numbers }: NamesRead,
): Promise<readonly NameSpread[]> {
  return numbers.length === 0
    ? Promise.resolve([])
    : query(spreadStatement(plan, numbers, dialect));
}

/** Reads a page, and the answers that have only some of all names. */
export async function readNamesPage(
  { query, dialect }: Reader,
  { plan, numbers, page }: NamesPageRead,
): Promise<NamesPageFound> {
  return {
    domains: page.length === 0 ? [] : await query(domainsStatement(plan, page, dialect)),
    unknown: await query(unknownStatement(plan, numbers, dialect)),
  };
}
