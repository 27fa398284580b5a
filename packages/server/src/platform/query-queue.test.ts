import assert from "node:assert/strict";
import { test } from "node:test";
import { QueryQueue } from "./query-queue.ts";
import { ServiceError } from "./service-error.ts";

const patient = new AbortController().signal;

/** Questions that run until they are told to end; `started` tells which did start, in order. */
function questions(slots: QueryQueue) {
  const started: string[] = [];
  const ends = new Map<string, () => void>();
  const ask = (accountId: string, name: string, signal = patient) =>
    slots.run(accountId, signal, () => {
      started.push(name);
      return new Promise<void>((end) => ends.set(name, end));
    });
  const end = async (name: string, asked: Promise<void>) => {
    ends.get(name)?.();
    await asked;
  };
  return { started, ask, end };
}

test("no more questions run concurrently than allowed, in total and per account", async () => {
  const { started, ask, end } = questions(
    new QueryQueue({ running: 3, runningPerAccount: 2, waitingPerAccount: 9 }),
  );
  const a1 = ask("a", "a1");
  const others = [ask("a", "a2"), ask("a", "a3"), ask("b", "b1"), ask("b", "b2")];
  assert.deepEqual(started, ["a1", "a2", "b1"]);
  await end("a1", a1);
  assert.deepEqual(started, ["a1", "a2", "b1", "a3"]);
  assert.equal(others.length, 4);
});

test("accounts that wait are served in turns", async () => {
  const { started, ask, end } = questions(
    new QueryQueue({ running: 1, runningPerAccount: 1, waitingPerAccount: 9 }),
  );
  const asked = new Map(
    ["a1", "a2", "a3", "a4", "b1", "c1"].map((name) => [name, ask(name.charAt(0), name)]),
  );
  for (const name of ["a1", "a2", "b1", "c1", "a3", "a4"]) {
    assert.equal(started.at(-1), name);
    await end(name, asked.get(name) ?? Promise.reject(new Error(name)));
  }
});

test("a full line turns the next one away with overloaded, and nobody else", async () => {
  const { started, ask } = questions(
    new QueryQueue({ running: 2, runningPerAccount: 1, waitingPerAccount: 1 }),
  );
  const running = [ask("a", "a1"), ask("a", "a2")];
  await assert.rejects(
    ask("a", "a3"),
    (error) => error instanceof ServiceError && error.code === "overloaded",
  );
  running.push(ask("b", "b1"));
  assert.deepEqual(started, ["a1", "b1"]);
});

test("who gives up while waiting leaves the line", async () => {
  const { started, ask, end } = questions(
    new QueryQueue({ running: 1, runningPerAccount: 1, waitingPerAccount: 9 }),
  );
  const impatient = new AbortController();
  const a1 = ask("a", "a1");
  const a2 = ask("a", "a2", impatient.signal);
  const a3 = ask("a", "a3");
  impatient.abort(new Error("gone"));
  await assert.rejects(a2, /gone/);
  await end("a1", a1);
  assert.deepEqual(started, ["a1", "a3"]);
  await end("a3", a3);
});

test("a question that fails frees its place", async () => {
  const slots = new QueryQueue({ running: 1, runningPerAccount: 1, waitingPerAccount: 1 });
  const failing = slots.run("a", patient, () => Promise.reject(new Error("no")));
  await assert.rejects(failing, /no/);
  assert.equal(await slots.run("a", patient, async () => "yes"), "yes");
});
