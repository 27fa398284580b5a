import assert from "node:assert/strict";
import { createServer } from "node:http";
import { loadavg } from "node:os";
import { after, before, test } from "node:test";
import { answersPath, hooksPath, workspacePath } from "@sightline/contract";
import type { AfterHook } from "@sightline/test-kit/sample-account.ts";
import { corpusAnswer, corpusWorkspace } from "@sightline/test-kit/sample-corpus.ts";
import { listening, startReceiver } from "@sightline/test-kit/webhook-receiver.ts";
import { attacks, startAttack } from "../hostile-accounts.ts";
import { percentile } from "../load-plan.ts";
import { heavyQuestions } from "../loaded-folder.ts";
import {
  type AccountCaller,
  healthMs,
  pause,
  type ThreeAccounts,
  threeAccountsFolder,
  WatchedMemory,
} from "../three-accounts.ts";

/** Each test: five minutes, unless it is said in seconds. */
const seconds = Number(process.env["SIGHTLINE_FAIRNESS_SECONDS"] ?? 300);
const bounds = { healthP99Ms: 50, peakMb: 1_024, growthMb: 100, times: 2, noiseMs: 50 };
const backWithinMs = 60_000;
/** Of the third account: below the default limit of 20 a second. */
const paceMs = 60;
/** Rounds of the third account alone. */
const roundsAlone = 30;

let folder: Awaited<ReturnType<typeof threeAccountsFolder>>;

before(async () => {
  folder = await threeAccountsFolder();
});

after(() => folder.remove());

interface Call {
  readonly method: "POST" | "PUT";
  readonly path: string;
  readonly type?: string;
  readonly body?: string;
}

let answersSent = 10_000;
let filesSent = 0;

/** What an account asks for; each import has other answers, and each file another topic. */
const calls = {
  question: () => json("POST", heavyQuestions[0]?.path ?? "", heavyQuestions[0]?.body ?? {}),
  evidence: () => {
    const filters = filtersOf(heavyQuestions[1]?.body);
    return json("POST", "/v1/evidence", { limit: 20, role: "any", filters });
  },
  import: () => {
    const lines = Array.from({ length: 50 }, () => JSON.stringify(corpusAnswer(answersSent++)));
    const body = `${lines.join("\n")}\n`;
    return { method: "POST", path: answersPath, type: "application/x-ndjson", body };
  },
  apply: () => {
    const topics = [...corpusWorkspace.topics, { name: `Topic ${filesSent++ % 2}` }];
    return json("PUT", workspacePath, { ...corpusWorkspace, topics });
  },
} satisfies Readonly<Record<string, () => Call>>;

type Name = keyof typeof calls;

function filtersOf(body: unknown): object {
  const { filters } = body as { readonly filters: object };
  return filters;
}

function json(method: Call["method"], path: string, body: object): Call {
  return { method, path, type: "application/json", body: JSON.stringify(body) };
}

/** How a caller is known: by its session, or by the cookie of the console. */
interface Door {
  readonly prefix: string;
  readonly headers: Readonly<Record<string, string>>;
}

const byToken = ({ token }: AccountCaller): Door => ({
  prefix: "",
  headers: { authorization: `Bearer ${token}` },
});

async function byCookie(url: string, { accountId, key }: AccountCaller): Promise<Door> {
  const page = { "sightline-console": "1" };
  const reply = await fetch(`${url}/console/sessions`, {
    method: "POST",
    headers: { ...page, "content-type": "application/json" },
    body: JSON.stringify({ key }),
  });
  assert.equal(reply.status, 200, await reply.text());
  const [cookie = ""] = reply.headers.getSetCookie().map((each) => each.split("; ")[0]);
  return { prefix: `/console/accounts/${accountId}`, headers: { ...page, cookie } };
}

/** How long a call took, which must be replied to with 200. */
async function msOf(url: string, { prefix, headers }: Door, call: Call): Promise<number> {
  const { method, path, type, body } = call;
  const startedMs = performance.now();
  const reply = await fetch(`${url}${prefix}${path}`, {
    method,
    headers: { ...headers, ...(type === undefined ? {} : { "content-type": type }) },
    ...(body === undefined ? {} : { body }),
  });
  const text = await reply.text();
  assert.equal(reply.status, 200, `${path}: ${text.slice(0, 300)}`);
  return performance.now() - startedMs;
}

const shown = (ms: readonly number[]) =>
  `p50 ${percentile(ms, 0.5).toFixed(1)} ms, p99 ${percentile(ms, 0.99).toFixed(1)} ms`;

/** Says what the memory did, and what of it is over its bound. */
async function memoryFaults(memory: WatchedMemory, say: (line: string) => void) {
  const backMb = await memory.back(bounds.growthMb, backWithinMs);
  const { beforeMb, peakMb } = memory;
  const [first, most, last] = [beforeMb, peakMb, backMb].map((mb) => mb.toFixed(0));
  say(`memory ${first} MB before, ${most} MB at most, ${last} MB after; load ${loadavg()[0]}`);
  return [
    ...(peakMb <= bounds.peakMb ? [] : [`memory: ${most} MB at most`]),
    ...(backMb - beforeMb <= bounds.growthMb ? [] : [`memory: ${last} MB after`]),
  ];
}

