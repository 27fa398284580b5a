import assert from "node:assert/strict";
import { test } from "node:test";
import type { DeclaredWorkspaceResponse, InsightsSummaryResponse } from "@sightline/client";
import { startBrowser } from "@sightline/test-kit/browser.ts";
import type { TestService } from "@sightline/test-kit/test-service.ts";
import type { Page } from "playwright-core";
import { startConsole } from "./demo-service.ts";
import { settled, signIn, visit } from "./visitor.ts";

/**
 * The shortest way through the console that asks every engine: it runs a second time on those of a
 * cluster, where the other tests of the console would take minutes.
 */

const dayMs = 86_400_000;
const lastMs = Date.parse("2026-11-03T08:00:00Z");
const prompts = ["Which anvil?", "Which rope?", "Which rocket?"];
const texts = ["Take Acme.", "Globex, then Acme.", "Globex.", "Any will do.", "Initech or Acme."];

/** An account with three prompts, and two answers each day of ten weeks. */
async function acme(service: TestService): Promise<string> {
  const accountId = await service.apply({
    account: { name: "Acme" },
    brand: { name: "Acme", domains: ["acme.example"] },
    competitors: [{ name: "Globex", domains: ["globex.example"] }, { name: "Initech" }],
    prompts: prompts.map((text) => ({ text })),
  });
  await service.import(
    accountId,
    Array.from({ length: 140 }, (_, index) => ({
      prompt: prompts[index % prompts.length],
      provider: index % 2 === 0 ? "OPENAI" : "GEMINI",
      answeredAt: new Date(lastMs - Math.floor(index / 2) * dayMs).toISOString(),
      text: texts[index % texts.length],
      citations: index % 3 === 0 ? [{ url: "https://acme.example/anvils" }] : [],
    })),
  );
  return accountId;
}

const percent = new Intl.NumberFormat("en-GB", { style: "percent", minimumFractionDigits: 1 });
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

/** The values of the tiles, as the API has them and the page writes them. */
async function expectedTiles(service: TestService, token: string): Promise<readonly string[]> {
  const timeRange = { from: "2026-08-12T00:00:00Z", to: "2026-11-04T00:00:00Z" };
  const body = { groupBy: "none", filters: { timeRange } };
  const reply = await service.post("/v1/insights/summary", { token, body });
  const { groups } = reply.json<InsightsSummaryResponse>();
  const brand = groups[0]?.entities[0];
  assert.ok(brand !== undefined && groups[0]?.answers === 140);
  const rates = [brand.mentions, brand.visibility, brand.citations];
  return [
    ...rates.map(({ value }) => percent.format(value ?? Number.NaN)),
    (brand.rank.value ?? Number.NaN).toFixed(2),
  ];
}

test("numbers, their answers and a saved change are the service's, on its engines", async (t) => {
  const browser = await startBrowser(t, undefined, "the console on its engines");
  if (browser === null) return;
  const { service } = await startConsole();
  t.after(() => service.close());
  const accountId = await acme(service);
  const origin = await service.listen();
  const { page, go, faults } = await visit(browser, { origin });
  await page.goto(origin);
  await signIn(page, await service.key(accountId, ["read", "manage"]));
  const token = await service.session(accountId, ["read", "manage"]);
  const figures = page.locator("li[data-metric] > button:nth-of-type(2)");
  assert.deepEqual(await figures.allInnerTexts(), await expectedTiles(service, token));
  await figures.first().click();
  await page.locator("dialog [data-answer]").first().waitFor();
  await page.getByRole("dialog").getByText("20 of 84").waitFor();

  await go("?page=setup&_tab=prompts");
  await button(page, "Remove Which rope?").click();
  await button(page, "Review and save").click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("47 answers stop counting").waitFor();
  await button(page, "Save").click();
  await dialog.waitFor({ state: "detached" });
  const headers = { authorization: `Bearer ${token}` };
  const file = await service.request("GET", "/v1/workspace/file", { headers });
  assert.deepEqual(
    file
      .json<DeclaredWorkspaceResponse>()
      .prompts.map(({ text }) => text)
      .toSorted(),
    ["Which anvil?", "Which rocket?"],
  );
  await service.settle(accountId);
  await go("?page=overview");
  await settled(page);
  await page.locator('li[data-metric="mentions"]').getByText("93 answers").waitFor();
  assert.deepEqual(faults, []);
});
