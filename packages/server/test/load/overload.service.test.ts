import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { stopped } from "@sightline/test-kit/command.ts";
import { until } from "@sightline/test-kit/until.ts";
import { LoadClient } from "./load-client.ts";
import { repliesOf } from "./load-plan.ts";
import { heavyQuestions, lightQuestion } from "./loaded-folder.ts";
import { askedUntil, heavyAsker, type LoadedService, startLoaded } from "./loaded-service.ts";
import { oneWindow, startLoad } from "./start-load.ts";

// What is answered under overload. How soon, and how much of it, is measured by tasks/soak.
const windowMs = 1_000;

let loaded: LoadedService;

before(async () => {
  loaded = await startLoaded();
});

after(() => loaded.end());

test("a key at 50 times its limit gets 429; another key's questions are answered", async () => {
  const { url } = loaded.serving;
  const plan = { url, questions: [lightQuestion], connections: 8, windowMs };
  const other = { ...plan, key: loaded.folder.light.unlimitedKey, ratePerSecond: 50 };
  const flood = { ...plan, key: loaded.folder.heavy.key, ratePerSecond: 1_000, windows: 1 };
  const flooding = startLoad(flood);
  await flooding.started;
  const [[flooded], beside] = await Promise.all([flooding.finished, oneWindow(other)]);
  assert.ok(flooded !== undefined, "the flood ended before its report");
  assert.deepEqual(Object.keys(flooded.replies).sort(), ["200", "429"]);
  assert.ok(repliesOf(flooded, "429").count > repliesOf(flooded, "200").count);
  assert.equal(flooded.withoutRetryAfter, 0);
  assert.deepEqual(Object.keys(beside.replies), ["200"]);
});

test("400 clients that honour Retry-After are answered or get 503", async () => {
  const key = loaded.folder.heavy.unlimitedKey;
  const crowd = { url: loaded.serving.url, key, questions: heavyQuestions, ratePerSecond: null };
  const load = startLoad({ ...crowd, connections: 400, windowMs, windows: 1, isPatient: true });
  const [crowded] = await load.finished;
  assert.ok(crowded !== undefined, "the load ended before its report");
  assert.deepEqual(Object.keys(crowded.replies).sort(), ["200", "503"]);
  assert.equal(crowded.withoutRetryAfter, 0);
});

test("400 impatient clients get 503 with Retry-After; others get on, also after it", async (t) => {
  const { url } = loaded.serving;
  const client = new LoadClient(url, 2);
  const heavy = await heavyAsker(loaded, 1);
  t.after(() => {
    client.close();
    heavy.close();
  });
  const token = await client.session(loaded.folder.light.unlimitedKey);
  const { path, body } = lightQuestion;
  const key = loaded.folder.heavy.unlimitedKey;
  const plan = { url, key, questions: heavyQuestions, ratePerSecond: null };
  const flood = startLoad({ ...plan, connections: 400, windowMs, windows: 1 });
  await flood.started;
  const [answered, health, [shed]] = await Promise.all([
    askedUntil(flood.finished, () => client.ask(path, { token, body })),
    askedUntil(flood.finished, () => client.ask("/healthz")),
    flood.finished,
  ]);
  assert.ok(shed !== undefined, "the flood ended before its report");
  assert.deepEqual(Object.keys(shed.replies).sort(), ["200", "503"], shed.failures.join("\n"));
  assert.equal(shed.withoutRetryAfter, 0);
  for (const { status } of [...answered, ...health]) assert.equal(status, 200);
  assert.ok(answered.length > 0 && health.length > 0);
  await until("the heavy account is answered again", async () =>
    (await heavy.ask()).status === 200 ? true : null,
  );
});

test("clients that hang up leave the line and free their places", async (t) => {
  const placesMax = 68; // 4 running, 64 waiting
  const crowdSize = placesMax + 32; // some are served before the last has come
  const crowd = await heavyAsker(loaded, crowdSize);
  const other = await heavyAsker(loaded, 1);
  t.after(() => {
    crowd.close();
    other.close();
  });
  const crowdAsks = (count: number, signal?: AbortSignal) =>
    Array.from({ length: count }, () => crowd.ask(signal));
  await crowd.connect();
  const served = await Promise.all(crowdAsks(placesMax));
  assert.deepEqual([...new Set(served.map(({ status }) => status))], [200]);

  await crowd.connect();
  const hangUp = new AbortController();
  const hanging = crowdAsks(crowdSize, hangUp.signal).map((asked) =>
    // The first to be turned away tells that every place is taken.
    asked.then(({ status }) => status === 503 && hangUp.abort()),
  );
  await Promise.allSettled(hanging);
  assert.ok(hangUp.signal.aborted, "no place was ever wanting");
  await until("a place", async () => ((await other.ask()).status === 200 ? true : null));
});

// The last test: it ends the server.
test("SIGTERM under load on kept-alive connections: no request fails, exit 0", async (t) => {
  const clients = await Promise.all(Array.from({ length: 16 }, () => heavyAsker(loaded, 1)));
  t.after(() => {
    for (const { close } of clients) close();
  });
  let answered = 0;
  const untilClosed = clients.map(async ({ ask }) => {
    for (;;) {
      const { status, headers } = await ask();
      assert.equal(status, 200);
      answered++;
      if (headers["connection"] === "close") return;
    }
  });
  await until("the load to be steady", () => (answered > 100 ? true : null));
  const beforeStop = answered;
  const { status, signal, stderr } = await stopped(loaded.serving);
  await Promise.all(untilClosed);
  t.diagnostic(JSON.stringify({ beforeStop, afterStop: answered - beforeStop }));
  assert.deepEqual([status, signal], [0, null], stderr);
});
