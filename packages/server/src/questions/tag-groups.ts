import type { AlikePairs, GroupedBy, PairSums } from "../facts/plan/insight-plans.ts";
import { eachInTurns } from "../platform/turns.ts";

type Grouped = GroupedBy | null;

/** The groups that a row of the engine is in; null: the one that it says. */
function membersOf(groupBy: Grouped): ((group: number) => readonly number[]) | null {
  if (groupBy === null || typeof groupBy === "string" || "models" in groupBy) return null;
  return (set) => groupBy.members[set] ?? [0];
}

/** Rows by set of tags as rows by tag, in each of the set's; others as they are. */
export async function byTag<Row extends { readonly group: number }>(
  rows: readonly Row[],
  groupBy: Grouped,
): Promise<readonly Row[]> {
  const members = membersOf(groupBy);
  if (members === null) return rows;
  const spread: Row[] = [];
  await eachInTurns(rows, (row) => {
    for (const group of members(row.group)) spread.push({ ...row, group });
  });
  return spread;
}

/** The same of pairs of provider and region: a tag has one row for each pair and entity. */
export async function pairsByTag(sums: PairSums, groupBy: Grouped): Promise<PairSums> {
  const members = membersOf(groupBy);
  if (members === null) return sums;
  const names = Object.keys(sums) as (keyof PairSums)[];
  const columns = names.map((): number[] => []);
  const places = new Map<string, number>();
  const summed = names.map((name) => !["group", "pair", "entity"].includes(name));
  await eachInTurns([...sums.group], (set, row) => {
    for (const group of members(set)) {
      const key = `${group} ${sums.pair[row]} ${sums.entity[row]}`;
      const place = places.get(key) ?? places.size;
      places.set(key, place);
      for (const [index, column] of columns.entries()) {
        const name = names[index] ?? "group";
        const value = name === "group" ? group : (sums[name]?.[row] ?? 0);
        column[place] = summed[index] === true ? (column[place] ?? 0) + value : value;
      }
    }
  });
  const entries = names.map((name, index) => [name, Float64Array.from(columns[index] ?? [])]);
  return Object.fromEntries(entries) as PairSums;
}

/** The same of pairs of answers: as many rows as without sets, so that rounding is the same. */
export async function alikeByTag(
  rows: readonly AlikePairs[],
  groupBy: Grouped,
): Promise<readonly AlikePairs[]> {
  if (membersOf(groupBy) === null) return rows;
  const found = new Map<string, AlikePairs>();
  for (const row of await byTag(rows, groupBy)) {
    const key = `${row.group} ${row.shared} ${row.either}`;
    found.set(key, { ...row, pairs: (found.get(key)?.pairs ?? 0) + row.pairs });
  }
  return [...found.values()];
}
