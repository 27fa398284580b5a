import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { type TestContext, test } from "node:test";
import type { InsightsSeriesResponse, InsightsSummaryResponse } from "@sightline/client";
import { startBrowser } from "@sightline/test-kit/browser.ts";
import type { Browser, Page, Request } from "playwright-core";
import { brokenWords } from "./broken-words.ts";
import { type DemoService, sharedDemo, startConsole } from "./demo-service.ts";
import {
  settled,
  signIn,
  type Visitor,
  violationsAtBoth,
  violationsOf,
  visit,
  visitSignedIn,
} from "./visitor.ts";

/** What every case gets: one browser, one service. */
interface Stage {
  readonly browser: Browser;
  readonly demo: DemoService;
  /** A session of the API itself, to compare with. */
  readonly token: string;
  /** Signed in; most cases go to the overview, or to an address of their own. */
  readonly visitor: Visitor;
}

/** The twelve weeks that the overview shows of the demo, and the twelve before. */
const filters = { timeRange: { from: "2026-08-09T00:00:00Z", to: "2026-11-01T00:00:00Z" } };
const compare = {
  filters: { timeRange: { from: "2026-05-17T00:00:00Z", to: "2026-08-09T00:00:00Z" } },
};

const percent = new Intl.NumberFormat("en-GB", { style: "percent", minimumFractionDigits: 1 });
const tile = (page: Page, metric: string) => page.locator(`li[data-metric="${metric}"]`);
const figureOf = (page: Page, metric: string) => tile(page, metric).getByRole("button").nth(1);

const accountMenu = (page: Page, name: string) =>
  page.getByRole("banner").getByRole("button", { name, exact: true });

async function summaryOf({ demo, token }: Stage, body: object) {
  const reply = await demo.service.post("/v1/insights/summary", { token, body });
  assert.equal(reply.status, 200, reply.body);
  const { groups } = reply.json<InsightsSummaryResponse>();
  const [brand] = groups[0]?.entities ?? [];
  assert.ok(brand !== undefined && groups[0] !== undefined);
  return { group: groups[0], brand };
}

