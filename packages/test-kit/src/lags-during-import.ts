import assert from "node:assert/strict";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { printedDocument, runCommand, startCommand, startServing, stopped } from "./command.ts";
import type { AfterHook } from "./sample-account.ts";
import { corpusFile, corpusWorkspace } from "./sample-corpus.ts";
import { temporaryFolder } from "./test-service.ts";
import { until } from "./until.ts";

const [promptId = ""] = corpusWorkspace.prompts.map(({ id }) => id);

/** How soon it counts is measured; that it counts at all is tested, with others at work. */
const withinMs = 60_000;

interface Reply {
  readonly sessionJwt: string;
  readonly series: readonly { readonly data: readonly { readonly value: number | null }[] }[];
}

/**
 * Imports many answers into a served account and, meanwhile, some more, each in a process of its
 * own. @returns how many milliseconds after its process ended each of those counted.
 */
export async function lagsDuringImport(
  t: AfterHook,
  { answers, singles }: { readonly answers: number; readonly singles: number },
): Promise<readonly number[]> {
  const folder = temporaryFolder();
  const dataDir = join(folder, "data");
  t.after(async () => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, "workspace.json"), JSON.stringify(corpusWorkspace));
  writeFileSync(join(folder, "many.ndjson"), corpusFile(answers));
  const options = ["--data-dir", dataDir, "--json"];
  await runCommand(["apply", join(folder, "workspace.json"), ...options]);
  const { key } = printedDocument<{ key: string }>(
    await runCommand(["keys", "create", ...options]),
  );
  // This client asks as fast as it can.
  const environment = { SIGHTLINE_RATE_LIMIT: "off", SIGHTLINE_DAILY_QUOTA: "off" };
  const serving = await startServing(dataDir, { environment });
  t.after(async () => void (await stopped(serving)));
  const post = async (path: string, token: string, body?: object) => {
    const reply = await fetch(`${serving.url}${path}`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${token}`,
        ...(body ? { "content-type": "application/json" } : {}),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    return (await reply.json()) as Reply;
  };
  const { sessionJwt } = await post("/v1/auth/accesskey/exchange", key);
  const importing = startCommand(["import", join(folder, "many.ndjson"), ...options]);

  const lags: number[] = [];
  for (let year = 2001; year <= 2000 + singles; year++) {
    const answer = {
      promptId,
      provider: "GROK",
      answeredAt: `${year}-01-01T00:00:00Z`,
      text: "None.",
    };
    const input = `${JSON.stringify(answer)}\n`;
    // Its own process, as any import: what is measured starts before its commit and its exit.
    const single = startCommand(["import", "-", ...options], { input });
    const committed = single.finished.then(() => performance.now());
    const timeRange = { from: answer.answeredAt, to: `${year}-01-02T00:00:00Z` };
    const body = { interval: "daily", filters: { timeRange } };
    const isCounted = async () => {
      const { series } = await post("/v1/analytics/brands/mentions", sessionJwt, body);
      return typeof series[0]?.data[0]?.value === "number" ? true : null;
    };
    await until(`the answer of ${year}`, isCounted, withinMs);
    lags.push(Math.max(0, performance.now() - (await committed)));
  }

  assert.equal((await importing.finished).status, 0);
  return lags;
}
