import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import type { DeclaredWorkspaceResponse } from "@sightline/client";
import { startBrowser, watchedPage } from "@sightline/test-kit/browser.ts";
import type { Page } from "playwright-core";
import { startConsole } from "./demo-service.ts";
import { signIn, violationsAtBoth, visit } from "./visitor.ts";

test("a report is added, made, saved and removed; readers see what was made", async (t) => {
  const browser = await startBrowser(t, undefined, "the console's reports");
  if (browser === null) return;
  const { service } = await startConsole();
  t.after(() => service.close());
  const file = { account: { name: "Reporting Ltd" }, brand: { name: "Acme" }, prompts: ["Which?"] };
  const accountId = await service.apply({ ...file, notes: [{ date: "2026-10-05", text: "Kept" }] });
  const origin = await service.listen();
  const { page } = await visit(browser, { origin });
  await page.goto(origin);
  await signIn(page, await service.key(accountId, ["read", "manage"]));
  await page.goto(`${origin}/?account=${accountId}&page=reports`);
  const button = (name: string) => page.getByRole("button", { name, exact: true });
  await page.getByText("No report was made yet").waitFor();
  await button("Add report").click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name", { exact: true }).fill("Monthly report");
  await dialog.getByLabel("Made").selectOption("0 6 1 * *");
  await dialog.getByLabel("Language").selectOption("de");
  await dialog.getByLabel("Untracked names").uncheck();
  await dialog.getByRole("button", { name: "Add" }).click();
  await page.getByText("On the first of the month at 06:00 UTC").waitFor();
  const token = await service.session(accountId, ["read"]);
  const stored = await service.request("GET", "/v1/workspace/file", {
    headers: { authorization: `Bearer ${token}` },
  });
  const { reports, notes } = stored.json<DeclaredWorkspaceResponse>();
  assert.deepEqual(notes, [{ date: "2026-10-05", text: "Kept" }]);
  const kept = "summary course changes portrayal sources prompts notes measurement";
  assert.deepEqual(reports, [
    {
      name: "Monthly report",
      period: "last-month",
      sections: kept.split(" "),
      language: "de",
      schedule: "0 6 1 * *",
    },
  ]);

  await button("Make now").click();
  const made = page.getByRole("table", { name: "Made reports" }).locator("tbody tr");
  await made.nth(0).waitFor();
  await button("Make now").click();
  await page.getByText("superseded").waitFor();
  assert.equal(await made.count(), 2);
  assert.deepEqual(await violationsAtBoth(page), []);
  const saving = page.waitForEvent("download");
  await made
    .filter({ hasText: "superseded" })
    .getByRole("button", { name: /^Save page/ })
    .click();
  const download = await saving;
  assert.equal(
    download.suggestedFilename(),
    "reporting-ltd-monthly-report-2026-10-01_2026-10-31.html",
  );
  const html = readFileSync(await download.path(), "utf8");
  assert.match(html, /<aside><p class="warning" role="note">Ersetzt: /);
  assert.match(html, /<h1>Monthly report<\/h1>/);

  const address = await shareFirst(page);
  const reader = await watchedPage(browser, { origin, width: 1_000 });
  await reader.page.goto(address);
  await reader.page.getByRole("heading", { name: "Monthly report" }).waitFor();
  assert.deepEqual([reader.foreign, reader.faults], [[], []]);
  await page.goto(`${origin}/?account=${accountId}&page=setup&_tab=links`);
  await page.getByText("report as it was made").waitFor();
  await page.goto(`${origin}/?account=${accountId}&page=reports`);

  await button("Remove Monthly report").click();
  await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
  await page.getByText("No reports yet").waitFor();
  assert.equal(await made.count(), 2);
});

/** Shares the newest of the made reports. @returns the address, this once. */
async function shareFirst(page: Page): Promise<string> {
  const made = page.getByRole("table", { name: "Made reports" }).locator("tbody tr");
  await made
    .nth(0)
    .getByRole("button", { name: /^Share/ })
    .click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("as it was made, without a key").waitFor();
  assert.deepEqual(await violationsAtBoth(page), []);
  await dialog.getByRole("button", { name: "Create link" }).click();
  const address = await page.locator("[data-secret]").textContent();
  await page.getByRole("button", { name: "I have kept it", exact: true }).click();
  return address ?? "";
}
