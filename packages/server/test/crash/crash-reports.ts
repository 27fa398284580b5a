import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  printedDocument,
  runCommand,
  startCommand,
  startServing,
} from "@sightline/test-kit/command.ts";
import { everyEntry } from "@sightline/test-kit/every-entry.ts";
import { corpusWorkspace } from "@sightline/test-kit/sample-corpus.ts";
import { seededRandom } from "@sightline/test-kit/seeded-random.ts";
import { allAccounts } from "../../src/accounts/account-store.ts";
import { type AuditSelection, auditOf, verifyAudit } from "../../src/audit/audit-log.ts";
import { createHook } from "../../src/hooks/manage-hooks.ts";
import { openStorage } from "../../src/storage.ts";
import { ask, sessionOf } from "../cluster/cluster-client.ts";
import type { CrashCommandsOptions, Kills } from "./crash-commands.ts";
import { succeeds } from "./killed-commands.ts";

/** Reports that are asked for while a server lives. */
const asked = 4;
/** A server that lives longer has made them all. */
const livesMs = 120;
const period = { startDate: "2026-01-01", endDate: "2026-01-31" };

/**
 * Kills a server while it makes reports. Those whose reply came are there, each with its entry and
 * with one event for the webhook; one report of the period is not superseded.
 */
export async function crashReports({ folder, rounds, seed }: CrashCommandsOptions): Promise<Kills> {
  const random = seededRandom(seed);
  const dataDir = join(folder, "reports");
  const workspace = join(folder, "reports.json");
  const reports = [{ name: "Monthly", period: "last-month", sections: ["summary", "notes"] }];
  writeFileSync(workspace, JSON.stringify({ ...corpusWorkspace, reports }));
  await succeeds(startCommand(["apply", workspace, "--data-dir", dataDir]));
  const create = ["keys", "create", "--scope", "manage", "--data-dir", dataDir, "--json"];
  const { key } = printedDocument<{ key: string }>(await runCommand(create));
  await addWebhook(dataDir);
  const known = new Set<string>();
  let kills = 0;
  for (let round = 0; round < rounds; round++) {
    const serving = await startServing(dataDir);
    const token = await sessionOf(serving.url, key);
    const timer = setTimeout(() => serving.process.kill("SIGKILL"), random() * livesMs);
    for (let each = 0; each < asked; each++) {
      const body = JSON.stringify({ report: "Monthly", period });
      const { status, body: reply } = await ask(serving.url, "/v1/reports", { token, body });
      if (status === 200) known.add((JSON.parse(reply) as { id: string }).id);
      else {
        assert.equal(status, 0, reply);
        kills++;
        break;
      }
    }
    clearTimeout(timer);
    serving.process.kill("SIGKILL");
    await serving.finished;
    await requireWhole(dataDir, known);
  }
  return { kills, rounds };
}

/** Nobody listens there: what is queued stays. */
async function addWebhook(dataDir: string): Promise<void> {
  const storage = await openStorage(dataDir);
  const [account] = await allAccounts(storage.control);
  const hook = { url: "https://127.0.0.1:1/", events: ["report-made"] } as const;
  await createHook(storage, account?.id ?? "", { ...hook, events: [...hook.events] });
  await storage.close();
}

const made: AuditSelection = { ...everyEntry, action: "report.made" };

async function requireWhole(dataDir: string, known: ReadonlySet<string>): Promise<void> {
  const { control, close } = await openStorage(dataDir);
  const [account] = await allAccounts(control);
  const accountId = account?.id ?? "";
  const rows = await control.database
    .selectFrom("reports")
    .select(["id", "superseded_by"])
    .execute();
  const entries = await auditOf(control, accountId, made);
  const events = await control.database.selectFrom("hook_deliveries").select("id").execute();
  const { brokenAt } = await verifyAudit(control, accountId);
  await close();
  const ids = rows.map(({ id }) => id).toSorted();
  assert.deepEqual(entries.map(({ subject }) => subject).toSorted(), ids);
  assert.equal(events.length, ids.length, "each is told of once");
  assert.ok(
    [...known].every((id) => ids.includes(id)),
    "none is lost",
  );
  const latest = rows.filter((row) => row.superseded_by === null);
  assert.equal(latest.length, Math.min(1, ids.length));
  assert.equal(brokenAt, null);
}
