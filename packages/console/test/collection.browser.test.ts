import assert from "node:assert/strict";
import { test } from "node:test";
import type { CollectionsResponse, StartedCollection } from "@sightline/client";
import type { Scope } from "@sightline/contract";
import { workspaceOf } from "@sightline/server/account-store";
import { startBrowser, watchedPage } from "@sightline/test-kit/browser.ts";
import { fromConsole } from "@sightline/test-kit/console-page.ts";
import type { Browser, Page } from "playwright-core";
import { byProviderName } from "../src/data/names.ts";
import { brokenWords } from "./broken-words.ts";
import { type CollectingService, startCollectingService } from "./collecting-service.ts";
import { nowMs } from "./demo-service.ts";
import { settled, signIn, type Visitor, violationsAtBoth, violationsOf, visit } from "./visitor.ts";

const workspace = {
  account: "Collected",
  brand: "Acme",
  topics: ["Seeds", "Tools"],
  prompts: [
    { text: "best seeds", topic: "Seeds" },
    { text: "worst seeds", topic: "Seeds" },
    { text: "best spade", topic: "Tools" },
  ],
  collection: { cron: "0 6 1 1 *", providers: ["OPENAI", "GOOGLE_AI_OVERVIEW"], regions: ["US"] },
};

/** What every case gets: one browser, one service. */
interface Stage {
  readonly browser: Browser;
  readonly collecting: CollectingService;
  /** The page of most cases, which each bring an account to. */
  readonly visitor: Visitor;
}

/** An account of its own, in the page, which is signed in to it. */
interface Opened extends Visitor {
  readonly accountId: string;
  readonly token: string;
  /** Opens the part of Setup, with more of its address. */
  readonly open: (more?: string) => Promise<void>;
}

async function opened(
  { collecting, visitor }: Stage,
  file: object = workspace,
  scopes: readonly Scope[] = ["read", "manage"],
): Promise<Opened> {
  const { service, origin } = collecting;
  const accountId = await service.apply(file);
  // As the form does: the browser keeps the cookie.
  const reply = await visitor.page.request.post(`${origin}/console/sessions`, {
    headers: fromConsole,
    data: { key: await service.key(accountId, scopes) },
  });
  assert.equal(reply.status(), 200);
  const address = `?account=${accountId}&page=setup&_tab=collection`;
  const open = (more = "") => visitor.go(`${address}${more}`);
  visitor.faults.length = 0; // of the case before
  await open();
  return { ...visitor, accountId, open, token: await service.session(accountId, ["manage"]) };
}

async function listed({ collecting }: Stage, { token }: Opened): Promise<CollectionsResponse> {
  const headers = { authorization: `Bearer ${token}` };
  const reply = await collecting.service.request("GET", "/v1/collections", { headers });
  assert.equal(reply.status, 200, reply.body);
  return reply.json<CollectionsResponse>();
}

async function started({ collecting }: Stage, { token }: Opened, body: object = {}) {
  const reply = await collecting.service.post("/v1/collections", { token, body });
  assert.ok(reply.status < 300, reply.body);
  return reply.json<StartedCollection>();
}

const estimated = (stage: Stage, of: Opened, body: object = {}) =>
  started(stage, of, { ...body, dryRun: true });

const button = (page: Page, name: string | RegExp) =>
  page.getByRole("button", { name, exact: true });
const chip = (page: Page, name: string) =>
  page.getByRole("group", { name: "What to ask" }).getByRole("button", { name });

/** A table as it is read: rows of cells, without what is small in them. */
async function cellsOf(page: Page, caption: string): Promise<readonly (readonly string[])[]> {
  const table = page.getByRole("table", { name: caption, exact: true });
  const rows = await table.locator("tbody > tr").all();
  const texts = await Promise.all(rows.map((row) => row.locator(":scope > td").allInnerTexts()));
  return texts.map((cells) => cells.map((text) => text.replaceAll(/\s+/g, " ").trim()));
}

/** As a column whose title says UTC writes an instant. */
function instant(at: string | null): string {
  const format = { day: "numeric", month: "short", year: "numeric" } as const;
  const time = { hour: "2-digit", minute: "2-digit", timeZone: "UTC" } as const;
  return new Date(at ?? "").toLocaleString("en-GB", { ...format, ...time });
}

