import assert from "node:assert/strict";
import { once } from "node:events";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { loadavg } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { Worker } from "node:worker_threads";
import { printedDocument, runCommand, startServing, stopped } from "@sightline/test-kit/command.ts";
import { corpusWorkspace } from "@sightline/test-kit/sample-corpus.ts";
import { temporaryFolder } from "@sightline/test-kit/test-service.ts";
import { ask, sessionOf } from "../../cluster/cluster-client.ts";
import { percentile } from "../load-plan.ts";
import {
  answerBytes,
  type PostedBody,
  type PostedReply,
  type PostingOrder,
} from "../posting-worker.ts";

/** A gigabyte, unless it is said in megabytes. */
const megabytes = Number(process.env["SIGHTLINE_POSTED_MB"] ?? 1_000);
const answers = Math.round((megabytes * 1e6) / answerBytes);
const idleMs = 10_000;

const bounds = { perSecond: 5_000, peakMb: 450, timesIdle: 3 };

test("a gigabyte is posted at 5,000 answers a second, and questions wait little", async (t) => {
  const folder = temporaryFolder();
  t.after(() => rmSync(folder, { recursive: true }));
  const dataDir = join(folder, "data");
  const workspace = join(folder, "workspace.json");
  writeFileSync(workspace, JSON.stringify(corpusWorkspace));
  await runCommand(["apply", workspace, "--data-dir", dataDir]);
  const create = ["keys", "create", "--scope", "read,import", "--data-dir", dataDir, "--json"];
  const { key } = printedDocument<{ key: string }>(await runCommand(create));
  const limits = ["--rate-limit", "off", "--daily-quota", "off", "--session-ttl-seconds", "3600"];
  const serving = await startServing(dataDir, { parameters: limits });
  t.after(() => stopped(serving));
  const token = await sessionOf(serving.url, key);
  const pid = serving.process.pid ?? 0;
  await posted(serving.url, token, { from: 0, count: 20_000 });
  const idle = await asked(serving.url, token, idleMs);
  const cpuBefore = cpuSeconds(pid);
  const started = performance.now();
  const posting = { isOver: false };
  const [meanwhile, reply] = await Promise.all([
    asked(serving.url, token, () => posting.isOver),
    posted(serving.url, token, { from: 20_000, count: answers }).finally(() => {
      posting.isOver = true;
    }),
  ]);
  const seconds = (performance.now() - started) / 1_000;
  assert.deepEqual([reply.accepted, reply.rejected], [answers, 0]);
  const perSecond = Math.round(answers / seconds);
  const [idleP99, p99] = [idle, meanwhile].map((taken) => percentile(taken, 0.99));
  const peakMb = peakMegabytes(pid);
  t.diagnostic(
    `${perSecond} answers/s, ${Math.round(cpuSeconds(pid) - cpuBefore)} processor seconds in ` +
      `${Math.round(seconds)} s, peak ${peakMb} MB, p99 ${p99?.toFixed(1)} ms of ` +
      `${meanwhile.length} questions, idle ${idleP99?.toFixed(1)} ms, load ${loadavg()[0]}`,
  );
  assert.ok(perSecond >= bounds.perSecond, `${perSecond} answers/s`);
  assert.ok(peakMb <= bounds.peakMb, `${peakMb} MB`);
  assert.ok((p99 ?? 0) <= bounds.timesIdle * (idleP99 ?? 0), `p99 ${p99} ms, idle ${idleP99} ms`);
});

/** Posts answers in one body, from a thread of their own: it must not hold up who asks. */
async function posted(url: string, token: string, body: PostedBody): Promise<PostedReply> {
  const order: PostingOrder = { url, token, body };
  const worker = new Worker(new URL("../posting-worker.ts", import.meta.url), {
    workerData: order,
  });
  const [reply] = await once(worker, "message");
  return reply as PostedReply;
}

/** How long each question takes, one after the other, for a time or until something is over. */
async function asked(url: string, token: string, until: number | (() => boolean)) {
  const endMs = performance.now() + (typeof until === "number" ? until : 0);
  const isOver = typeof until === "number" ? () => performance.now() > endMs : until;
  const taken: number[] = [];
  for (let number = 0; !isOver(); number++) {
    const from = `2026-01-0${1 + (number % 9)}T00:00:00Z`;
    const filters = { timeRange: { from, to: "2026-03-01T00:00:00Z" } };
    const body = JSON.stringify({ interval: "daily", filters });
    const started = performance.now();
    const { status } = await ask(url, "/v1/analytics/brands/mentions", { token, body });
    assert.equal(status, 200);
    taken.push(performance.now() - started);
  }
  return taken;
}

const ticksPerSecond = 100;

/** Of all threads of a process, in user and system mode. */
function cpuSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
}

function peakMegabytes(pid: number): number {
  const [, kilobytes] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Math.round(Number(kilobytes) / 1_000);
}
