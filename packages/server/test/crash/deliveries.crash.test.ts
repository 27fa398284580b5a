import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { test } from "node:test";
import type { HookForm } from "@sightline/contract";
import { type Serving, startServing, stopped } from "@sightline/test-kit/command.ts";
import { startMailServer } from "@sightline/test-kit/mail-server.ts";
import { seededRandom } from "@sightline/test-kit/seeded-random.ts";
import { temporaryFolder } from "@sightline/test-kit/test-service.ts";
import { until } from "@sightline/test-kit/until.ts";
import { startReceiver } from "@sightline/test-kit/webhook-receiver.ts";
import { applyWorkspace } from "../../src/accounts/apply-workspace.ts";
import { readWorkspaceFile } from "../../src/accounts/workspace-file/read-workspace-file.ts";
import { deliveriesOf } from "../../src/hooks/delivery-store.ts";
import { createHook } from "../../src/hooks/manage-hooks.ts";
import { tellReport } from "../../src/hooks/tell-hooks.ts";
import { openStorage, type Storage } from "../../src/storage.ts";

const [kills, accounts, reports, seed] = [5, 5, 8, 7];
/** Attempts that are under way when a server is killed, at most. */
const underWayMax = 8;

/** An account with webhooks, which is told of so many reports. */
async function toldAccount(
  storage: Storage,
  name: string,
  urls: readonly (readonly [HookForm, string])[],
) {
  const { control, clock } = storage;
  const workspace = readWorkspaceFile(JSON.stringify({ account: name, brand: "Acme" }));
  const { accountId } = workspace;
  await applyWorkspace(control, accountId, workspace, { now: clock.now() });
  const hookIds: string[] = [];
  for (const [form, url] of urls) {
    const created = await createHook(storage, accountId, { url, form });
    assert.ok(created !== null);
    hookIds.push(created.hook.id);
  }
  for (let each = 0; each < reports; each += 1) {
    const number = String(each).padStart(12, "0");
    const report = {
      reportId: `00000000-0000-4000-8000-${number}`,
      name: `Report ${each}`,
      timeRange: { from: "2026-05-01T00:00:00.000Z", to: "2026-06-01T00:00:00.000Z" },
      address: null,
      madeAt: clock.now(),
    };
    // As a report stores itself, and once more as after a crash.
    for (const _ of [1, 2]) {
      await control.database.transaction().execute((database) => {
        return tellReport({ ...control, database }, accountId, report);
      });
    }
  }
  return { accountId, hookIds };
}

test("kill -9 during deliveries loses none, and repeats what was under way alone", async (t) => {
  const folder = temporaryFolder();
  const storage = await openStorage(folder);
  t.after(async () => {
    await storage.close();
    rmSync(folder, { recursive: true });
  });
  const [mails, receiver] = [await startMailServer(t), await startReceiver(t)];
  const { control, clock } = storage;
  const told = await Promise.all(
    Array.from({ length: accounts }, (_, each) =>
      toldAccount(storage, `Account ${each}`, [
        ["json", receiver.url],
        ["mail", "mailto:team@example.com"],
      ]),
    ),
  );
  const environment = {
    SIGHTLINE_SMTP_URL: `smtp://127.0.0.1:${mails.port}`,
    SIGHTLINE_MAIL_FROM: "reports@example.com",
    SIGHTLINE_HOOKS_TO_PRIVATE: "on",
  };
  const serve = () => startServing(folder, { environment });
  const arrived = () => mails.received.length + receiver.received.length;
  const random = seededRandom(seed);
  for (let kill = 0; kill < kills; kill += 1) {
    const server: Serving = await serve();
    const wanted = arrived() + 1 + Math.floor(random() * 6);
    await until("deliveries", async () => (arrived() >= wanted ? true : null));
    server.process.kill("SIGKILL");
    assert.equal((await server.finished).signal, "SIGKILL");
    // What was under way is due again after a minute: here, immediately.
    await control.database
      .updateTable("hook_deliveries")
      .set({ next_at: clock.now() })
      .where("next_at", "is not", null)
      .execute();
  }
  const last = await serve();
  const pending = () =>
    control.database.selectFrom("hook_deliveries").select("id").where("next_at", "is not", null);
  await until("the rest", async () => ((await pending().execute()).length === 0 ? true : null));
  await stopped(last);
  for (const { accountId, hookIds } of told) {
    for (const hookId of hookIds) {
      const deliveries = await deliveriesOf(control, accountId, hookId, clock.now());
      assert.deepEqual(
        [deliveries.length, new Set(deliveries.map(({ state }) => state))],
        [reports, new Set(["delivered"])],
      );
    }
  }
  const requested = receiver.received.map(({ headers }) => String(headers["webhook-id"]));
  const mailed = mails.received.map(({ source }) => /^Message-ID: <(\w+)@/m.exec(source)?.[1]);
  for (const ids of [requested, mailed]) {
    assert.equal(new Set(ids).size, accounts * reports, "none is lost");
  }
  const made = 2 * accounts * reports;
  const repeated = requested.length + mailed.length - made;
  t.diagnostic(`${kills} kills, ${made} deliveries, ${repeated} made twice`);
  assert.ok(repeated <= kills * underWayMax, `${repeated} were made twice`);
});