const cases: Readonly<Record<string, (stage: Stage, t: TestContext) => Promise<void>>> = {
  "a key signs in, is kept nowhere, and a wrong one is refused in words": async (stage) => {
    const { demo, browser } = stage;
    const { page } = await visit(browser, demo);
    await page.goto(demo.origin);
    await page.getByLabel("Key", { exact: true }).fill("sl_wrong");
    await page.keyboard.press("Enter");
    await page.getByRole("alert").waitFor();
    await signIn(page, demo.key);
    const kept = await page.evaluate("JSON.stringify(localStorage) + document.cookie");
    assert.deepEqual(kept, JSON.stringify({ "sightline.accounts": known(demo) }));
    await page.context().close();
  },

  "a link signs in once, and leaves the address": async ({ demo, browser }) => {
    const { consoleLinks, keyRing } = demo.service.services;
    const { keyId } = await keyRing.create(demo.accountId, { name: "link", expiresAt: null });
    const code = consoleLinks.create(keyId);
    const { page, faults } = await visit(browser, demo);
    await page.goto(`${demo.origin}/#sign-in=${code}`);
    await settled(page);
    assert.equal(page.url(), `${demo.origin}/?account=${demo.accountId}`);
    assert.deepEqual(faults, []);
    const again = await visit(browser, demo);
    await again.page.goto(`${demo.origin}/#sign-in=${code}`);
    await again.page.getByLabel("Key", { exact: true }).waitFor();
    assert.equal(again.page.url(), `${demo.origin}/`);
    await Promise.all([page.context().close(), again.page.context().close()]);
  },

  "the overview's numbers are the API's, and nothing comes from elsewhere": async (stage, t) => {
    const { page, go, foreign, faults } = stage.visitor;
    await go("");
    const { group, brand } = await summaryOf(stage, { groupBy: "none", filters, compare });
    const shown = Object.entries({
      mentions: brand.mentions,
      "overall-visibility": brand.visibility,
      citations: brand.citations,
    });
    for (const [metric, { value }] of shown) {
      assert.equal(await figureOf(page, metric).textContent(), percent.format(value ?? Number.NaN));
    }
    assert.equal(await figureOf(page, "rank").textContent(), brand.rank.value?.toFixed(2));
    assert.match(
      (await tile(page, "mentions").textContent()) ?? "",
      new RegExp(
        `% likely · ${group.answers.toLocaleString("en-GB")} answers · ${group.prompts} prompts`,
      ),
    );
    const arrows = await page.locator("li[data-metric] [data-moved]").count();
    const moved = [brand.mentions, brand.visibility, brand.citations, brand.rank].filter(
      ({ change }) => change?.verdict === "moved",
    );
    assert.equal(arrows, moved.length);
    await assertLeaderboard(page, group);
    assert.deepEqual([foreign, faults], [[], []]);
    await reportLoading(page, t);
  },

  "the view is the address: filters, back, forward, and a link to a colleague": async (stage) => {
    const { page, go } = stage.visitor;
    await go("");
    await page.getByRole("button", { name: /^Provider/ }).click();
    await page.getByRole("checkbox", { name: "ChatGPT" }).check();
    await page.keyboard.press("Escape");
    await tile(page, "citations").getByRole("button", { name: "Citations", exact: true }).click();
    await settled(page);
    const address = page.url();
    assert.equal(new URL(address).searchParams.get("providers"), "OPENAI");
    assert.equal(new URL(address).searchParams.get("metric"), "citations");
    const asked = { groupBy: "none", filters: { ...filters, providers: ["OPENAI"] } };
    const { brand } = await summaryOf(stage, asked);
    const expected = percent.format(brand.citations.value ?? Number.NaN);
    assert.equal(await figureOf(page, "citations").textContent(), expected);
    await page.goBack();
    await page.goBack();
    assert.equal(new URL(page.url()).searchParams.get("providers"), null);
    await page.goForward();
    assert.equal(new URL(page.url()).searchParams.get("providers"), "OPENAI");
    await go(new URL(address).search);
    assert.equal(await figureOf(page, "citations").textContent(), expected);
    await page.getByRole("heading", { name: "Citations" }).waitFor();
  },

  "a number opens its answers, with the places of mentions": async (stage) => {
    const { page, go } = stage.visitor;
    await go("");
    const { brand } = await summaryOf(stage, { groupBy: "none", filters });
    await figureOf(page, "mentions").click();
    const drawer = page.getByRole("dialog");
    const { numerator, denominator } = brand.mentions;
    const counts = `${numerator.toLocaleString("en-GB")} of ${denominator.toLocaleString("en-GB")}`;
    await drawer.getByRole("heading", { name: `Tarnfell was mentioned in ${counts}` }).waitFor();
    await drawer.getByText(`20 of ${numerator.toLocaleString("en-GB")}`).waitFor();
    await page.keyboard.press("j");
    await page.keyboard.press("j");
    await page.keyboard.press("Enter");
    await assertMarks(stage, page);
    const link = page.url();
    await page.keyboard.press("j");
    await page.waitForURL((url) => url.href !== link);
    await page.keyboard.press("Escape");
    await drawer.waitFor({ state: "detached" });
    assert.equal(new URL(page.url()).searchParams.get("evidence"), null);
    await page.goto(link);
    await page.getByRole("article", { name: "Answer" }).waitFor();
  },

  "the keyboard alone reaches everything": async ({ visitor }) => {
    const { page, go } = visitor;
    await go("");
    await page.keyboard.press("?");
    await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
    await page.keyboard.press("Escape");
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox").waitFor();
    await page.keyboard.type("ran");
    await page.keyboard.press("Escape");
    await page.getByRole("combobox").waitFor({ state: "detached" });
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox").waitFor();
    await page.keyboard.type("rank");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Rank" }).waitFor();
    await settled(page);
    const range = page.getByRole("slider");
    await range.focus();
    await page.keyboard.press("Home");
    assert.match((await range.getAttribute("aria-valuetext")) ?? "", /^9 Aug 2026, 1 of 7 days: /);
    await page.keyboard.press("ArrowRight");
    assert.match((await range.getAttribute("aria-valuetext")) ?? "", /^Week of 10 Aug 2026: /);
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").getByText("10 Aug – 16 Aug 2026").waitFor();
    await page.keyboard.press("Escape");
    await page.keyboard.press("g");
    await page.keyboard.press("s");
    await page.waitForURL(/page=sources/);
  },

  "axe finds nothing, in both themes": async ({ demo, browser, visitor }) => {
    const { page, go, turnTo } = visitor;
    const found: Record<string, readonly string[]> = {};
    const brandId = "b73913e3-2996-544d-ac3a-d7bc56b9d7ed";
    const evidence = "?evidence=mentioned~p.67bdc5bb-6b29-586d-a2b6-7cfad3d9b78e";
    await go("");
    const moved = ["?period=last-month&_moved=topic", "?period=last-month&_moved=competitor"];
    const voice = "?_by=region&_voice=1&not-providers=GROK";
    const drawn = `?metric=rank&period=28d&only=${brandId}`;
    for (const search of ["", ...moved, voice, drawn, evidence]) {
      await turnTo(`/${search}`);
      found[search] = await violationsAtBoth(page);
    }
    await page.locator("[data-answer]").first().click();
    await page.getByRole("article", { name: "Answer" }).waitFor();
    found["answer"] = await violationsAtBoth(page);
    for (const search of [
      "?why=mentions~by.topic",
      "?why=rank~by.prompt&compare=none",
      "?plan=mentions",
    ]) {
      await turnTo(`/${search}`);
      found[search] = await violationsAtBoth(page);
    }
    await turnTo("/");
    await tile(page, "mentions").getByRole("button").nth(2).click();
    found["change"] = await violationsOf(page);
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: /^Period|^Last/ }).click();
    found["period"] = await violationsOf(page);
    await page.keyboard.press("Escape");
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox").waitFor();
    found["palette"] = await violationsOf(page);
    await page.emulateMedia({ colorScheme: "light" });

    const stranger = await visit(browser, demo);
    await stranger.page.goto(demo.origin);
    await stranger.page.getByLabel("Key", { exact: true }).fill("sl_wrong");
    found["sign-in"] = await violationsOf(stranger.page);
    await stranger.page.keyboard.press("Enter");
    await stranger.page.getByRole("alert").waitFor();
    found["refused"] = await violationsOf(stranger.page);
    await stranger.page.context().close();
    assert.deepEqual(found, Object.fromEntries(Object.keys(found).map((name) => [name, []])));
  },

  "empty says which nothing, an error its request, and another try helps": async (stage) => {
    const { page, go } = stage.visitor;
    await go("?period=2020-01-01..2020-02-01");
    await page.getByText("No answers in this period").first().waitFor();
    await page.getByRole("button", { name: "Show all answers" }).first().click();
    await figureOf(page, "mentions").waitFor();
    const problem = {
      code: "internal",
      status: 500,
      title: "x",
      detail: "A test.",
      requestId: "r1",
    };
    await page.route("**/v1/insights/series", (route) =>
      route.fulfill({ status: 500, json: problem, contentType: "application/problem+json" }),
    );
    await go("?period=26w");
    const alert = page.getByRole("alert");
    await alert.getByText("Request r1").waitFor();
    await page.unroute("**/v1/insights/series");
    await alert.getByRole("button", { name: "Try again" }).click();
    await page.locator("path[data-band]").waitFor();
    // Without its summary the page waits for nothing that would rest on it.
    await page.route("**/v1/insights/summary", (route) =>
      route.fulfill({ status: 500, json: problem, contentType: "application/problem+json" }),
    );
    await go("?period=26w");
    await alert.getByText("Request r1").waitFor();
    await settled(page);
    assert.equal(await page.getByText("How this was measured").count(), 0);
    await page.unroute("**/v1/insights/summary");
    await alert.getByRole("button", { name: "Try again" }).click();
    await page.getByRole("heading", { name: "What moved" }).waitFor();
  },

  "nothing is asked for a page that its reader has left": async ({ demo, visitor }) => {
    const { page, go } = visitor;
    await go("");
    const held: (() => Promise<void>)[] = [];
    await page.route("**/v1/insights/sources", (route) => {
      held.push(() => route.continue().catch(() => undefined));
    });
    const asked: string[] = [];
    const cancelled: string[] = [];
    const last = (request: Request) => new URL(request.url()).pathname.split("/").at(-1) ?? "";
    const noteCancelled = (request: Request) => cancelled.push(last(request));
    const noteAsked = (request: Request) => asked.push(last(request));
    page.on("requestfailed", noteCancelled);
    // All pages of sources are asked for, call by call, for another order than the service's.
    const first = page.waitForRequest("**/v1/insights/sources");
    await page.goto(`${demo.origin}/?page=sources&_tab=pages&_sort=answers.desc`);
    await first;
    page.on("request", noteAsked);
    await page.getByRole("link", { name: "Prompts" }).click();
    await page.getByRole("table", { name: "Prompts", exact: true }).waitFor();
    assert.ok(held.length > 0);
    await Promise.all(held.map((pass) => pass()));
    await settled(page);
    page.off("requestfailed", noteCancelled);
    page.off("request", noteAsked);
    await page.unrouteAll();
    assert.deepEqual(
      cancelled.filter((name) => name === "sources"),
      held.map(() => "sources"),
    );
    assert.deepEqual(
      asked.filter((name) => name === "sources"),
      [],
    );
  },

  "a late reply never replaces a newer one": async ({ visitor }) => {
    const { page, go } = visitor;
    await go("");
    const held: (() => Promise<void>)[] = [];
    const slow = (body: string | null) => body?.includes("GROK") === true;
    await page.route("**/v1/insights/summary", async (route) => {
      if (slow(route.request().postData()))
        held.push(() => route.continue().catch(() => undefined));
      else await route.continue();
    });
    const before = await tile(page, "mentions").textContent();
    await page.getByRole("button", { name: /^Provider/ }).click();
    await page.getByRole("checkbox", { name: "Grok" }).check();
    await page.locator("[aria-busy=true]").first().waitFor();
    await page.getByRole("checkbox", { name: "Grok" }).uncheck();
    await Promise.all(held.map((pass) => pass()));
    await settled(page);
    await page.unrouteAll();
    assert.ok(held.length > 0);
    assert.equal(await tile(page, "mentions").textContent(), before);
  },

  "a list is whole when its parts come before they were waited for": async ({ demo, visitor }) => {
    // Of its own: what is put into a page stays in it.
    const page = await visitor.page.context().newPage();
    const gaps = `${demo.origin}/?account=${demo.accountId}&page=sources&_tab=gaps&_by=url`;
    const isSources = (request: Request) => request.url().endsWith("/v1/insights/sources");
    let asked = 0;
    page.on("request", (request) => {
      if (isSources(request)) asked++;
    });
    await page.addInitScript(repliesAtHand, "/v1/insights/sources");
    await page.goto(gaps);
    await settled(page);
    assert.ok(asked > 5, `${asked} parts`);
    const [parts, rows] = [asked, await page.locator("main tbody tr").allInnerTexts()];
    await page.reload();
    await settled(page);
    assert.equal(asked, parts, "the replies were at hand");
    assert.deepEqual(await page.locator("main tbody tr").allInnerTexts(), rows);
    await page.close();
  },

  "the chart's CSV has every point of the reply": async (stage) => {
    const { demo, token } = stage;
    const { page, go } = stage.visitor;
    await go("");
    await page.getByRole("button", { name: "Export and copy" }).click();
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("menuitem", { name: "Save as CSV", exact: true }).click(),
    ]);
    const body = { metric: "mentions", interval: "weekly", filters };
    const reply = await demo.service.post("/v1/insights/series", { token, body });
    const { series } = reply.json<InsightsSeriesResponse>();
    const rows = series.flatMap(({ id, name, data }) =>
      data.map(({ timestamp, interval, covered, days, ...counts }) => {
        const { value, numerator, denominator } = counts;
        const bounds = [interval?.low, interval?.high];
        return [
          timestamp,
          id,
          name,
          value,
          numerator,
          denominator,
          ...bounds,
          covered,
          days,
        ].join();
      }),
    );
    const head = "timestamp,id,name,value,numerator,denominator,low,high,covered,days";
    const text = readFileSync(await download.path(), "utf8");
    assert.equal(text, `\ufeff${[head, ...rows].map((row) => `${row}\r\n`).join("")}`);
  },

  "two accounts in one browser, and signing out of one": async ({ demo, browser }) => {
    const { service, origin } = demo;
    const other = await service.apply({ account: { name: "Acme" }, brand: { name: "Acme" } });
    const { page } = await visitSignedIn(browser, demo);
    await accountMenu(page, "Tarnfell").click();
    await page.getByRole("menuitem", { name: "Add an account" }).click();
    await signIn(page, await service.key(other));
    await page.getByRole("heading", { name: "Name the brand: Acme" }).waitFor();
    assert.equal(page.url(), `${origin}/?account=${other}`);
    await accountMenu(page, "Acme").click();
    await page.getByRole("menuitem", { name: "Tarnfell" }).click();
    await figureOf(page, "mentions").waitFor();
    await accountMenu(page, "Tarnfell").click();
    await page.getByRole("menuitem", { name: "Sign out of Tarnfell" }).click();
    await page.getByRole("heading", { name: "Name the brand: Acme" }).waitFor();
    const { status } = await page.request
      .get(`${origin}/console/accounts/${demo.accountId}/session`, {
        headers: { "sightline-console": "1" },
      })
      .then((reply) => ({ status: reply.status() }));
    assert.equal(status, 401);
    await page.context().close();
  },

  "a shared link, and a session that has ended, ask for the key, and return to the page": async ({
    browser,
  }) => {
    const { service } = await startConsole(); // its clock is moved
    try {
      const accountId = await service.apply({ account: { name: "Acme" }, brand: { name: "Acme" } });
      const key = await service.key(accountId);
      const origin = await service.listen();
      const { page, go } = await visit(browser, { origin });
      await page.goto(`${origin}/?account=${accountId}&page=prompts`);
      await page.getByRole("heading", { name: "Sign in to see this page" }).waitFor();
      assert.equal(await page.getByText("has ended").count(), 0);
      await signIn(page, key);
      await page.getByRole("heading", { name: "Prompts", level: 1 }).waitFor();
      await go(`?account=${accountId}&page=prompts`);
      service.clock.advance(13 * 3_600_000);
      await page.reload();
      await page.getByRole("heading", { name: "Sign in again" }).waitFor();
      await signIn(page, key);
      await page.getByRole("heading", { name: "Prompts", level: 1 }).waitFor();
      await page.context().close();
    } finally {
      await service.close();
    }
  },

  "a phone shows all of it without scrolling sideways": async ({ visitor }) => {
    const { page, go, turnTo } = visitor;
    await page.setViewportSize({ width: 390, height: 850 });
    await go("?evidence=any");
    await page.locator("[data-answer]").first().click();
    await page.getByRole("article", { name: "Answer" }).waitFor();
    const { search: answer } = new URL(page.url());
    for (const search of ["/", "?evidence=any", answer, "?why=rank~by.prompt", "?plan=rank"]) {
      await turnTo(search);
      for (const width of [360, 390]) {
        await page.setViewportSize({ width, height: 850 });
        assert.equal(await page.evaluate("document.documentElement.scrollWidth"), width, search);
        assert.deepEqual(await brokenWords(page), [], `${width} ${search}`);
      }
    }
  },
};

