import assert from "node:assert/strict";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { loadavg } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { answersPath, workspacePath } from "@sightline/contract";
import { sessionOf } from "../../cluster/cluster-client.ts";
import { printedDocument, runCommand, startServing, stopped } from "../../command.ts";
import { openCall } from "../../open-call.ts";
import { corpusFile, corpusWorkspace } from "../../sample-corpus.ts";
import { temporaryFolder } from "../../test-service.ts";
import { until } from "../../until.ts";
import { percentile } from "../load-plan.ts";
import { heavyQuestions } from "../loaded-folder.ts";

/** Five minutes, unless it is said in seconds. */
const seconds = Number(process.env["SIGHTLINE_FAIRNESS_SECONDS"] ?? 300);
const bounds = { healthP99Ms: 50, growthMb: 100, times: 2, noiseMs: 50 };
const accounts = ["first", "second", "third"] as const;
const answers = 4_000;

interface Kept {
  readonly url: string;
  readonly pid: number;
  readonly tokens: readonly string[];
}

/** A service with three accounts of equal size, and a session of each that may do everything. */
async function startThree(t: { readonly after: (end: () => Promise<void>) => void }) {
  const folder = temporaryFolder();
  t.after(async () => rmSync(folder, { recursive: true }));
  const dataDir = join(folder, "data");
  const run = (...parameters: readonly string[]) =>
    runCommand([...parameters, "--data-dir", dataDir, "--json"]);
  const keys: string[] = [];
  for (const name of accounts) {
    const path = join(folder, name);
    writeFileSync(path, JSON.stringify({ ...corpusWorkspace, account: { name } }));
    const applied = printedDocument<{ accountId: string }>(await run("apply", path));
    writeFileSync(path, corpusFile(answers));
    await run("import", path, "--account", applied.accountId);
    const create = ["keys", "create", "--account", applied.accountId];
    const made = await run(...create, "--scope", "read,import,manage");
    keys.push(printedDocument<{ key: string }>(made).key);
  }
  const limits = ["--rate-limit", "off", "--daily-quota", "off", "--session-ttl-seconds", "3600"];
  const serving = await startServing(dataDir, { parameters: [...limits, "--reply-cache", "off"] });
  t.after(async () => void (await stopped(serving)));
  const tokens = await Promise.all(keys.map((key) => sessionOf(serving.url, key)));
  return { url: serving.url, pid: serving.process.pid ?? 0, tokens } satisfies Kept;
}

function filtersOf(body: unknown): object {
  const { filters } = body as { readonly filters: object };
  return { filters };
}

/** What an account asks for; each is one call, and null is GET. */
const calls = {
  question: { path: heavyQuestions[0]?.path ?? "", body: JSON.stringify(heavyQuestions[0]?.body) },
  evidence: {
    path: "/v1/evidence",
    body: JSON.stringify({ limit: 20, role: "any", ...filtersOf(heavyQuestions[1]?.body) }),
  },
  import: { path: answersPath, body: corpusFile(500), type: "application/x-ndjson" },
  apply: { path: `${workspacePath}?dryRun=true`, body: JSON.stringify(corpusWorkspace) },
} as const;

type Name = keyof typeof calls;

async function msOf(url: string, token: string, name: Name): Promise<number> {
  const { path, body, ...more } = calls[name];
  const type = "type" in more ? more.type : "application/json";
  const startedMs = performance.now();
  const reply = await fetch(`${url}${path}`, {
    method: name === "apply" ? "PUT" : "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": type },
    body,
  });
  const text = await reply.text();
  assert.equal(reply.status, 200, `${name}: ${text.slice(0, 300)}`);
  return performance.now() - startedMs;
}

function residentMb(pid: number): number {
  const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Number(kilobytes) / 1_024;
}

