import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { whyFailed } from "./failed-work.ts";
import { ServiceError } from "./service-error.ts";
import { type Call, moving, Thread, ThreadEndedError, type ThreadOptions } from "./thread.ts";

class OddError extends Error {
  readonly odd: number = 0;
}

/** What the thread of these tests serves. */
interface TestApi {
  readonly next: (number: number) => Promise<number>;
  readonly die: () => Promise<void>;
  readonly fill: () => Promise<void>;
  readonly id: () => Promise<number>;
  readonly refuse: () => Promise<never>;
  readonly odd: (number: number) => Promise<never>;
  readonly unsendable: () => Promise<never>;
  readonly wait: (call: Call) => Promise<string>;
  readonly block: (held: Int32Array, call: Call) => Promise<void>;
  readonly isAborted: (call: Call) => Promise<boolean>;
  readonly sum: (wanted: number, call: Call<number>) => Promise<number>;
  readonly same: (bytes: Uint8Array<ArrayBuffer>) => Promise<Uint8Array>;
}

function sourceOf(run: string): string {
  return `
    import { threadId } from "node:worker_threads";
    import { once } from "node:events";
    import { inOrder, moving, serve } from "${new URL("./thread.ts", import.meta.url)}";
    import { ServiceError } from "${new URL("./service-error.ts", import.meta.url)}";
    serve(async () => ({
      next: async (number) => number + 1,
      die: async () => {
        setImmediate(() => { throw new Error("out of luck"); });
        await new Promise(() => undefined);
      },
      fill: async () => {
        const kept = [];
        for (;;) kept.push({ kept: kept.length });
      },
      id: async () => threadId,
      refuse: async () => {
        const cause = Object.assign(new Error("no space"), { code: "ENOSPC" });
        throw new ServiceError("storage_full", "Full.", { headers: { "Retry-After": "1" }, cause });
      },
      odd: async (odd) => { throw Object.assign(new Error("odd"), { name: "OddError", odd }); },
      unsendable: async () => { 
        throw Object.assign(new Error("with a function"), { of: () => 1 });
      },
      wait: async ({ signal }) => {
        if (!signal.aborted) await once(signal, "abort");
        return "aborted";
      },
      block: async (held, { signal }) => {
        if (!signal.aborted) await once(signal, "abort");
        Atomics.store(held, 0, 1);
        Atomics.notify(held, 0);
        Atomics.wait(held, 0, 1);
      },
      isAborted: async ({ signal }) => signal.aborted,
      sum: async (wanted, { items }) => {
        let sum = 0;
        for await (const item of items) {
          sum += item;
          if (sum >= wanted) return sum;
        }
        return sum;
      },
      same: async (bytes) => moving(bytes, [bytes.buffer]),
    }), ${run});
  `;
}

function opened(t: TestContext, options: ThreadOptions = {}, run = "undefined"): Thread<TestApi> {
  const file = new URL(`data:text/javascript,${encodeURIComponent(sourceOf(run))}`);
  const thread = new Thread<TestApi>(file, null, { errors: { OddError }, ...options });
  t.after(() => thread.close());
  return thread;
}

function hasEnded(of: string): (error: unknown) => boolean {
  return (error) => error instanceof ThreadEndedError && error.message.includes(of);
}

test("a thread that dies of an error ends its calls, and the next call begins one", async (t) => {
  const { api } = opened(t);
  assert.equal(await api.next(1), 2);
  const [waiting, dying] = [api.wait(), api.die()];
  await assert.rejects(waiting, hasEnded("out of luck"));
  await assert.rejects(dying, hasEnded("out of luck"));
  assert.equal(await api.next(2), 3);
});

test("a thread that is started while another one ends is not taken for it", async (t) => {
  const thread = opened(t);
  const first = await thread.api.id();
  const waiting = thread.api.wait();
  const closed = thread.close();
  const second = thread.api.id();
  await assert.rejects(waiting, hasEnded("the thread ended"));
  await closed;
  assert.notEqual(await second, first);
  assert.equal(await thread.api.id(), await second);
});