/** What the page keeps in the browser: names and ids alone. */
function known({ accountId }: DemoService): string {
  return JSON.stringify([{ id: accountId, name: "Tarnfell" }]);
}

async function assertLeaderboard(page: Page, group: InsightsSummaryResponse["groups"][number]) {
  const rows = await page
    .locator("li[data-entity]")
    .evaluateAll((elements) =>
      elements.map((each) => [each.getAttribute("data-entity"), each.textContent.includes("%")]),
    );
  const expected = [...group.entities].sort(
    (a, b) => (b.mentions.value ?? 0) - (a.mentions.value ?? 0),
  );
  assert.deepEqual(
    rows,
    expected.map(({ id }) => [id, true]),
  );
}

/** The marks of the open answer stand where the API says that mentions do. */
async function assertMarks({ demo, token }: Stage, page: Page): Promise<void> {
  const article = page.getByRole("article", { name: "Answer" });
  await article.waitFor();
  const id = new URL(page.url()).searchParams.get("answer");
  const { body } = await demo.service.request("GET", `/v1/answers/${id}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  const { text, mentions } = JSON.parse(body) as {
    readonly text: string;
    readonly mentions: readonly { readonly start: number; readonly end: number }[];
  };
  assert.deepEqual(
    await article.locator("mark").allInnerTexts(),
    mentions.map(({ start, end }) => text.slice(start, end)),
  );
  assert.ok(mentions.length > 0);
}

/** Reports what a reader waited for; only the layout's shift is held to a bound. */
async function reportLoading(page: Page, t: TestContext): Promise<void> {
  const startedMs = performance.now();
  await page.reload();
  await figureOf(page, "mentions").waitFor();
  const firstMs = performance.now() - startedMs;
  await settled(page);
  const allMs = performance.now() - startedMs;
  t.diagnostic(`tiles after ${firstMs.toFixed()} ms, all panels after ${allMs.toFixed()} ms`);
  const shift = await page.evaluate<number>(`new Promise((resolve) => {
    let sum = 0;
    new PerformanceObserver((list) => {
      for (const { value, hadRecentInput } of list.getEntries()) sum += hadRecentInput ? 0 : value;
    }).observe({ type: "layout-shift", buffered: true });
    requestAnimationFrame(() => requestAnimationFrame(() => resolve(sum)));
  })`);
  t.diagnostic(`layout shift ${shift.toFixed(4)}`);
  assert.ok(shift <= 0.05, `layout shift ${shift}`);
}

/** In the page: what ends so is asked once in a tab; then its reply is there in the same turn. */
function repliesAtHand(end: string): void {
  const { fetch } = window;
  window.fetch = async (input, init) => {
    if (!String(input).endsWith(end)) return fetch(input, init);
    const name = String(init?.body);
    const kept = sessionStorage.getItem(name);
    if (kept !== null) return Response.json(JSON.parse(kept));
    const reply = await fetch(input, init);
    sessionStorage.setItem(name, await reply.clone().text());
    return reply;
  };
}

test("the console in a browser", async (t) => {
  const browser = await startBrowser(t, undefined, "the console");
  if (browser === null) return;
  const demo = await sharedDemo();
  const token = await demo.service.session(demo.accountId);
  const visitor = await visitSignedIn(browser, demo);
  for (const [name, run] of Object.entries(cases)) {
    await t.test(name, (each) => run({ browser, demo, token, visitor }, each));
  }
  await t.test("what a browser loads stays within its budget", () => {
    const { first, lazy, fonts, sheets } = demo.sizes;
    assert.ok(first <= 150_500, `first load ${first} bytes`);
    assert.ok(lazy <= 310_000, `loaded later ${lazy} bytes`);
    assert.ok(fonts <= 50_000, `fonts ${fonts} bytes`);
    assert.ok(sheets <= 65_000, `loaded for a spreadsheet ${sheets} bytes`);
  });
});