test("24 clients of three accounts: no error, /healthz answers, memory comes back", async (t) => {
  const { url, pid, tokens } = await startThree(t);
  for (const name of Object.keys(calls) as Name[]) await msOf(url, tokens[0] ?? "", name);
  const beforeMb = residentMb(pid);
  const endMs = performance.now() + seconds * 1_000;
  let count = 0;
  const mix: readonly Name[] = ["question", "question", "question", "question", "evidence"];
  const client = async (place: number) => {
    const names: readonly Name[] = [...mix, "evidence", "import", "apply"];
    const name = names[place % names.length] ?? "question";
    for (; performance.now() < endMs; count++) {
      await msOf(url, tokens[place % tokens.length] ?? "", name);
    }
  };
  const health: number[] = [];
  const looking = async () => {
    while (performance.now() < endMs) {
      const startedMs = performance.now();
      await (await fetch(`${url}/healthz`)).text();
      health.push(performance.now() - startedMs);
    }
  };
  await Promise.all([looking(), ...Array.from({ length: 24 }, (_, place) => client(place))]);
  const backMb = () => {
    const nowMb = residentMb(pid);
    return nowMb - beforeMb <= bounds.growthMb ? nowMb : null;
  };
  const afterMb = await until("memory comes back", backMb, 60_000);
  const healthP99Ms = percentile(health, 0.99);
  t.diagnostic(
    `${count} calls in ${seconds} s, /healthz p99 ${healthP99Ms.toFixed(1)} ms, memory ` +
      `${beforeMb.toFixed(0)} MB before and ${afterMb.toFixed(0)} MB after, load ${loadavg()[0]}`,
  );
  assert.ok(healthP99Ms < bounds.healthP99Ms);
});

/** What two accounts do to the third; each gives what ends it. */
const attacks = {
  "silent bodies": async (t, { url, tokens }) => {
    for (const token of tokens.slice(0, 2)) {
      for (let each = 0; each < 2; each++) {
        const ndjson = { method: "POST", path: answersPath, type: "application/x-ndjson" } as const;
        await openCall(t, url, { ...ndjson, token, first: "{" });
        const file = { method: "PUT", path: workspacePath, type: "application/yaml" } as const;
        await openCall(t, url, { ...file, token, first: "{" });
      }
    }
    return async () => undefined;
  },
  "floods within the limits": async (_t, { url, tokens }) => {
    const flood = { goesOn: true };
    const senders = tokens.slice(0, 2).flatMap((token) =>
      (["question", "question", "import", "import", "apply"] as const).map(async (name) => {
        while (flood.goesOn) await msOf(url, token, name);
      }),
    );
    return async () => {
      flood.goesOn = false;
      await Promise.all(senders);
    };
  },
} satisfies Record<
  string,
  (
    t: { readonly after: (end: () => Promise<void>) => void },
    kept: Kept,
  ) => Promise<() => Promise<void>>
>;

for (const [name, attack] of Object.entries(attacks)) {
  test(`two accounts, ${name}: a third waits at most twice as long`, async (t) => {
    const kept = await startThree(t);
    const third = kept.tokens[2] ?? "";
    const medians = async () => {
      const figures = new Map<Name, number>();
      for (const each of ["question", "import", "apply"] as const) {
        const taken: number[] = [];
        for (let round = 0; round < 15; round++) taken.push(await msOf(kept.url, third, each));
        figures.set(each, percentile(taken, 0.5));
      }
      return figures;
    };
    await medians();
    const alone = await medians();
    const end = await attack(t, kept);
    const beside = await medians();
    await end();
    for (const [each, ms] of alone) {
      const besideMs = beside.get(each) ?? 0;
      t.diagnostic(`${each}: alone ${ms.toFixed(1)} ms, beside ${besideMs.toFixed(1)} ms`);
    }
    t.diagnostic(`load ${loadavg()[0]}`);
    for (const [each, ms] of alone) {
      assert.ok((beside.get(each) ?? 0) <= bounds.times * ms + bounds.noiseMs, each);
    }
  });
}