test("a thread that fills its heap ends alone; one without calls gives it back", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { api } = opened(t, { heapMb: 16, idleMs: 1_000 });
  await assert.rejects(api.fill(), ThreadEndedError);
  const first = await api.id();
  t.mock.timers.tick(999);
  assert.equal(await api.id(), first);
  t.mock.timers.tick(999);
  assert.equal(await api.id(), first);
  t.mock.timers.tick(1_000);
  assert.notEqual(await api.id(), first);
});

test("errors come through with their class, properties and causes", async (t) => {
  const { api } = opened(t);
  const [full, odd, unsendable] = await Promise.all(
    [api.refuse(), api.odd(7), api.unsendable()].map((call) => call.catch((error) => error)),
  );
  assert.ok(full instanceof ServiceError);
  const { code, detail, headers } = full;
  assert.deepEqual(
    { code, detail, headers },
    { code: "storage_full", detail: "Full.", headers: { "Retry-After": "1" } },
  );
  assert.match(full.stack ?? "", /data:text.javascript/);
  assert.equal(whyFailed(full), "disk-full");
  assert.ok(odd instanceof OddError);
  assert.equal(odd.odd, 7);
  assert.equal(unsendable.message, "Error: with a function");
});

test("the signal of a call is aborted in the thread, which ends the call", async (t) => {
  const thread = opened(t);
  const abort = new AbortController();
  const waiting = thread.with({ signal: abort.signal }).wait();
  assert.equal(await thread.api.next(1), 2);
  abort.abort();
  assert.equal(await waiting, "aborted");
  assert.equal(await thread.with({ signal: abort.signal }).wait(), "aborted");
});

test("calls in order begin when the one before has ended; others are concurrent", async (t) => {
  const [concurrent, ordered] = [opened(t), opened(t, {}, "inOrder()")];
  for (const thread of [concurrent, ordered]) {
    const abort = new AbortController();
    const ends: string[] = [];
    const first = thread.with({ signal: abort.signal }).wait();
    const second = thread.api.next(1);
    void first.then(() => ends.push("first"));
    void second.then(() => ends.push("second"));
    if (thread === concurrent) await second;
    abort.abort();
    await Promise.all([first, second]);
    assert.deepEqual(ends, thread === concurrent ? ["second", "first"] : ["first", "second"]);
  }
});

test("a call in order whose signal aborts while another blocks the thread knows it", async (t) => {
  const thread = opened(t, {}, "inOrder()");
  const [blocks, waits] = [new AbortController(), new AbortController()];
  const held = new Int32Array(new SharedArrayBuffer(4));
  const blocking = thread.with({ signal: blocks.signal }).block(held);
  const waiting = thread.with({ signal: waits.signal }).isAborted();
  blocks.abort(); // by now the thread has both calls
  await Atomics.waitAsync(held, 0, 0).value;
  waits.abort();
  Atomics.store(held, 0, 2);
  Atomics.notify(held, 0);
  assert.equal(await waiting, true);
  await blocking;
});

test("a stream is sent no faster than it is taken, and read to its end", async (t) => {
  const thread = opened(t);
  let read = 0;
  const { promise: isRead, resolve } = Promise.withResolvers<void>();
  async function* numbers() {
    for (; read < 1_000; read++) yield 1;
    resolve();
  }
  assert.equal(await thread.with({ items: numbers() }).sum(2_000), 1_000);
  read = 0;
  assert.equal(await thread.with({ items: numbers() }).sum(10), 10);
  assert.ok(read < 30, `${read} were read`);
  await isRead;
});

test("a stream that breaks off, or whose signal aborts, ends in the thread", async (t) => {
  const thread = opened(t);
  async function* broken() {
    yield 1;
    throw new Error("the sender is gone");
  }
  const failure = await thread
    .with({ items: broken() })
    .sum(2)
    .catch((error) => error);
  assert.equal(failure.message, "the stream broke off");
  assert.equal(failure.cause.message, "the sender is gone");
  const abort = new AbortController();
  const endless = new ReadableStream<number>();
  const summing = thread.with({ items: endless, signal: abort.signal }).sum(1);
  abort.abort();
  await assert.rejects(summing, { name: "AbortError" });
});

test("buffers of parameters and results move", async (t) => {
  const { api } = opened(t);
  const bytes = new Uint8Array([1, 2, 3]);
  const same = await api.same(moving(bytes, [bytes.buffer]));
  assert.deepEqual([bytes.byteLength, [...same]], [0, [1, 2, 3]]);
});
