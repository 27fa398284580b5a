import assert from "node:assert/strict";
import { test } from "node:test";
import type {
  InsightsChangesResponse,
  InsightsSeriesResponse,
  InsightsSummaryResponse,
  WorkspaceResponse,
} from "@sightline/client";
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
    await settledList(page, "Contributions by prompt");
    assert.equal(asked.filter(isChanges).length, 1);
    await tile(page, "mentions").getByRole("button").nth(2).press("Enter");
    const parts = page.getByRole("dialog", { name: "Change of Mentions of Tarnfell" });
    assert.equal(sumOf(await figuresOf(parts, 0)), 0);
    await parts.getByRole("button", { name: "Why it changed" }).press("Enter");
    const drawer = page.getByRole("dialog", { name: "Why Mentions of Tarnfell changed" });
    const table = drawer.getByRole("table", { name: "Contributions by prompt" });
    await table.waitFor();
    page.off("request", note);
    assert.equal(asked.filter(isChanges).length, 2);
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

  "the overview says what moved, why, and shows the answers of both periods": async (stage) => {
    const { page, go } = stage.visitor;
    await go("");
    await keepsItsUnit(stage.visitor);
    await tile(page, "mentions").getByRole("button").first().press("Enter");
    const steps = page.getByRole("list", { name: "From the value before to the value now" });
    await steps.waitFor();
    for (const metric of ["rank", "citations", "overall-visibility", "mentions"]) {
      await tile(page, metric).getByRole("button").first().press("Enter");
      await settled(page);
      assert.equal(remainderOf(await stepsOf(steps)), 0, metric);
    }
    const [{ entities } = { entities: [] }] = (await summaryOf(stage, "none")).groups;
    const value = entities[0]?.mentions.value ?? Number.NaN;
    assert.match((await steps.textContent()) ?? "", new RegExp(`${(value * 100).toFixed(2)}%$`));
    const tab = (name: string) => page.getByRole("tab", { name });
    for (const [name, by] of [
      ["Topics", "topic"],
      ["Domains", "domain"],
      ["Providers", "provider"],
    ] as const) {
      await tab(name).press("Enter");
      const table = await settledList(page, `Contributions by ${by}`);
      assert.equal(sumOf(await figuresOf(table, 4)), 0, by);
      assert.ok((await table.locator("tbody tr").count()) <= 7);
    }
    // A contribution has no verdict; the value of a provider has its own.
    const own = await page.getByRole("table", { name: "Contributions by provider" }).textContent();
    const { groups } = await summaryOf(stage, "provider");
    assert.ok(groups.some(({ entities: [its] }) => its?.mentions.change?.verdict !== null));
    assert.match(own ?? "", /no clear change|clear change|too few prompts/);
    await tab("Providers").press("ArrowRight");
    const address = page.url();
    assert.equal(new URL(address).searchParams.get("_moved"), "model");
    await tab("Domains").press("End");
    const rivals = page.getByRole("table", { name: "Changes of competitors" });
    const first = rivals.locator("tbody tr").first();
    const name = (await first.locator("td").first().textContent()) ?? "";
    const rival = entities.find((each) => each.name === name);
    const before = (rival?.mentions.value ?? 0) - (rival?.mentions.change?.value ?? 0);
    await first.getByRole("button", { name: /Before/ }).press("Enter");
    const answers = (await summaryOf(stage, "none")).compare?.answers ?? 0;
    const hits = Math.round(before * answers).toLocaleString("en-GB");
    const counts = `${hits} of ${answers.toLocaleString("en-GB")}`;
    await page.getByRole("heading", { name: `${name} was mentioned in ${counts}` }).waitFor();
    await page.keyboard.press("Escape");
    await tab("Prompts").press("Enter");
    await page.getByRole("button", { name: /^All \d/ }).press("Enter");
    await page.getByRole("dialog", { name: "Why Mentions of Tarnfell changed" }).waitFor();
    await page.keyboard.press("Escape");
    await go("?compare=none");
    await page.getByRole("button", { name: "Compare with the period before" }).press("Enter");
    await steps.waitFor();
  },

  "weeks in which other models or prompts answered are marked, and said in words": async (
    stage,
  ) => {
    const { page, go } = stage.visitor;
    const { demo, token } = stage;
    const body = { metric: "rank", interval: "weekly", filters, include: ["marks"] };
    const reply = await demo.service.post("/v1/insights/series", { token, body });
    const { marks = [], series } = reply.json<InsightsSeriesResponse>();
    const [mark] = marks;
    assert.ok(mark !== undefined && marks.length <= 3);
    await go("");
    const drawn = page.locator("svg[data-chart] [data-mark]");
    await drawn.first().waitFor();
    assert.equal(await drawn.count(), new Set(marks.map(({ timestamp }) => timestamp)).size);
    const words = /first answered|no longer answered|other models: /;
    const slider = page.getByRole("slider");
    await slider.press("Home");
    assert.doesNotMatch((await slider.getAttribute("aria-valuetext")) ?? "", words);
    const place = series[0]?.data.findIndex(({ timestamp }) => timestamp === mark.timestamp) ?? 0;
    for (let at = 0; at < place; at += 1) await slider.press("ArrowRight");
    assert.match((await slider.getAttribute("aria-valuetext")) ?? "", words);
    assert.match((await page.locator("[data-card]").textContent()) ?? "", words);
    // Marks follow the filters, and no other metric asks for them again.
    const asked: string[] = [];
    const note = (request: Request) => asked.push(request.postData() ?? "");
    page.on("request", note);
    await tile(page, "citations").getByRole("button").first().press("Enter");
    await settled(page);
    page.off("request", note);
    assert.equal(await drawn.count(), new Set(marks.map(({ timestamp }) => timestamp)).size);
    assert.ok(asked.length > 0 && asked.every((each) => !each.includes("marks")));
  },

  "an opened prompt says what moved in its answers, by provider and domain": async (stage) => {
    const { page, go } = stage.visitor;
    await go("?page=prompts&_q=tent");
    const chip = page.getByRole("button", { name: /^Compare/ });
    assert.equal(await chip.count(), 0);
    await go(`?page=prompts&_q=tent&_open=${prompt}`);
    await chip.waitFor();
    const steps = page.getByRole("list", { name: "From the value before to the value now" });
    await steps.waitFor();
    assert.equal(remainderOf(await stepsOf(steps)), 0);
    const tabs = page.getByRole("tablist", { name: "What is behind the change" }).getByRole("tab");
    assert.deepEqual(await tabs.allTextContents(), ["Providers", "Domains"]);
    const table = await settledList(page, "Contributions by provider");
    assert.equal(sumOf(await figuresOf(table, 4)), 0);
    await table
      .getByRole("button", { name: /Before/ })
      .first()
      .press("Enter");
    const evidence = new URL(page.url()).searchParams.get("evidence") ?? "";
    assert.match(evidence, new RegExp(`~d\\.2026-05-17\\.\\.2026-08-08~p\\.${prompt}~provider\\.`));
    await page.keyboard.press("Escape");
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

/** What moved is of the metric before until the next reply is there: in its unit, not in ranks. */
async function keepsItsUnit({ page, go }: Visitor): Promise<void> {
  await go("");
  const table = page.getByRole("table", { name: "Contributions by prompt" });
  const last = () => table.locator("tbody tr").last().textContent();
  assert.match((await last()) ?? "", /pts$/);
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route("**/v1/insights/changes", async (route) => {
    await promise;
    await route.continue();
  });
  await tile(page, "rank").getByRole("button").first().press("Enter");
  await page.getByRole("heading", { name: "Rank" }).waitFor();
  assert.match((await last()) ?? "", /pts$/);
  resolve();
  await settled(page);
  await page.unroute("**/v1/insights/changes");
  assert.doesNotMatch((await last()) ?? "", /pts$/);
}

const prompt = "67bdc5bb-6b29-586d-a2b6-7cfad3d9b78e";

/** A table of the panel below the chart, when it has its data. */
async function settledList(page: Page, name: string): Promise<Locator> {
  const table = page.getByRole("table", { name });
  await table.waitFor();
  await settled(page);
  return table;
}

/** What is left of the last figure, a value, without the first and all that change it. */
const remainderOf = (figures: readonly number[]): number => {
  assert.ok(figures.length > 2 && figures.every((each) => !Number.isNaN(each)), figures.join());
  const sum = figures.slice(0, -1).reduce((all, each) => all + each, 0);
  // Ranks have a place more than hundredths.
  return Math.abs(sum - (figures.at(-1) ?? 0)) <= 3 ? 0 : sum;
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

/** The figures of a waterfall's steps, in hundredths of their unit. */
async function stepsOf(steps: Locator): Promise<readonly number[]> {
  const texts = await steps.locator("li > :last-child").allTextContents();
  return texts.map((text) => Math.round(Number.parseFloat(text.replace("\u2212", "-")) * 100));
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

async function summaryOf(
  { demo, token }: Stage,
  groupBy: "none" | "provider",
): Promise<InsightsSummaryResponse> {
  const body = { groupBy, filters, compare };
  const reply = await demo.service.post("/v1/insights/summary", { token, body });
  return reply.json<InsightsSummaryResponse>();
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