/** As the page writes US dollars. */
function dollars(value: number): string {
  return value > 0 && value < 0.01 ? "< $0.01" : `$${value.toFixed(2)}`;
}

async function assertEstimate(page: Page, expected: StartedCollection): Promise<void> {
  const { jobs, dollars: sum, estimates } = expected;
  const headline = `${jobs} questions, about ${dollars(sum)}`;
  await page.getByText(headline, { exact: true }).waitFor();
  const shown = await cellsOf(page, "Estimate by provider");
  assert.deepEqual(
    shown.map(([, ...figures]) => figures),
    estimates.map((each) => [
      ...[each.jobs, each.calls, each.inputTokens + each.outputTokens, each.searches].map((count) =>
        count.toLocaleString("en-GB"),
      ),
      dollars(each.dollars),
    ]),
  );
}

const cases: Readonly<Record<string, (stage: Stage) => Promise<void>>> = {
  "without a key nothing is asked, and the page says what to set": async (stage) => {
    const visitor = await opened(stage);
    const { page, faults, foreign } = visitor;
    await page.getByText("No process collects, so nothing is asked.").waitFor();
    await button(page, "Ask now").click();
    const dry = await estimated(stage, visitor);
    await assertEstimate(page, dry);
    const refusal = "No provider can be queried: no credentials are configured for OpenAI, ";
    await page.getByText(refusal).waitFor();
    const reasons = await page.getByRole("dialog").getByRole("listitem").allInnerTexts();
    assert.equal(reasons.length, dry.unanswered.length);
    for (const [at, { reason }] of dry.unanswered.entries()) {
      assert.ok(reasons[at]?.endsWith(reason), reasons[at]);
    }
    const guide = page.getByRole("link", { name: "How to set keys" });
    assert.equal(await guide.getAttribute("href"), "/docs/guide/collection");
    assert.equal(await button(page, "Ask").isDisabled(), true);
    assert.deepEqual([faults, foreign], [[], []]);
  },

  "what is asked costs what the API says, and is followed until it counts": async (stage) => {
    const { collecting } = stage;
    await collecting.reportHealth();
    const visitor = await opened(stage);
    const { page, faults, foreign, accountId } = visitor;
    await page.getByText("No sweeps yet").waitFor();
    await button(page, "Ask now").click();
    await assertEstimate(page, await estimated(stage, visitor));
    const { id: topicId = "" } =
      (await workspaceOf(collecting.service.services.control, accountId))?.topics.find(
        ({ name }) => name === "Seeds",
      ) ?? {};
    await chip(page, "Topics").click();
    await page.getByLabel("Seeds").check();
    await page.keyboard.press("Escape");
    await chip(page, "Samples").click();
    await page.getByLabel("3 of each").click();
    const chosen = { topics: [{ id: topicId }], samples: 3 };
    await assertEstimate(page, await estimated(stage, visitor, chosen));
    await button(page, "Ask 12 questions").click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.getByRole("cell", { name: "0 of 12", exact: true }).waitFor();
    await page.getByText("under way", { exact: true }).waitFor();

    await collecting.ask();
    const parts = page.getByRole("table", { name: "Parts of the sweep", exact: true });
    await parts.getByRole("cell", { name: "6 of 6", exact: true }).first().waitFor();
    await collecting.finish(accountId);
    await page.getByText("done", { exact: true }).waitFor();
    const { collections, spend } = await listed(stage, visitor);
    const [sweep] = collections;
    assert.deepEqual([sweep?.jobs, sweep?.done, sweep?.missing], [12, 12, 0]);
    const [row] = await cellsOf(page, "Sweeps, newest first");
    assert.deepEqual(row?.slice(1, 5), [
      "done",
      "12 of 12",
      "0",
      dollars(sweep?.spentDollars ?? 0),
    ]);
    assert.deepEqual(
      (await cellsOf(page, "Parts of the sweep")).map((cells) => cells.slice(1)),
      sweep?.parts
        .toSorted(byProviderName)
        .map(({ done, jobs, spentDollars, publishedAt }) => [
          ...[`${done} of ${jobs}`, "0", dollars(spentDollars), instant(publishedAt)],
        ]),
    );
    const spent = (await cellsOf(page, "Spending by provider")).map((cells) => cells[4]);
    const sums = spend.month.toSorted(byProviderName).map((each) => each.dollars);
    const all = sums.reduce((one, other) => one + other, 0);
    assert.deepEqual(spent, [all, ...sums].map(dollars));
    assert.deepEqual([faults, foreign], [[], []]);
  },

  "why questions failed is said, and what stays missing": async (stage) => {
    const { collecting } = stage;
    await collecting.reportHealth();
    const visitor = await opened(stage, { ...workspace, account: "Failing" });
    const { page, open, accountId } = visitor;
    collecting.standIn.setFaults({ vendors: { openai: { rates: { incomplete: 1 } } } });
    const { id } = await started(stage, visitor);
    await collecting.finish(accountId);
    collecting.standIn.setFaults({});
    await open(`&_open=${id}`);
    const [sweep] = (await listed(stage, visitor)).collections;
    assert.deepEqual([sweep?.done, sweep?.missing], [3, 3]);
    const [row] = await cellsOf(page, "Sweeps, newest first");
    assert.deepEqual(row?.slice(1, 4), ["done in part", "3 of 6", "3"]);
    const failed = sweep?.parts.flatMap((part) => part.failed) ?? [];
    const reasons = page.getByRole("list", { name: "Why questions failed" });
    assert.deepEqual(
      await reasons.getByRole("listitem").allInnerTexts(),
      failed.map(({ jobs, reason }) => `ChatGPT, ${jobs} questions: ${reason}`),
    );
  },

  "what a cap holds back is said, and until when": async (stage) => {
    const { collecting } = stage;
    await collecting.reportHealth();
    const collection = { ...workspace.collection, caps: { callsPerDay: 2 } };
    const visitor = await opened(stage, { ...workspace, account: "Capped", collection });
    const { page, open } = visitor;
    const { id } = await started(stage, visitor, { providers: ["OPENAI"] });
    await collecting.ask();
    await collecting.ask();
    await open(`&_open=${id}`);
    const [sweep] = (await listed(stage, visitor)).collections;
    assert.ok(sweep?.parts[0]?.heldUntil != null);
    const [row] = await cellsOf(page, "Sweeps, newest first");
    assert.deepEqual(row?.slice(1, 3), ["cap reached Cancel", "2 of 3"]);
    const [part] = await cellsOf(page, "Parts of the sweep");
    const until = `${instant(sweep.parts[0].heldUntil)} UTC`;
    assert.equal(part?.[1], `2 of 3 1 queued waits until ${until}: a cap is reached`);
  },

  "a sweep is cancelled when that is confirmed, and not before": async (stage) => {
    const { collecting } = stage;
    await collecting.reportHealth();
    const visitor = await opened(stage, { ...workspace, account: "Cancelling" });
    const { page, open, accountId } = visitor;
    await started(stage, visitor);
    await open();
    const cancel = page.getByRole("button", { name: /^Cancel the sweep of / });
    await cancel.click();
    await button(page, "Keep asking").click();
    assert.equal((await listed(stage, visitor)).collections[0]?.cancelledAt, null);
    await cancel.click();
    await button(page, "Cancel the sweep").click();
    await page.getByText("being cancelled", { exact: true }).waitFor();
    assert.notEqual((await listed(stage, visitor)).collections[0]?.cancelledAt, null);
    await collecting.finish(accountId);
    await page.getByText("cancelled", { exact: true }).waitFor();
    assert.equal(await cancel.count(), 0);
  },

  "which nothing there is to ask is said, with what to do": async (stage) => {
    const { collection: _undeclared, ...undeclared } = { ...workspace, account: "Undeclared" };
    const visitor = await opened(stage, undeclared);
    const { page } = visitor;
    await page.getByText("No schedule", { exact: true }).waitFor();
    await page.getByText("Nothing was spent this month").waitFor();
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox").fill("providers now");
    await page.keyboard.press("Enter");
    await page.getByText("No provider is declared").waitFor();
    await chip(page, "Providers").click();
    await page.getByLabel("Claude").check();
    await page.keyboard.press("Escape");
    await assertEstimate(page, await estimated(stage, visitor, { providers: ["ANTHROPIC"] }));
    const none = await opened(stage, { account: "Bare", brand: "Acme" });
    await button(none.page, "Ask now").click();
    await button(none.page, "Add prompts").click();
    await none.page.waitForURL(/_tab=prompts/);
  },

  "too much is refused in the API's own words": async (stage) => {
    const prompts = Array.from({ length: 30 }, (_, at) => `question ${at}`);
    const regions = fiftyCountries.split(" ");
    const providers = ["OPENAI", "ANTHROPIC", "GEMINI", "PERPLEXITY", "GROK", "GOOGLE_AI_MODE"];
    const all = [...providers, "GOOGLE_AI_OVERVIEW", "COPILOT"];
    const collection = { providers: all, regions, samples: 20 };
    const visitor = await opened(stage, { account: "Many", brand: "Acme", prompts, collection });
    const { page } = visitor;
    const body = { dryRun: true };
    const { token } = visitor;
    const refusal = await stage.collecting.service.post("/v1/collections", { token, body });
    const [fault] = refusal.json<{ errors: readonly { message: string }[] }>().errors;
    assert.match(fault?.message ?? "", /more than 200000 questions/);
    await button(page, "Ask now").click();
    await page
      .getByRole("alert")
      .getByText(fault?.message ?? "")
      .waitFor();
    assert.equal(await button(page, "Ask").isDisabled(), true);
  },

  "a failure is said with its request, and tried again": async (stage) => {
    const visitor = await opened(stage, { ...workspace, account: "Broken" });
    const { page, open } = visitor;
    const json = { code: "internal", status: 500, detail: "It failed.", requestId: "req_1" };
    const fail = () =>
      page.route("**/v1/collections", (route) => route.fulfill({ status: 500, json }));
    await fail();
    await open();
    const panel = page.getByRole("alert").first();
    await panel.getByText("It failed.").waitFor();
    await panel.getByText("Request req_1").waitFor();
    await page.unrouteAll();
    await panel.getByRole("button", { name: "Try again" }).click();
    await page.getByText("No sweeps yet").waitFor();
    assert.equal(await page.getByRole("alert").count(), 0);

    await fail();
    await button(page, "Ask now").click();
    await panel.getByText("Request req_1").waitFor();
    await page.unrouteAll();
    await panel.getByRole("button", { name: "Try again" }).click();
    await assertEstimate(page, await estimated(stage, visitor));
    await button(page, "Ask 6 questions").click();
    await page.getByText("under way", { exact: true }).waitFor();
    await fail();
    await page.getByText("It could not be read again: It failed. Request req_1").waitFor();
    await page.getByText("under way", { exact: true }).waitFor();
    await page.unrouteAll();
  },

  "a sweep is asked, looked at and cancelled by the keyboard alone": async (stage) => {
    await stage.collecting.reportHealth();
    const visitor = await opened(stage, { ...workspace, account: "Typed" });
    const { page } = visitor;
    await press(page, "Ask now");
    await press(page, "Providers as declared");
    await page.getByRole("searchbox").and(page.locator(":focus")).waitFor();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Space");
    await page.keyboard.press("Escape");
    await page.getByRole("dialog", { name: "Ask now" }).waitFor();
    await press(page, "Ask 3 questions");
    await page.getByRole("cell", { name: "0 of 3", exact: true }).waitFor();
    await press(page, /on request$/);
    await page.getByRole("table", { name: "Parts of the sweep" }).waitFor({ state: "detached" });
    await press(page, /^Cancel the sweep of /);
    await press(page, "Cancel the sweep");
    await page.getByText("being cancelled", { exact: true }).waitFor();
  },

  "what is asked by itself is set in a form with its cost, and saved after a review": async (
    stage,
  ) => {
    const collection = { ...workspace.collection, caps: { callsPerDay: 100 } };
    const visitor = await opened(stage, { ...workspace, account: "Planned", collection });
    const { page, accountId, faults } = visitor;
    await press(page, "Change what is asked");
    const dialog = page.getByRole("dialog", { name: "What is asked" });
    await dialog.getByText("at most 100 calls a day").waitFor();
    await dialog.getByLabel("Schedule").selectOption({ label: "On days of the week" });
    await dialog.getByLabel("Sunday").press("Space");
    await dialog.getByLabel("Time zone").selectOption("Europe/Berlin");
    await dialog.getByLabel("Claude").press("Space");
    await dialog.getByLabel("Samples").fill("2");
    await dialog.getByLabel("Most dollars of a UTC day").fill("5");
    const providers = ["OPENAI", "GOOGLE_AI_OVERVIEW", "ANTHROPIC"];
    await assertEstimate(page, await estimated(stage, visitor, { providers, samples: 2 }));
    await dialog.getByText(/^26 sweeps a month: about \$/).waitFor();
    assert.deepEqual(await violationsAtBoth(page), []);
    await press(page, "Done");
    await page
      .getByText("On Mondays, Tuesdays, Wednesdays, Thursdays, Fridays, Saturdays")
      .waitFor();

    await press(page, "Review and save");
    await page.getByText("collection, samples: none → 2").waitFor();
    await press(page, "Save");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    const saved = await workspaceOf(stage.collecting.service.services.control, accountId);
    assert.deepEqual(saved?.collection, {
      caps: { callsPerDay: 100, dollarsPerDay: 5 },
      cron: "0 6 * * 1,2,3,4,5,6",
      providers,
      regions: ["US"],
      samples: 2,
      timeZone: "Europe/Berlin",
    });
    assert.deepEqual(faults, []);
  },

  "a credential is stored, tested and removed, and never shown": async (stage) => {
    const visitor = await opened(stage, { ...workspace, account: "Credentials" });
    const { page, faults } = visitor;
    const replies: string[] = [];
    page.on("response", async (reply) => {
      if (reply.url().includes("/credentials")) replies.push(await reply.text().catch(() => ""));
    });
    const store = async (secret: string) => {
      await press(page, /^(Store|Replace): Perplexity$/);
      const field = page.getByLabel("API key");
      assert.equal(await field.getAttribute("type"), "password");
      await field.fill(secret);
      await page.keyboard.press("Enter");
    };
    const cells = async () => (await cellsOf(page, "Credentials of vendors"))[3]?.slice(0, 2);
    await store("short");
    await page.getByRole("alert").getByText("the credential has 5 characters").waitFor();
    await page.keyboard.press("Escape");
    await store("a-secret-of-perplexity-1234");
    const test = page.getByRole("dialog", { name: "Test Perplexity" });
    await press(page, "Test for free");
    await test.getByText("The vendor has nothing to ask for free").waitFor();
    await button(page, /^Ask one question for about \$/).waitFor();
    assert.deepEqual(await violationsOf(page), []);
    await page.keyboard.press("Escape");
    await page.getByText(/^stored /).waitFor();
    assert.match((await cells())?.[1] ?? "", /^stored \d/);
    await press(page, "Remove: Perplexity");
    await press(page, "Remove");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.getByText(/^stored /).waitFor({ state: "detached" });
    assert.deepEqual(await cells(), ["Perplexity", "none"]);
    assert.ok(replies.length > 3);
    assert.doesNotMatch(replies.join(""), /1234/);
    assert.doesNotMatch(await page.content(), /1234/);
    faults.length = 0; // the refusal
  },

  "nothing is asked for once the page is left": async (stage) => {
    const { browser, collecting } = stage;
    const { service, origin } = collecting;
    await collecting.reportHealth();
    const accountId = await service.apply({ ...workspace, account: "Left" });
    const token = await service.session(accountId, ["manage"]);
    await service.post("/v1/collections", { token, body: {} });
    const { page } = await watchedPage(browser, { origin, width: 1_280, locale: "en-GB" });
    await page.clock.install({ time: nowMs });
    const asked: string[] = [];
    page.on("request", (request) => {
      if (request.url().endsWith("/v1/collections")) asked.push(request.method());
    });
    await page.goto(origin);
    await signIn(page, await service.key(accountId, ["read", "manage"]));
    await page.goto(`${origin}/?page=setup&_tab=collection`);
    await page.getByText("under way", { exact: true }).waitFor();
    const before = asked.length;
    const again = page.waitForResponse(/\/v1\/collections$/);
    await page.clock.runFor(10_000);
    await again;
    assert.ok(asked.length > before, "a sweep that is under way is looked at again");
    await page.getByRole("link", { name: "Imports" }).click();
    await page.getByText("Importing answers and listing imports needs").waitFor();
    const after = asked.length;
    await page.clock.runFor(120_000);
    await settled(page);
    assert.equal(asked.length, after);
    await page.context().close();
  },

  "a session that may only read is told what it lacks": async (stage) => {
    const { page, faults } = await opened(stage, { ...workspace, account: "Read" }, ["read"]);
    await page.getByText("Asking providers, and seeing how it goes, needs a key with").waitFor();
    assert.deepEqual(faults, []);
  },

  "axe finds nothing in any state, in both themes, and a phone shows all": async (stage) => {
    const { collecting } = stage;
    await collecting.reportHealth();
    const visitor = await opened(stage, { ...workspace, account: "Narrow" });
    const { page, open, turnTo, accountId } = visitor;
    collecting.standIn.setFaults({ vendors: { openai: { rates: { incomplete: 1 } } } });
    const { id: failed } = await started(stage, visitor);
    await collecting.finish(accountId);
    collecting.standIn.setFaults({});
    const { id: underWay } = await started(stage, visitor);
    await page.setViewportSize({ width: 360, height: 800 });
    const found: Record<string, readonly unknown[]> = {};
    await open();
    const part = `?account=${accountId}&page=setup&_tab=collection`;
    for (const more of [`&_open=${failed}`, `&_open=${underWay}`, "&_ask=now"]) {
      await turnTo(part + more);
      const shown = { name: more === "&_ask=now" ? "Estimate by provider" : "Parts of the sweep" };
      await page.getByRole("table", shown).waitFor();
      found[more] = await violationsOf(page);
      assert.equal(await page.evaluate("document.documentElement.scrollWidth"), 360, more);
      assert.deepEqual(await brokenWords(page), [], more);
    }
    await turnTo(part);
    await page.getByRole("button", { name: /^Cancel the sweep of / }).click();
    found["cancel"] = await violationsOf(page);
    assert.deepEqual(found, Object.fromEntries(Object.keys(found).map((name) => [name, []])));
    await page.setViewportSize({ width: 1_280, height: 850 });
  },

  "a refusal to ask stands beside the estimate, in the API's words": async (stage) => {
    const { collecting } = stage;
    await collecting.reportHealth();
    const visitor = await opened(stage, { ...workspace, account: "Refused" });
    const { page } = visitor;
    await button(page, "Ask now").click();
    await button(page, "Ask 6 questions").waitFor();
    await collecting.stop();
    await button(page, "Ask 6 questions").click();
    const { token } = visitor;
    const refusal = await collecting.service.post("/v1/collections", { token, body: {} });
    const { code, detail } = refusal.json<{ code: string; detail: string }>();
    assert.equal(code, "collection_off");
    await page.getByRole("alert").getByText(detail).waitFor();
  },
};

const fiftyCountries =
  "AD AE AF AG AI AL AM AO AR AT AU AZ BA BB BD BE BF BG BH BI BJ BN BO BR BS " +
  "BT BW BY BZ CA CD CF CG CH CI CL CM CN CO CR CU CV CY CZ DE DJ DK DM DO DZ";

/** Goes on by Tab until the button of this name has the focus, and presses it. */
async function press(page: Page, name: string | RegExp): Promise<void> {
  const wanted = page.getByRole("button", { name, exact: true });
  await wanted.and(page.locator(":enabled")).waitFor();
  for (let tabs = 0; tabs < 80; tabs++) {
    const focused = wanted.and(page.locator(":focus"));
    if ((await focused.count()) > 0) return page.keyboard.press("Enter");
    await page.keyboard.press("Tab");
  }
  throw new Error(`Tab never came to ${name}.`);
}

test("the console's collection in a browser", async (t) => {
  const browser = await startBrowser(t, undefined, "the console's collection");
  if (browser === null) return;
  const collecting = await startCollectingService();
  t.after(() => collecting.close());
  const visitor = await visit(browser, collecting);
  for (const [name, run] of Object.entries(cases)) {
    await t.test(name, () => run({ browser, collecting, visitor }));
  }
});