test("24 clients of three accounts: no error, /healthz answers, memory comes back", async (t) => {
  const { url, pid, callers } = await folder.serve(
    t,
    "--rate-limit",
    "off",
    "--daily-quota",
    "off",
  );
  const cookies = await Promise.all(callers.map((caller) => byCookie(url, caller)));
  const doors = [...callers.map(byToken), ...cookies];
  for (const call of Object.values(calls)) await msOf(url, byToken(callers[0]), call());
  const memory = new WatchedMemory(pid);
  const endMs = performance.now() + seconds * 1_000;
  const taken = new Map<Name, number[]>();
  const mix: readonly Name[] = ["question", "question", "question", "question", "evidence"];
  const names: readonly Name[] = [...mix, "evidence", "import", "apply"];
  const client = async (place: number) => {
    const name = names[place % names.length] ?? "question";
    // Of each eight clients, and so of each kind of call, one in three is the console's.
    const door = doors[(place % 3) + (place >= 16 ? 3 : 0)] ?? byToken(callers[0]);
    while (performance.now() < endMs) {
      const ms = await msOf(url, door, calls[name]());
      taken.set(name, [...(taken.get(name) ?? []), ms]);
    }
  };
  const looking = healthMs(url, () => performance.now() >= endMs);
  await Promise.all(Array.from({ length: 24 }, (_, place) => client(place)));
  const health = await looking;
  for (const [name, ms] of taken) t.diagnostic(`${name}: ${ms.length} calls, ${shown(ms)}`);
  t.diagnostic(`/healthz: ${shown(health)}`);
  const faults = await memoryFaults(memory, (line) => t.diagnostic(line));
  assert.deepEqual(faults, []);
  assert.ok(percentile(health, 0.99) < bounds.healthP99Ms);
});

/** A receiver that takes deliveries and never replies. */
async function silentReceiver(t: AfterHook): Promise<string> {
  const server = createServer((request) => void request.resume());
  const { port } = await listening(server);
  t.after(async () => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${port}/hook`;
}

/** What is measured of the third account; its webhook has a receiver that replies. */
async function measuredCalls(t: AfterHook, { url, callers }: ThreeAccounts) {
  const { url: receiver } = await startReceiver(t);
  const made = await fetch(`${url}${hooksPath}`, {
    method: "POST",
    headers: { ...byToken(callers[2]).headers, "content-type": "application/json" },
    body: JSON.stringify({ url: receiver, events: ["moved"] }),
  });
  const { id } = (await made.json()) as { readonly id: string };
  const webhook = (): Call => ({ method: "POST", path: `${hooksPath}/${id}/test` });
  const { question, import: imported, apply } = calls;
  return { question, import: imported, apply, webhook };
}

for (const name of Object.keys(attacks) as (keyof typeof attacks)[]) {
  test(`two accounts, ${name}: a third waits at most twice as long`, async (t) => {
    const service = await folder.serve(t);
    const { url, pid, callers } = service;
    const door = byToken(callers[2]);
    const measured = Object.entries(await measuredCalls(t, service));
    const rounds = async (goesOn: (round: number) => boolean) => {
      const taken = new Map(measured.map(([each]) => [each, [] as number[]]));
      for (let round = 0; goesOn(round); round++) {
        for (const [each, call] of measured) {
          const paced = pause(paceMs);
          taken.get(each)?.push(await msOf(url, door, call()));
          await paced;
        }
      }
      return taken;
    };
    await rounds((round) => round < 10); // the first calls of a service are slower
    const alone = await rounds((round) => round < roundsAlone);
    const memory = new WatchedMemory(pid);
    const [first, second] = callers;
    const tokens = [first.token, second.token];
    const end = await startAttack(t, name, { url, tokens, silentHook: await silentReceiver(t) });
    const endMs = performance.now() + seconds * 1_000;
    const looking = healthMs(url, () => performance.now() >= endMs);
    const beside = await rounds(() => performance.now() < endMs);
    const became = await end();
    t.diagnostic(`the two: ${JSON.stringify(became)}; /healthz: ${shown(await looking)}`);
    assert.notDeepEqual(became, {});
    const faults: string[] = [];
    for (const [each, ms] of beside) {
      const aloneMs = alone.get(each) ?? [];
      const line = `${each}: alone ${shown(aloneMs)}; beside ${shown(ms)}`;
      t.diagnostic(line);
      const most = bounds.times * percentile(aloneMs, 0.5) + bounds.noiseMs;
      if (percentile(ms, 0.5) > most) faults.push(line);
    }
    faults.push(...(await memoryFaults(memory, (line) => t.diagnostic(line))));
    assert.deepEqual(faults, []);
  });
}
