import assert from "node:assert/strict";
import { test } from "node:test";
import type { InsightsChangesResponse, WorkspaceResponse } from "@sightline/client";
import { startBrowser } from "@sightline/test-kit/browser.ts";
import type { Locator, Page, Request } from "playwright-core";
import { type DemoService, sharedDemo } from "./demo-service.ts";
import { settled, type Visitor, visitSignedIn } from "./visitor.ts";

/** What every case gets. */
interface Stage {
  readonly demo: DemoService;
  /** A session of the API itself, to compare with. */
  readonly token: string;
  readonly visitor: Visitor;
}

/** The twelve weeks that the overview shows of the demo, and the twelve before. */
const filters = { timeRange: { from: "2026-08-09T00:00:00Z", to: "2026-11-01T00:00:00Z" } };
const compare = {
  filters: { timeRange: { from: "2026-05-17T00:00:00Z", to: "2026-08-09T00:00:00Z" } },
};

const tile = (page: Page, metric: string) => page.locator(`li[data-metric="${metric}"]`);

const cases: Readonly<Record<string, (stage: Stage) => Promise<void>>> = {
  "a change opens to its parts, they to what contributes, and that to its answers": async (
    stage,
  ) => {
    const { page, go } = stage.visitor;
    const asked: string[] = [];
    const note = (request: Request) => asked.push(new URL(request.url()).pathname);
    page.on("request", note);
    await go("");
    assert.deepEqual(asked.filter(isChanges), []);
    await tile(page, "mentions").getByRole("button").nth(2).press("Enter");
    const parts = page.getByRole("dialog", { name: "Change of Mentions of Tarnfell" });
    assert.equal(sumOf(await figuresOf(parts, 0)), 0);
    await parts.getByRole("button", { name: "Why it changed" }).press("Enter");
    const drawer = page.getByRole("dialog", { name: "Why Mentions of Tarnfell changed" });
    const table = drawer.getByRole("table", { name: "Contributions by prompt" });
    await table.waitFor();
    page.off("request", note);
    assert.equal(asked.filter(isChanges).length, 1);
    assert.equal(sumOf(await figuresOf(table, 4)), 0);
    for (const by of ["Region", "Domain", "Topic", "Provider"]) {
      await drawer.getByRole("radio", { name: by }).check();
      const of = drawer.getByRole("table", { name: `Contributions by ${by.toLowerCase()}` });
      await of.waitFor();
      await settled(page);
      assert.equal(sumOf(await figuresOf(of, 4)), 0, by);
    }
    const providers = drawer.getByRole("table", { name: "Contributions by provider" });
    const { contributions } = await changesOf(stage);
    const [first] = contributions;
    assert.ok(first !== undefined);
    const address = page.url();
    await providers
      .locator("tbody tr")
      .first()
      .getByRole("button", { name: /Before/ })
      .press("Enter");
    const { numerator, denominator } = first.before;
    const counts = `${numerator.toLocaleString("en-GB")} of ${denominator.toLocaleString("en-GB")}`;
    await page
      .getByRole("dialog")
      .getByRole("heading", { name: `Tarnfell was mentioned in ${counts} answers` })
      .waitFor();
    await page.getByText("17 May – 8 Aug 2026 (UTC)").waitFor();
    await page.keyboard.press("Escape");
    await drawer.waitFor();
    assert.equal(page.url(), address);
    await page.keyboard.press("Escape");
    await drawer.waitFor({ state: "detached" });
    assert.equal(new URL(page.url()).searchParams.get("why"), null);
  },

  "a change opens to its trend and a plan, which is asked when it is opened": async (stage) => {
    const { page, go } = stage.visitor;
    const asked: string[] = [];
    const note = (request: Request) => asked.push(request.postData() ?? "");
    page.on("request", note);
    await go("");
    assert.deepEqual(
      asked.filter((body) => body.includes("trend")),
      [],
    );
    await tile(page, "citations").getByRole("button").nth(2).press("Enter");
    const change = page.getByRole("dialog", { name: "Change of Citations of Tarnfell" });
    await change.getByText(/^Trend: .* over 11 weeks/).waitFor();
    await change.getByRole("button", { name: planTitle }).press("Enter");
    page.off("request", note);
    const drawer = page.getByRole("dialog", { name: "How much data would show a change" });
    const rows = drawer.getByRole("table", { name: "Ways to see the change" }).locator("tbody tr");
    await drawer.getByText("To see a change of 5 points with").waitFor();
    assert.deepEqual(await rows.count(), 6);
    assert.match((await rows.first().textContent()) ?? "", /^1cheapest/);
    const field = drawer.getByLabel("Change to be seen, in points");
    await field.fill("0");
    await field.press("Enter");
    await drawer.getByText("It must be a number of points above 0, at most 100.").waitFor();
    await field.fill("12.5");
    await field.press("Enter");
    await drawer.getByText("To see a change of 12.5 points with").waitFor();
    await drawer.getByRole("radio", { name: "Rank" }).check();
    await drawer.getByText("To see a change of 0.5 places with").waitFor();
    await page.keyboard.press("Escape");
    await drawer.waitFor({ state: "detached" });
    assert.equal(new URL(page.url()).searchParams.get("plan"), null);
    // Three whole weeks have no trend.
    await go("?period=28d&why=mentions~by.provider");
    const why = page.getByRole("dialog", { name: "Why Mentions of Tarnfell changed" });
    await why.getByRole("button", { name: planTitle }).waitFor();
    assert.equal(await why.getByText(/^Trend/).count(), 0);
  },
};

const planTitle = "How much data would show a change?";
const isChanges = (path: string): boolean => path.endsWith("/v1/insights/changes");

/** The last cells of a table's rows or those of a column, in hundredths of their unit. */
async function figuresOf(table: Locator, column: number): Promise<readonly number[]> {
  const texts = await table
    .locator("tbody tr")
    .evaluateAll(
      (rows, at) => rows.map((row) => row.querySelectorAll("td")[at]?.textContent),
      column,
    );
  return texts.map((text) =>
    Math.round(Number.parseFloat((text ?? "").replace("\u2212", "-")) * 100),
  );
}

/** What is left of the last figure, which is the sum, without all others. */
const sumOf = (figures: readonly number[]): number => {
  assert.ok(figures.length > 1 && figures.every((each) => !Number.isNaN(each)), figures.join());
  return figures.reduce((sum, each) => sum + each, 0) - 2 * (figures.at(-1) ?? 0);
};

async function changesOf({ demo, token }: Stage): Promise<InsightsChangesResponse> {
  const { body } = await demo.service.request("GET", "/v1/workspace", {
    headers: { authorization: `Bearer ${token}` },
  });
  const { brand } = JSON.parse(body) as WorkspaceResponse;
  const asked = { entityId: brand.id, metric: "mentions", by: "provider", limit: 20 };
  const reply = await demo.service.post("/v1/insights/changes", {
    token,
    body: { ...asked, filters, compare },
  });
  return reply.json<InsightsChangesResponse>();
}

test("a change explained in a browser", async (t) => {
  const browser = await startBrowser(t, undefined, "changes explained");
  if (browser === null) return;
  const demo = await sharedDemo();
  const token = await demo.service.session(demo.accountId);
  const visitor = await visitSignedIn(browser, demo);
  for (const [name, run] of Object.entries(cases)) {
    await t.test(name, () => run({ demo, token, visitor }));
  }
});
