import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { temporaryFolder } from "@sightline/test-kit/test-service.ts";
import { differenceOf } from "../engine-rows.ts";
import { catalogueOf } from "../generator/catalogue.ts";
import { scaled, workloads } from "../generator/workload.ts";
import { metricSum, Served } from "../measure/served.ts";
import { countPlainly } from "../plain-counting.ts";
import { requestOf } from "../question-request.ts";
import { questionsOf } from "../questions.ts";
import { type FilledAccount, fillSightline } from "./fill-sightline.ts";

const workload = scaled(workloads.S, 0.01);
const catalogue = catalogueOf(workload);
const folder = temporaryFolder();
let account: FilledAccount;
let served: Served;

before(async () => {
  const dataDir = join(folder, "data");
  account = await fillSightline(dataDir, workload);
  served = await Served.start(dataDir);
});

after(async () => {
  await served.stop();
  rmSync(folder, { recursive: true });
});

test("a server takes the facts that were filled as they are", async () => {
  const metrics = await served.metrics();
  assert.equal(metricSum(metrics, /^sightline_facts_rebuilds_total/), 0);
  assert.equal(metricSum(metrics, /^sightline_answers_projected_total/), 0);
});

test("its replies are what plain counting over the generated answers gives", async () => {
  for (const question of questionsOf(workload)) {
    if (question.kind === "sources" && question.offset > 0) continue; // there are no tenth pages
    const { body } = await served.ask(account, requestOf(question, catalogue));
    const difference = differenceOf(question, body, countPlainly(workload, question));
    assert.equal(difference, null, question.name);
  }
});

test("a difference is seen", async () => {
  const [series] = questionsOf(workload);
  const sources = questionsOf(workload).find(({ kind }) => kind === "sources");
  for (const question of [series, sources]) {
    assert.ok(question !== undefined);
    const { body } = await served.ask(account, requestOf(question, catalogue));
    const other = countPlainly({ ...workload, seed: 1 }, question);
    assert.notEqual(differenceOf(question, body, other), null);
  }
});
