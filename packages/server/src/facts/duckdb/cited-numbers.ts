import type { CitedSource } from "../../analytics/cited-source.ts";
import type { FactsFile } from "./facts-file.ts";
import { type BoundValue, type Fragment, joined, type Statement } from "./statement.ts";

/** A source by the numbers of its names; null: any. No name of the facts has a negative number. */
export interface CitedNumbers {
  readonly domain: number | null;
  readonly url: number | null;
}

const numbersShape = { domain: "number or null", url: "number or null" } as const;

function numbersStatement({ domain, url }: CitedSource): Statement<typeof numbersShape> {
  const text = (value: string | null): BoundValue => ({ type: "text", value: value ?? "" });
  return {
    sql: `select (select cast(min(number) as double) from domains where name = ?),
      (select cast(min(number) as double) from urls where name = ?)`,
    values: [text(domain), text(url)],
    shape: numbersShape,
  };
}

const unknown = -1;

/**
 * The numbers of a source; null: there is none. They are looked up first: with a look-up inside a
 * condition the engine joins instead of filtering, which takes half as long again.
 */
export async function citedNumbers(
  file: FactsFile,
  source: CitedSource | null,
  signal: AbortSignal,
): Promise<CitedNumbers | null> {
  if (source === null) return null;
  const [found] = await file.query(numbersStatement(source), signal);
  return {
    domain: source.domain === null ? null : (found?.domain ?? unknown),
    url: source.url === null ? null : (found?.url ?? unknown),
  };
}

/** The citations of a source. */
export function ofSource({ domain, url }: CitedNumbers): Fragment {
  const equal = (column: string, value: number | null): readonly Fragment[] =>
    value === null ? [] : [{ sql: `${column} = ?`, values: [{ type: "integer", value }] }];
  return joined(" and ", [...equal("domain_number", domain), ...equal("url_number", url)]);
}
