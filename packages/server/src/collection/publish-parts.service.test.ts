import assert from "node:assert/strict";
import { test } from "node:test";
import { adapterOf } from "@sightline/test-kit/collection/provider-samples.ts";
import { recordedLog } from "@sightline/test-kit/recorded-log.ts";
import { emptyAccount, newJobs, newSweep } from "@sightline/test-kit/sweeps.ts";
import { TestService } from "@sightline/test-kit/test-service.ts";
import { CollectionCounts } from "./counts.ts";
import { jobReader } from "./kept-replies.ts";
import { type PublishTools, publishParts } from "./publish-parts.ts";
import { partsToPublish } from "./store/part-store.ts";
import { addSweep } from "./store/sweep-store.ts";

const jobsCount = 250;

/** A part whose jobs all failed, to be published, and what a worker publishes it with. */
async function partToPublish(t: { after: (work: () => Promise<void>) => void }) {
  const service = await TestService.start();
  t.after(() => service.close());
  const { clock } = service;
  const { control, answers } = service.services;
  const accountId = await emptyAccount(control);
  const sweep = newSweep(clock.now(), newJobs(jobsCount));
  await addSweep(control, accountId, sweep, clock.now());
  clock.advance(sweep.deadline - clock.now());
  const { logger, lines } = recordedLog();
  const read = jobReader({ answers, adapterOf });
  const counts = new CollectionCounts();
  const tools = { control, answers, clock, counts, logger, readJobs: read };
  return { accountId, tools, clock, lines };
}

const { signal } = new AbortController();

test("a part that takes longer than a claim is published by one worker", async (t) => {
  const { accountId, tools, clock } = await partToPublish(t);
  let readings = 0;
  const others: number[] = [];
  const readJobs: PublishTools["readJobs"] = async function* (part, jobs) {
    readings++;
    clock.advance(90_000); // three pages take twice as long as a claim
    others.push(await publishParts({ ...tools, readJobs }, signal));
    yield* tools.readJobs(part, jobs);
  };
  assert.equal(await publishParts({ ...tools, readJobs }, signal), 1);
  assert.deepEqual([readings, others], [3, [0, 0, 0]]);
  assert.equal((await tools.answers.end(accountId)).sequence, jobsCount);
  assert.deepEqual(await partsToPublish(tools.control, clock.now(), 1), []);
});

test("a worker that was away for longer than its claim leaves the part to another", async (t) => {
  const { accountId, tools, clock, lines } = await partToPublish(t);
  let readings = 0;
  const readJobs: PublishTools["readJobs"] = async function* (part, jobs) {
    if (readings++ === 0) {
      clock.advance(120_000);
      assert.equal(await publishParts(tools, signal), 1, "the other one has it now");
    }
    yield* tools.readJobs(part, jobs);
  };
  assert.equal(await publishParts({ ...tools, readJobs }, signal), 0);
  assert.equal(readings, 1);
  const failed = lines.filter(({ msg }) => msg === "publishing failed");
  assert.deepEqual(
    failed.map(({ error }) => error),
    ["Error: another worker publishes the part"],
  );
  assert.equal((await tools.answers.end(accountId)).sequence, jobsCount);
});

test("raw replies are read once for a page of jobs", async (t) => {
  const { tools } = await partToPublish(t);
  const asked: number[] = [];
  const answers = {
    rawsOf: async (accountId: string, ids: readonly string[]) => {
      asked.push(ids.length);
      return tools.answers.rawsOf(accountId, ids);
    },
  };
  const read = jobReader({ answers, adapterOf });
  const readJobs: PublishTools["readJobs"] = (part, jobs) =>
    read(
      part,
      jobs.map((job) => ({ ...job, state: "done" })),
    );
  assert.equal(await publishParts({ ...tools, readJobs }, signal), 1);
  assert.deepEqual(asked, [100, 100, 50]);
});
