import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { droppedColumns } from "./fitting-columns.ts";

const column = fc.record({
  width: fc.integer({ min: 1, max: 400 }),
  drops: fc.option(fc.integer({ min: 1, max: 9 }), { nil: undefined }),
});

const table = fc.record({
  all: fc.array(column, { minLength: 1, maxLength: 10 }),
  place: fc.integer({ min: 1, max: 2_560 }),
  sortedAt: fc.nat({ max: 9 }),
});

test("columns are dropped by their order until the table fits, those of a number together", () => {
  fc.assert(
    fc.property(table, ({ all, place, sortedAt }) => {
      const columns = all.map(({ drops }, index) =>
        drops === undefined ? { key: `${index}` } : { key: `${index}`, drops },
      );
      const widths = new Map(all.map(({ width }, index) => [`${index}`, width]));
      const sum = (keys: readonly string[]) =>
        keys.reduce((total, key) => total + (widths.get(key) ?? 0), 0);
      const excess = sum([...widths.keys()]) - place;
      const sorted = columns[sortedAt]?.key;
      const dropped = droppedColumns({ columns, widths, excess, sorted });

      assert.ok(sorted === undefined || !dropped.includes(sorted));
      const orderOf = (key: string) => columns.find((each) => each.key === key)?.drops;
      const orders = dropped.map((key) => orderOf(key) ?? Number.NaN);
      assert.deepEqual(
        orders,
        orders.toSorted((a, b) => a - b),
      );
      const mayDrop = columns.filter(({ key, drops }) => drops !== undefined && key !== sorted);
      assert.ok(sum(dropped) >= excess || dropped.length === mayDrop.length);
      const before = dropped.filter((key) => orderOf(key) !== orders.at(-1));
      if (dropped.length > 0) assert.ok(sum(before) < excess);
      const kept = mayDrop.filter(({ key }) => !dropped.includes(key));
      for (const { drops = 0 } of kept) assert.ok(orders.every((order) => order < drops));
    }),
  );
});
