import assert from "node:assert/strict";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import type { Report, ReportWithNumbers } from "@sightline/client";
import { printedDocument } from "@sightline/test-kit/command.ts";
import { sampleWorkspace } from "@sightline/test-kit/sample-account.ts";
import { TestService, temporaryFolder } from "@sightline/test-kit/test-service.ts";
import { runHosted } from "./command-host.ts";

const service = await TestService.start();
after(() => service.close());
const url = await service.listen();

test("reports are made, listed, shown and saved by command", async (t) => {
  const folder = temporaryFolder();
  t.after(() => rmSync(folder, { recursive: true }));
  const reports = [{ name: "Weekly report", period: "last-week" }];
  const accountId = await service.apply({ ...sampleWorkspace, reports });
  const key = await service.key(accountId, ["read", "manage"]);
  const run = (...parameters: string[]) =>
    runHosted(["reports", ...parameters, "--url", url, "--key", key], { folder });
  const none = await run("list");
  assert.deepEqual([none.status, none.stdout], [0, "No reports.\n"]);
  const week = ["--start", "2026-01-05", "--end", "2026-01-11"];
  const finished = await run("make", "Weekly report", ...week, "--out", "w.html", "--json");
  assert.equal(finished.status, 0, finished.stderr);
  const { file, ...made } = printedDocument<Report & { file: string }>(finished);
  assert.deepEqual(
    [file, made.period],
    ["w.html", { startDate: "2026-01-05", endDate: "2026-01-11" }],
  );
  const html = readFileSync(join(folder, "w.html"), "utf8");
  assert.equal(Buffer.byteLength(html), made.htmlBytes);

  const listed = await run("list", "--name", "Weekly report", "--json");
  assert.deepEqual(printedDocument(listed), { reports: [made] });
  assert.match((await run("list")).stdout, /^MADE +NAME +FIRST DAY .*\n\S+ +Weekly report +2026-/);
  const shown = printedDocument<ReportWithNumbers>(await run("show", made.id, "--json"));
  assert.equal((shown.numbers["brand"] as { name: string }).name, "Acme");

  const next = await run("make", "Weekly report", ...week);
  assert.match(next.stdout, /^[0-9a-f-]{36}: Weekly report, 2026-01-05 to 2026-01-11\.\n$/);
  assert.match((await run("save", made.id, "--out", "w.html")).stderr, /w\.html exists already/);
  assert.equal((await run("save", made.id, "--out", "now.html")).status, 0);
  assert.match(readFileSync(join(folder, "now.html"), "utf8"), /Superseded: a newer report/);
  assert.equal((await run("save", made.id, "--out", "as-made.html", "--as-made")).status, 0);
  assert.equal(readFileSync(join(folder, "as-made.html"), "utf8"), html);

  const unknown = await run("make", "Yearly");
  assert.equal(unknown.status, 1);
  assert.match(unknown.stderr, /The workspace declares no report "Yearly"\./);
  const half = await run("make", "Weekly report", "--start", "2026-01-05");
  assert.deepEqual([half.status, half.stderr.includes("Give --start and --end")], [2, true]);
});
