import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { type Source, UnexpectedReplyError } from "../src/index.ts";
import { SourcePages } from "../src/source-pages.ts";
import {
  exchanging,
  question,
  rejection,
  type Script,
  ScriptedService,
} from "./scripted-service.ts";

const { filters } = question;

/** A service that knows so many sources. */
function knowing(total: number): Script {
  return exchanging(({ body }) => {
    const { limit, offset, groupBy } = JSON.parse(body) as Record<string, number>;
    return { status: 200, body: { groupBy, ...page(total, limit ?? 0, offset ?? 0) } };
  });
}

function page(total: number, limit: number, offset: number) {
  const count = Math.max(0, Math.min(limit, total - offset));
  const sources = Array.from({ length: count }, (_, index) => sourceOf(offset + index));
  const pagination = { total, limit, offset, hasMore: offset + count < total };
  return { sources, pagination };
}

function sourceOf(number: number): Source {
  return { source: `${number}.example`, share: 0, citations: 1 };
}

test("looping gives every source once, in order, for any total, page and beginning", async () => {
  const numbers = fc.tuple(fc.nat(50), fc.integer({ min: 1, max: 20 }), fc.nat(60));
  await fc.assert(
    fc.asyncProperty(numbers, async ([total, limit, first]) => {
      let asked = 0;
      const pages = new SourcePages(async (offset) => {
        asked++;
        return { groupBy: "domain", ...page(total, limit, offset) };
      }, first);
      const found = await collected(pages);
      const left = Math.max(0, total - first);
      const expected = Array.from({ length: left }, (_, index) => sourceOf(first + index));
      assert.deepEqual(found, expected);
      assert.equal(asked, Math.max(1, Math.ceil(left / limit)));
    }),
  );
});

test("nothing is sent before it is awaited or looped over, and no page twice", async (t) => {
  const service = await ScriptedService.start(t, knowing(3));
  const { analytics } = service.client();
  const sources = analytics.sources({ groupBy: "domain", limit: 2, filters });
  assert.deepEqual(service.requests, []);

  const first = await service.run(Promise.resolve(sources));
  assert.deepEqual(first, { groupBy: "domain", ...page(3, 2, 0) });
  assert.equal(await sources, first);
  const all = await service.run(collected(sources));
  assert.deepEqual(all, [sourceOf(0), sourceOf(1), sourceOf(2)]);
  assert.deepEqual(service.counts, { exchanges: 1, questions: 2 });
});

test("a page has 100 sources from the first on unless said otherwise", async (t) => {
  const service = await ScriptedService.start(t, knowing(101));
  const sources = service.client().analytics.sources({ groupBy: "url", filters });
  const pages = await service.run(collected(sources.pages()));

  assert.deepEqual(
    pages.map(({ pagination }) => pagination),
    [
      { total: 101, limit: 100, offset: 0, hasMore: true },
      { total: 101, limit: 100, offset: 100, hasMore: false },
    ],
  );
});

test("leaving the loop fetches no further page", async (t) => {
  const service = await ScriptedService.start(t, knowing(100));
  const sources = service.client().analytics.sources({ groupBy: "domain", limit: 10, filters });
  const firstOne = async (): Promise<unknown> => {
    for await (const source of sources) return source;
    return null;
  };

  assert.deepEqual(await service.run(firstOne()), sourceOf(0));
  assert.deepEqual(service.counts, { exchanges: 1, questions: 1 });
});

test("an empty page that says there are more is an error, not an endless loop", async () => {
  const pages = new SourcePages(async () => {
    const pagination = { total: 9, limit: 5, offset: 0, hasMore: true };
    return { groupBy: "domain", sources: [], pagination };
  }, 0);

  assert.ok((await rejection(collected(pages))) instanceof UnexpectedReplyError);
});

test("a failure can be caught like any promise's", async () => {
  const failing = new SourcePages(() => Promise.reject(new Error("failed")), 0);
  let done = 0;

  assert.deepEqual(await failing.catch((error: unknown) => error), new Error("failed"));
  assert.deepEqual(await rejection(failing.finally(() => done++)), new Error("failed"));
  assert.equal(done, 1);
});

async function collected<Value>(values: AsyncIterable<Value>): Promise<Value[]> {
  const found: Value[] = [];
  for await (const value of values) found.push(value);
  return found;
}
