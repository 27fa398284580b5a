import assert from "node:assert/strict";
import { test } from "node:test";
import { startStandIn } from "@sightline/stand-in";
import { planSweepOf } from "@sightline/test-kit/collection/plan-sweep-of.ts";
import { vendorEnvironment } from "@sightline/test-kit/collection/vendor-environment.ts";
import { startServing, stopped } from "@sightline/test-kit/command.ts";
import { until } from "@sightline/test-kit/until.ts";
import { applyWorkspace } from "../../../src/accounts/apply-workspace.ts";
import { readWorkspaceFile } from "../../../src/accounts/workspace-file/read-workspace-file.ts";
import { sweepById } from "../../../src/collection/store/sweep-reads.ts";
import { openStorage } from "../../../src/storage.ts";
import { LoadClient } from "../load-client.ts";
import { percentile } from "../load-plan.ts";
import { lightQuestion, loadedFolder } from "../loaded-folder.ts";

/** As a provider that searches takes; four at a time of four vendors are some 12,000 an hour. */
const latencyMs = 4_000;
const questions = 1_500;
const jobsAnHourMin = 10_000;
/** Of the time of a question while nothing is collected. */
const shareMax = 1.3;
const prompts = Array.from({ length: 400 }, (_, each) => `Which seeds are best for bed ${each}?`);

test("10,000 jobs an hour, and questions take at most 1.3 times as long", async (t) => {
  const folder = await loadedFolder();
  const standIn = await startStandIn({ faults: { latencyMs } });
  const serving = await startServing(folder.dataDir, {
    environment: vendorEnvironment(standIn.url),
    parameters: ["--reply-cache", "off", "--collect-concurrency", "4"],
  });
  const storage = await openStorage(folder.dataDir);
  t.after(async () => {
    await stopped(serving);
    await storage.close();
    await standIn.close();
    folder.remove();
  });
  const client = new LoadClient(serving.url, 1);
  const token = await client.session(folder.light.unlimitedKey);
  const p99 = async () => {
    const taken: number[] = [];
    for (let asked = 0; asked < questions; asked++) {
      const reply = await client.ask(lightQuestion.path, { token, body: lightQuestion.body });
      assert.equal(reply.status, 200);
      taken.push(reply.ms);
    }
    return percentile(taken, 0.99);
  };
  await p99(); // warm
  const idleMs = await p99();
  const collection = { providers: ["OPENAI", "ANTHROPIC", "GEMINI", "GROK"] };
  const file = { account: { name: "Collected" }, brand: { name: "Acme" }, collection, prompts };
  const workspace = readWorkspaceFile(JSON.stringify(file));
  await applyWorkspace(storage.control, workspace.accountId, workspace, {
    now: storage.clock.now(),
  });
  const sweepId = await planSweepOf(storage, workspace.accountId);
  const done = async () => {
    const sweep = await sweepById(
      storage.control,
      workspace.accountId,
      sweepId,
      storage.clock.now(),
    );
    return sweep?.parts.reduce((sum, part) => sum + part.done, 0) ?? 0;
  };
  await until("it is under way", async () => ((await done()) > 50 ? true : null), 60_000);
  const [before, started] = [await done(), performance.now()];
  const collectingMs = await p99();
  await until(
    "twenty seconds' jobs are done",
    async () => {
      return performance.now() - started > 20_000 ? true : null;
    },
    60_000,
  );
  const jobsAnHour = ((await done()) - before) / ((performance.now() - started) / 3_600_000);
  const figures = { jobsAnHour: Math.round(jobsAnHour), idleMs, collectingMs };
  t.diagnostic(JSON.stringify(figures));
  assert.ok(jobsAnHour >= jobsAnHourMin, `${jobsAnHour} jobs an hour`);
  assert.ok(collectingMs <= shareMax * idleMs, JSON.stringify(figures));
});
