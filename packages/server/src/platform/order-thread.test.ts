import assert from "node:assert/strict";
import { test } from "node:test";
import { OrderThread, ThreadEndedError } from "./order-thread.ts";

/** Replies to numbers, and dies of anything else. */
const worker = `
  import { parentPort } from "node:worker_threads";
  parentPort.on("message", ({ number, port }) => {
    if (number === null) throw new Error("out of memory");
    port.postMessage(number + 1);
  });
`;

test("a thread that dies of an error ends its orders, and the next order begins one", async () => {
  const file = new URL(`data:text/javascript,${encodeURIComponent(worker)}`);
  const thread = new OrderThread<{ number: number | null }, number>(file, null);
  try {
    assert.equal(await thread.send({ number: 1 }), 2);
    const dead = (error: unknown) =>
      error instanceof ThreadEndedError && error.message.includes("out of memory");
    await assert.rejects(thread.send({ number: null }), dead);
    assert.equal(await thread.send({ number: 2 }), 3);
  } finally {
    await thread.close();
  }
});

/** Fills its heap when it is told to, and says otherwise which thread it is. */
const hungry = `
  import { parentPort, threadId } from "node:worker_threads";
  parentPort.on("message", ({ fills, port }) => {
    const kept = [];
    while (fills) kept.push({ kept: kept.length });
    port.postMessage(threadId);
  });
`;

test("a thread that fills its heap ends alone; one without orders gives it back", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const file = new URL(`data:text/javascript,${encodeURIComponent(hungry)}`);
  const bounds = { heapMb: 16, idleMs: 1_000 };
  const thread = new OrderThread<{ fills: boolean }, number>(file, null, bounds);
  t.after(() => thread.close());
  await assert.rejects(thread.send({ fills: true }), ThreadEndedError);
  const first = await thread.send({ fills: false });
  t.mock.timers.tick(999);
  assert.equal(await thread.send({ fills: false }), first);
  t.mock.timers.tick(999);
  assert.equal(await thread.send({ fills: false }), first);
  t.mock.timers.tick(1_000);
  assert.notEqual(await thread.send({ fills: false }), first);
});
