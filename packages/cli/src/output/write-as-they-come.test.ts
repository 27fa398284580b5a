import assert from "node:assert/strict";
import { once } from "node:events";
import { Writable } from "node:stream";
import { test } from "node:test";
import { writeAsTheyCome } from "../questions/print-pages.ts";

test("no page is asked for before the reader has taken the ones before", async () => {
  const taken: string[] = [];
  let take: (() => void) | null = null;
  const output = new Writable({
    highWaterMark: 1,
    decodeStrings: false,
    write: (chunk: string, _encoding, done) => {
      taken.push(chunk);
      take = done;
    },
  });
  let asked = 0;
  async function* pages() {
    for (const page of [1, 2, 3]) {
      asked = page;
      yield page;
    }
  }
  const written = writeAsTheyCome(output, pages(), (page) => `page ${page}\n`);
  for (const page of [1, 2, 3]) {
    // Without a reader nothing is left to do: every promise has had its turn.
    for (let turns = 0; turns < 10; turns++) {
      await new Promise((resolve) => setImmediate(resolve));
    }
    assert.deepEqual([asked, taken.at(-1)], [page, `page ${page}\n`]);
    const drained = once(output, "drain");
    (take as (() => void) | null)?.();
    await drained;
  }
  await written;
  assert.equal(taken.length, 3);
});
