import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";
import { controlAddress, testOnEachEngine } from "@sightline/test-kit/engines/control-engines.ts";
import { HeldClock } from "@sightline/test-kit/held-clock.ts";
import { applyWorkspace } from "../accounts/apply-workspace.ts";
import { readWorkspaceFile } from "../accounts/workspace-file/read-workspace-file.ts";
import { openControl } from "../control/control.ts";
import { theService } from "../platform/actor.ts";
import { reportFaults } from "./check-reports.ts";
import { addReport, pageOf } from "./report-store.ts";

const reportsOfEach = 60;

function idOf(account: number, report: number): string {
  return `00000000-0000-4000-8000-${String(account * 1_000 + report).padStart(12, "0")}`;
}

testOnEachEngine(
  "a page that differs from what was made is found among many",
  async (t, engine) => {
    const clock = new HeldClock();
    const control = await openControl(await controlAddress(t, engine), clock);
    t.after(() => control.close());
    const accounts: string[] = [];
    for (const [place, name] of ["One", "Two"].entries()) {
      const workspace = readWorkspaceFile(JSON.stringify({ account: name, brand: name }));
      const { accountId } = workspace;
      await applyWorkspace(control, accountId, workspace, { now: clock.now() });
      accounts.push(accountId);
      for (let each = 0; each < reportsOfEach; each += 1) {
        const days = { startDate: "2026-05-25", endDate: "2026-05-31" };
        const asked = {
          compareWith: null,
          language: "en",
          madeAt: clock.now(),
          dueAt: each,
        } as const;
        const report = { ...asked, id: idOf(place, each), name: "Weekly", period: days };
        const page = { actor: theService, numbers: {} as never, html: `<p>${name} ${each}: Ä</p>` };
        await addReport(control, accountId, { ...report, ...page }, async () => undefined);
      }
    }
    const { database } = control;
    assert.deepEqual(await reportFaults(database), []);
    const bomb = gzipSync(Buffer.alloc(50_000_000));
    const changes = [
      [0, 0, { html: gzipSync("<p>One 0: A</p>") }],
      [0, 49, { html: Buffer.from("no gzip") }],
      [0, 50, { html_sha256: createHash("sha256").update("other").digest("hex") }],
      [1, 0, { html: bomb }],
      [1, 59, { html_bytes: 3 }],
    ] as const;
    for (const [account, report, change] of changes) {
      await database
        .updateTable("reports")
        .set(change)
        .where("account_id", "=", accounts[account] ?? "")
        .where("id", "=", idOf(account, report))
        .execute();
    }
    const wanted = changes.map(([account, report]) => {
      const id = idOf(account, report);
      return `report ${id} of account ${accounts[account]} differs from what was made`;
    });
    assert.deepEqual((await reportFaults(database)).toSorted(), wanted.toSorted());
    // What is served has a bound, too: no page unpacks to more than was made.
    await assert.rejects(pageOf(control, accounts[1] ?? "", idOf(1, 0)), /larger than \d+ bytes/);
  },
);
