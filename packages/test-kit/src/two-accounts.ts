import {
  cpSync,
  mkdirSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { openDataFolder } from "../../server/src/platform/data-folder.ts";
import { atProcessEnd } from "./process-end.ts";
import { type AfterHook, sampleAnswers, sampleRange, sampleWorkspace } from "./sample-account.ts";
import { TestService, temporaryFolder } from "./test-service.ts";
import { until } from "./until.ts";

/** Its files are what a test breaks. It comes before the other in every list. */
export const failing = "cccccccc-0000-4000-8000-000000000001";
/** Nothing may happen to it. */
export const healthy = "cccccccc-0000-4000-8000-000000000002";

/** Makes the account and imports the sample's answers. */
export async function addAccount(service: TestService, id: string): Promise<void> {
  await service.apply({ ...sampleWorkspace, account: { id, name: id } });
  await service.import(id, sampleAnswers);
}

let prepared: Promise<string> | null = null;

/** A data folder with both accounts, caught up and closed; the test's end removes it. */
export async function folderOfTwo(t: AfterHook): Promise<string> {
  prepared ??= prepareTwo();
  const folder = temporaryFolder();
  t.after(async () => rmSync(folder, { recursive: true, force: true }));
  const dataDir = join(folder, "data");
  cpSync(await prepared, dataDir, { recursive: true });
  return dataDir;
}

/** Made once in a process, and copied for each test. */
async function prepareTwo(): Promise<string> {
  const dataDir = temporaryFolder();
  atProcessEnd(async () => rmSync(dataDir, { recursive: true, force: true }));
  const service = await TestService.start({ dataDir });
  for (const id of [failing, healthy]) await addAccount(service, id);
  await service.close();
  return dataDir;
}

/** The failing account's files. */
export function failingFiles(dataDir: string) {
  return openDataFolder(dataDir).account(failing);
}

/** An account's daily mentions: status and body. */
export async function mentionsOf(service: TestService, accountId: string): Promise<string> {
  const { status, body } = await service.post("/v1/analytics/brands/mentions", {
    token: await service.session(accountId),
    body: { interval: "daily", filters: { timeRange: sampleRange } },
  });
  return `${status} ${body}`;
}

/** What /readyz says once it says 200. */
export function readiness(service: TestService): Promise<unknown> {
  return until("ready", async () => {
    const reply = await service.request("GET", "/readyz");
    return reply.status === 200 ? reply.json() : null;
  });
}

/** Asks the failing account, and waits until /readyz names it with this reason. */
export async function assertDegraded(service: TestService, reason: string): Promise<void> {
  const expected = JSON.stringify({
    status: "ready",
    degraded: [{ accountId: failing, reason }],
  });
  await until(`degraded by ${reason}`, async () => {
    await mentionsOf(service, failing);
    return JSON.stringify(await readiness(service)) === expected ? true : null;
  });
}

/** A metric without labels. */
export async function metricOf(service: TestService, name: string): Promise<number> {
  const { body } = await service.request("GET", "/metrics");
  return Number(new RegExp(`^${name} (.*)$`, "m").exec(body)?.[1]);
}

/** How often facts were rebuilt, by reason. */
export async function rebuildsOf(service: TestService): Promise<Readonly<Record<string, number>>> {
  const { values } = await service.services.metrics.factsRebuilds.get();
  return Object.fromEntries(values.map(({ labels, value }) => [labels.reason ?? "", value]));
}

/** Each makes a file unreadable, also for root. */
export const breakages: Readonly<Record<string, (path: string) => void>> = {
  "a link that leads nowhere": (path) => {
    rmSync(path);
    symlinkSync(path, path);
  },
  "a folder in its place": (path) => {
    rmSync(path);
    mkdirSync(path);
  },
  "text in its place": (path) => writeFileSync(path, "This was a database. ".repeat(1_000)),
  "its first half": (path) => truncateSync(path, Math.floor(statSync(path).size / 2)),
};
