import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { type TestContext, test } from "node:test";
import type {
  EvidenceResponse,
  InsightsSourcesResponse,
  InsightsSummaryResponse,
  RecordedAnswerResponse,
} from "@sightline/client";
import { startBrowser } from "@sightline/test-kit/browser.ts";
import type { Browser, Page, Request, Response } from "playwright-core";
import { brokenWords } from "./broken-words.ts";
import { type DemoService, sharedDemo } from "./demo-service.ts";
import {
  cellsOf,
  changeCells,
  count,
  csv,
  domainCells,
  type Group,
  percent,
  promptCells,
  type Source,
  sourceHead,
  withoutOwner,
} from "./list-texts.ts";
import { manyPrompts } from "./many-prompts.ts";
import { settled, signIn, type Visitor, violationsOf, visit, visitSignedIn } from "./visitor.ts";

/** What every case gets: one browser, one service. */
interface Stage {
  readonly browser: Browser;
  readonly demo: DemoService;
  /** A session of the API itself, to compare with. */
  readonly token: string;
  /** Signed in; each case goes to an address of its own. */
  readonly visitor: Visitor;
}

/** The twelve weeks that pages show of the demo, and the twelve before. */
const filters = { timeRange: { from: "2026-08-09T00:00:00Z", to: "2026-11-01T00:00:00Z" } };
const compare = {
  filters: { timeRange: { from: "2026-05-17T00:00:00Z", to: "2026-08-09T00:00:00Z" } },
};

async function ask<Reply>({ demo, token }: Stage, path: string, body: object): Promise<Reply> {
  const reply = await demo.service.post(path, { token, body });
  assert.equal(reply.status, 200, reply.body);
  return reply.json<Reply>();
}

/** All sources of the twelve weeks, as the API lists them. */
async function sourcesOf(
  stage: Stage,
  groupBy: "domain" | "url",
  order: object = {},
): Promise<readonly Source[]> {
  const sources: Source[] = [];
  for (let hasMore = true; hasMore; ) {
    const body = { groupBy, filters, compare, ...order, limit: 100, offset: sources.length };
    const page = await ask<InsightsSourcesResponse>(stage, "/v1/insights/sources", body);
    sources.push(...page.sources);
    hasMore = page.pagination.hasMore;
  }
  return sources;
}

const isVisible = ({ mentions, citations }: RecordedAnswerResponse, ids: readonly string[]) =>
  mentions.some(({ entityId }) => ids.includes(entityId)) ||
  citations.some((each) => each.counted && each.entityIds.some((id) => ids.includes(id)));

/** The answers of an open row, as the API has them. */
async function shownAnswers(
  { demo, token }: Stage,
  page: Page,
): Promise<readonly RecordedAnswerResponse[]> {
  const ids = await page
    .locator("[data-answer]")
    .evaluateAll((all) => all.map((each) => each.getAttribute("data-answer")));
  const headers = { authorization: `Bearer ${token}` };
  return Promise.all(
    ids.map(async (id) => {
      const { body } = await demo.service.request("GET", `/v1/answers/${id}`, { headers });
      return JSON.parse(body) as RecordedAnswerResponse;
    }),
  );
}

async function savedBy(page: Page): Promise<string> {
  await page.getByRole("button", { name: "CSV" }).click();
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("menuitem", { name: "CSV", exact: true }).click(),
  ]);
  return readFileSync(await download.path(), "utf8");
}

const cases: Readonly<Record<string, (stage: Stage, t: TestContext) => Promise<void>>> = {
  "domains are the API's, page by page and as CSV, and nothing comes from elsewhere": async (
    stage,
  ) => {
    const { page, go, foreign } = stage.visitor;
    const sources = await sourcesOf(stage, "domain");
    assert.ok(sources.length > 50);
    await go("?page=sources");
    const table = page.getByRole("table", { name: "Cited domains" });
    assert.deepEqual(withoutOwner(await cellsOf(table)), sources.slice(0, 50).map(domainCells));
    const arrows = sources.slice(0, 50).filter(({ change }) => change?.verdict === "moved");
    assert.equal(await table.locator("[data-moved]").count(), arrows.length);
    await page.getByText(`1–50 of ${sources.length} domains`).waitFor();
    await page.getByRole("button", { name: "Next page" }).click();
    await page.getByText(`51–${sources.length} of ${sources.length} domains`).waitFor();
    assert.deepEqual(withoutOwner(await cellsOf(table)), sources.slice(50).map(domainCells));
    await page.goBack();
    await page.getByText(`1–50 of ${sources.length} domains`).waitFor();
    const owners = await ownersOf(stage);
    const rows = sources.map((each) => [
      ...[each.source, each.class, owners.get(each.entityId ?? ""), each.share, each.citations],
      ...[each.answers, ...changeCells(each)],
      ...[compare.filters.timeRange.from, compare.filters.timeRange.to],
      ...[each.sourceClass, each.form, each.firstCitedAt, each.lastCitedAt],
    ]);
    assert.equal(await savedBy(page), csv([sourceHead, ...rows]), "its CSV");
    assert.deepEqual(foreign, []);
  },

  "a domain opens to its pages, a page to its answers, an answer to its evidence": async (
    stage,
  ) => {
    const { page, go } = stage.visitor;
    await go("?page=sources");
    const calls: string[] = [];
    const note = (request: Request) => {
      if (request.method() === "POST") calls.push(new URL(request.url()).pathname.slice(-9));
    };
    page.on("request", note);
    await page.getByRole("button", { name: "tarnfell.example", exact: true }).click();
    const pages = (await sourcesOf(stage, "url")).filter(({ source }) =>
      /^https?:\/\/([^/]+\.)?tarnfell\.example\//.test(source),
    );
    await page.getByText(`${pages.length} pages`).waitFor();
    const table = page.getByRole("table", { name: "Cited pages of tarnfell.example" });
    const shown = (await cellsOf(table)).map(([, , citations]) => citations);
    assert.deepEqual(
      shown,
      pages.slice(0, 10).map(({ citations }) => count.format(citations)),
    );
    const [first] = pages;
    assert.ok(first !== undefined);
    await table.locator("tbody").getByRole("button").first().click();
    await page.locator("[data-answer]").first().waitFor();
    await settled(page);
    const answers = await shownAnswers(stage, page);
    assert.equal(answers.length, Math.min(10, first.answers));
    // The service lists the pages of a domain, and the answers that cite a page.
    page.off("request", note);
    assert.deepEqual(calls, ["s/sources", "/evidence"]);
    for (const { citations } of answers) {
      assert.ok(citations.some((each) => each.counted && each.canonicalUrl === first.source));
    }
    const instants = answers.map(({ answeredAt }) => Date.parse(answeredAt));
    assert.deepEqual(
      instants,
      instants.toSorted((a, b) => b - a),
    );
    const address = page.url();
    await page.locator("[data-answer]").first().click();
    await page.getByRole("dialog").getByRole("article", { name: "Answer" }).waitFor();
    assert.equal(new URL(page.url()).searchParams.get("answer"), answers[0]?.id);
    await page.goBack();
    assert.equal(page.url(), address);
    await page.reload();
    await page.locator("[data-answer]").first().waitFor();
  },

  "search, class and order are in the address, and are of all pages": async (stage) => {
    const { page, go } = stage.visitor;
    await go("?page=sources&_tab=pages");
    await page.keyboard.press("/");
    await page.keyboard.type("tent tarn");
    await page.waitForURL(/_q=tent\+tarn/);
    await page.getByRole("button", { name: /^Class/ }).click();
    await page.getByRole("radio", { name: "Own" }).click();
    await page.getByRole("columnheader", { name: "Change" }).getByRole("button").first().click();
    await page.waitForURL(/_sort=change\.desc/);
    await settled(page);
    const found = (await sourcesOf(stage, "url"))
      .filter(({ source, class: its }) => its === "own" && /tent/.test(source))
      .filter(({ source }) => /tarn/.test(source))
      .map(({ source, change }) => [source, change?.parts?.likeForLike ?? -9] as const)
      .toSorted(([, a], [, b]) => b - a);
    assert.ok(found.length > 1);
    const cells = await cellsOf(page.getByRole("table", { name: "Cited pages" }));
    assert.deepEqual(
      cells.map(([source]) => source),
      found.map(([source]) => source.replace("https://", "")),
    );
    await page.getByRole("tab", { name: "Domains" }).click();
    await page.getByRole("button", { name: "tarnfell.example", exact: true }).waitFor({
      state: "detached",
    });
    await page.getByText("Nothing matches").waitFor();
    await page.getByRole("button", { name: "Show all domains" }).click();
    await page.getByRole("button", { name: "tarnfell.example", exact: true }).waitFor();
  },

  "gaps are ordered by opportunity, few answers are folded away": async (stage) => {
    const { page, go } = stage.visitor;
    const sources = await sourcesOf(stage, "url", { orderBy: "opportunity" });
    const difference = (each: Source) => each.withCompetitorOnly - each.withBrandOnly;
    await go("?page=sources&_tab=gaps&_by=url");
    await page.getByRole("heading", { name: "Gaps" }).waitFor();
    const table = page.getByRole("table", { name: "Gaps by pages" });
    const gaps = sources.filter((each) => difference(each) > 0);
    const isLarge = (each: Source) => Math.max(each.withCompetitorOnly, each.withBrandOnly) >= 10;
    const large = gaps.filter(isLarge);
    const shown = (await cellsOf(table)).map((cells) => [cells[2], cells[4], cells[6]]);
    assert.deepEqual(
      shown,
      large
        .slice(0, 50)
        .map(({ withCompetitorOnly, withBrandOnly, opportunity }) => [
          ...[withCompetitorOnly, withBrandOnly].map((n) => count.format(n)),
          percent(2).format(opportunity),
        ]),
    );
    const fold = page.getByRole("button", { name: /with fewer than 10 such answers/ });
    assert.match(
      (await fold.textContent()) ?? "",
      new RegExp(count.format(gaps.length - large.length)),
    );
    await fold.click();
    await page.getByText(`of ${count.format(gaps.length)} pages`).waitFor();
    const head = ["source", "class", "owner", "withCompetitorOnly", "withBrandOnly"];
    const owners = await ownersOf(stage);
    assert.equal(
      await savedBy(page),
      csv([
        [...head, "difference", "opportunity", "sourceClass", "form"],
        ...[...large, ...gaps.filter((each) => !isLarge(each))].map((each) => [
          ...[each.source, each.class, owners.get(each.entityId ?? "")],
          ...[each.withCompetitorOnly, each.withBrandOnly, difference(each), each.opportunity],
          ...[each.sourceClass, each.form],
        ]),
      ]),
    );
    await assertGapAnswers(stage, page, large[0]);
  },

  "prompts have the API's values and counts, and open their evidence": async (stage) => {
    const { page, go } = stage.visitor;
    const groups = await promptGroups(stage);
    await go("?page=prompts");
    const table = page.getByRole("table", { name: "Prompts", exact: true });
    const cells = await cellsOf(table);
    const expected = groups.slice(0, 50).map(promptCells);
    assert.deepEqual(
      cells.map((row) => row.slice(0, 6).map((text) => text.split("\n")[0])),
      expected.map((row) => row.map(([text]) => text)),
    );
    assert.deepEqual(
      cells.map((row) => row.slice(1, 5).map((text) => text.split("\n")[1]?.replace(/:.*/, ""))),
      expected.map((row) => row.slice(1, 5).map(([, counts]) => counts)),
    );
    const [first] = groups;
    assert.ok(first !== undefined);
    const body = { groupBy: "prompt", filters, include: ["stability"] };
    const reply = await ask<InsightsSummaryResponse>(stage, "/v1/insights/summary", body);
    const stability = new Map(reply.groups.map((group) => [group.key, group.stability]));
    await table
      .getByText(/ pairs$/)
      .first()
      .waitFor();
    assert.deepEqual(
      (await cellsOf(table)).map((row) => row[6]),
      groups.slice(0, 50).map(({ key }) => {
        const { value = null, pairs } = stability.get(key) ?? {};
        return `${value === null ? "–" : percent(0).format(value)}\n${pairs} pairs`;
      }),
    );
    const asked = { role: "any", limit: 1, filters: { ...filters, promptIds: [first.key] } };
    const { answers } = await ask<EvidenceResponse>(stage, "/v1/evidence", asked);
    assert.equal(first.lastAnsweredAt, answers[0]?.answeredAt);
    const day = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeZone: "UTC" });
    const lastOf = ({ lastAnsweredAt }: Group) => day.format(Date.parse(lastAnsweredAt ?? ""));
    assert.deepEqual(
      (await cellsOf(table)).map((row) => row[7]),
      groups.slice(0, 50).map(lastOf),
    );
    const mentions = table.locator("tbody tr").first().locator("td").nth(1).getByRole("button");
    await mentions.click();
    const [brand] = first.entities;
    const sentence = `${brand?.mentions.numerator} of ${brand?.mentions.denominator}`;
    await page.getByRole("dialog").getByRole("heading", { name: sentence }).waitFor();
  },

  "prompts are sorted, searched, narrowed and saved": async (stage) => {
    const { page, go } = stage.visitor;
    const [rival] = (await workspaceOf(stage)).competitors;
    assert.ok(rival !== undefined);
    await go(`?page=prompts&_of=${rival.id}&_q=tent&_sort=rank.asc&_visible=yes`);
    const values = ({ entities }: Group) => entities.find(({ id }) => id === rival.id);
    const groups = (await promptGroups(stage))
      .filter((group) => /tent/i.test(`${group.name} ${group.topic}`))
      .filter((group) => (values(group)?.visibility.numerator ?? 0) > 0)
      .toSorted(
        (a, b) =>
          (values(a)?.rank.value ?? 99) - (values(b)?.rank.value ?? 99) ||
          a.name.localeCompare(b.name, "en", { numeric: true }),
      );
    assert.ok(groups.length > 1);
    const header = page.getByRole("columnheader", { name: "Last answer" });
    await header.getByRole("button").click();
    await header.getByRole("button").click();
    await page.waitForURL(/_sort=last\.asc/);
    const oldest = groups
      .map(({ lastAnsweredAt, name }) => `${lastAnsweredAt} ${name}`)
      .toSorted((a, b) => a.localeCompare(b, "en", { numeric: true }));
    const names = (await cellsOf(page.getByRole("table", { name: "Prompts", exact: true }))).map(
      ([name]) => name?.split("\n")[0],
    );
    assert.deepEqual(
      names,
      oldest.map((text) => text.replace(/^\S+ /, "")),
    );
    await page.goBack();
    await page.goBack();
    await page.waitForURL(/_sort=rank\.asc/);
    const metrics = ["mentions", "visibility", "citations", "rank"] as const;
    const head = [
      "promptId",
      "prompt",
      "topic",
      "tags",
      "branded",
      "entity",
      "answers",
      "lastAnsweredAt",
    ];
    const asked = { groupBy: "prompt", filters, include: ["stability"] };
    const reply = await ask<InsightsSummaryResponse>(stage, "/v1/insights/summary", asked);
    const stability = new Map(reply.groups.map((each) => [each.key, each.stability]));
    assert.equal(
      await savedBy(page),
      csv([
        [
          ...[...head, ...metrics.flatMap((m) => [m, `${m}Numerator`, `${m}Denominator`])],
          ...["stability", "stabilityPairs"],
        ],
        ...groups.map((group) => [
          ...[group.key, group.name, group.topic, null, group.branded, rival.name],
          ...[group.answers, group.lastAnsweredAt],
          ...metrics.flatMap((metric) => {
            const value = values(group)?.[metric];
            return [value?.value, value?.numerator, value?.denominator];
          }),
          ...[stability.get(group.key)?.value, stability.get(group.key)?.pairs],
        ]),
      ]),
    );
  },

  "a prompt opens to its course, its providers and its newest answers": async (stage) => {
    const { page, go } = stage.visitor;
    const [first] = await promptGroups(stage);
    assert.ok(first !== undefined);
    await go("?page=prompts");
    await page.getByRole("button", { name: first.name }).first().focus();
    await page.keyboard.press("Enter");
    await page.waitForURL(new RegExp(`_open=${first.key}`));
    // Of one prompt there are points alone.
    await page.locator("svg[data-chart] path[data-line]").first().waitFor({ state: "attached" });
    assert.equal(await page.locator("path[data-line]").first().getAttribute("d"), "");
    await settled(page);
    const ofPrompt = { ...filters, promptIds: [first.key] };
    const body = { groupBy: "provider", filters: ofPrompt };
    const { groups } = await ask<InsightsSummaryResponse>(stage, "/v1/insights/summary", body);
    const cells = await cellsOf(page.getByRole("table", { name: "Values by provider" }));
    assert.deepEqual(
      cells.map(([, answers, mentions]) => [answers, mentions]),
      groups.map(({ answers, entities: [brand] }) => [
        count.format(answers),
        percent(1).format(brand?.mentions.value ?? Number.NaN),
      ]),
    );
    const answers = await shownAnswers(stage, page);
    assert.equal(answers.length, 8);
    assert.ok(answers.every(({ promptId }) => promptId === first.key));
  },

  "the keyboard alone reaches tabs, rows and orders": async ({ visitor }) => {
    const { page, go } = visitor;
    await go("?page=sources");
    await page.getByRole("tab", { name: "Domains" }).focus();
    await page.keyboard.press("ArrowRight");
    await page.waitForURL(/_tab=pages/);
    await page.keyboard.press("End");
    await page.waitForURL(/_tab=life/);
    await page.keyboard.press("ArrowRight");
    await page.waitForURL((url) => !url.searchParams.has("_tab"));
    await settled(page);
    const sort = page.getByRole("columnheader", { name: "Answers" }).getByRole("button").first();
    await sort.focus();
    await page.keyboard.press("Enter");
    await page.keyboard.press("Enter");
    await page.waitForURL(/_sort=answers\.asc/);
    assert.equal(
      await page.getByRole("columnheader", { name: "Answers" }).getAttribute("aria-sort"),
      "ascending",
    );
  },

  "how the overview was measured opens as a list of sentences": async ({
    demo,
    token,
    visitor,
  }) => {
    const { page, go } = visitor;
    await go("?period=2026-08-09..2026-11-01");
    await page.getByText("How this was measured").click();
    const timeRange = { from: "2026-08-09T00:00:00Z", to: "2026-11-01T00:00:00Z" };
    const body = { groupBy: "none", filters: { timeRange } };
    const reply = await demo.service.post("/v1/insights/summary", { token, body });
    const [group] = reply.json<InsightsSummaryResponse>().groups;
    const answers = group?.answers.toLocaleString("en-GB");
    const sample = `${answers} answers to ${group?.prompts} prompts,`;
    await page.getByRole("listitem").filter({ hasText: sample }).waitFor();
    await page.getByRole("listitem").filter({ hasText: "Repeatability: of " }).waitFor();
  },

  "empty says which nothing, an error its request, and another try helps": async (stage) => {
    const { page, go } = stage.visitor;
    for (const name of ["sources", "sources&_tab=gaps", "prompts"]) {
      await go(`?page=${name}&period=2020-01-01..2020-02-01`);
      await page.getByText("No answers in this period").waitFor();
    }
    const problem = { code: "internal", status: 500, title: "x", detail: "A test." };
    for (const [name, path] of [
      ["sources", "sources"],
      ["prompts", "summary"],
    ]) {
      await page.route(`**/v1/insights/${path}`, (route) =>
        route.fulfill({
          status: 500,
          contentType: "application/problem+json",
          json: { ...problem, requestId: "r1" },
        }),
      );
      await go(`?page=${name}`);
      const alert = page.getByRole("alert");
      await alert.getByText("Request r1").waitFor();
      await page.unroute(`**/v1/insights/${path}`);
      await alert.getByRole("button", { name: "Try again" }).click();
      await page.getByRole("table").first().waitFor();
    }
  },

  "axe finds nothing, in both themes, and a phone shows all of it": async (stage) => {
    const { page, go, turnTo } = stage.visitor;
    const [first] = await promptGroups(stage);
    const searches = [
      "?page=sources&_q=t&_open=tarnfell.example",
      "?page=sources&_tab=gaps",
      "?page=sources&_tab=gaps&_by=url",
      `?page=prompts&_q=jacket&_open=${first?.key}`,
    ];
    const found: Record<string, readonly string[]> = {};
    await go("?page=sources");
    for (const search of searches) {
      await turnTo(search);
      found[search] = await violationsOf(page);
    }
    assert.deepEqual(found, Object.fromEntries(Object.keys(found).map((name) => [name, []])));
    for (const width of [360, 390]) {
      await page.setViewportSize({ width, height: 850 });
      for (const search of searches) {
        await turnTo(search);
        assert.equal(await page.evaluate("document.documentElement.scrollWidth"), width, search);
        assert.deepEqual(await brokenWords(page), [], `${width} ${search}`);
      }
    }
  },

  "a thousand prompts and a hundred competitors stay usable": async (stage, t) => {
    const { demo, browser } = stage;
    const accountId = await manyPrompts(demo.service, { prompts: 1_000, competitors: 100 });
    const { page } = await visit(browser, demo);
    await page.goto(demo.origin);
    await signIn(page, await demo.service.key(accountId));
    const startMs = performance.now();
    const replies: Promise<Buffer>[] = [];
    const keep = (response: Response) => {
      if (response.url().endsWith("/insights/summary")) replies.push(response.body());
    };
    page.on("response", keep);
    await page.goto(`${demo.origin}/?account=${accountId}&page=prompts`);
    await page.getByText("1–50 of 1,000 prompts").waitFor();
    const ms = Math.round(performance.now() - startMs);
    t.diagnostic(`1,000 prompts of 101 entities after ${ms} ms`);
    await page.getByText("0 pairs").first().waitFor();
    const bodies = (await Promise.all(replies)).map((body) => JSON.parse(body.toString()));
    const groups = bodies.flatMap((body: InsightsSummaryResponse) => body.groups);
    page.off("response", keep); // what is asked next may end with the page
    // The values of all prompts in one call, and the stability of those on the page.
    assert.deepEqual([replies.length, groups.length], [2, 1_050]);
    assert.ok(groups.every(({ entities }) => entities.length === 1));
    assert.equal(await page.locator("main tbody tr").count(), 50);
    await page.keyboard.press("/");
    await page.keyboard.type("prompt 999");
    await page.getByRole("button", { name: "Prompt 999" }).first().waitFor();
    await page.getByText("1 prompt", { exact: true }).waitFor();
    await page.context().close();
  },
};

/** The prompts in the page's usual order, with the names that the page gives them. */
async function promptGroups(stage: Stage): Promise<readonly Group[]> {
  const body = { groupBy: "prompt", filters };
  const { groups } = await ask<InsightsSummaryResponse>(stage, "/v1/insights/summary", body);
  const { topics, prompts } = await workspaceOf(stage);
  return groups
    .map((group) => {
      const prompt = prompts.find(({ id }) => id === group.key);
      const topic = topics.find(({ id }) => id === prompt?.topicId)?.name ?? "";
      return { ...group, topic, branded: prompt?.branded === true };
    })
    .toSorted((a, b) => {
      const [first, second] = [a, b].map(({ entities: [brand] }) => brand?.mentions.value ?? -1);
      return (second ?? 0) - (first ?? 0) || a.name.localeCompare(b.name, "en", { numeric: true });
    });
}

interface Workspace {
  readonly brand: { readonly id: string; readonly name: string };
  readonly competitors: Workspace["brand"][];
  readonly topics: Workspace["brand"][];
  readonly prompts: { readonly id: string; readonly topicId: string; readonly branded: boolean }[];
}

async function workspaceOf({ demo, token }: Stage): Promise<Workspace> {
  const headers = { authorization: `Bearer ${token}` };
  const { body } = await demo.service.request("GET", "/v1/workspace", { headers });
  return JSON.parse(body) as Workspace;
}

async function ownersOf(stage: Stage): Promise<ReadonlyMap<string, string>> {
  const { brand, competitors } = await workspaceOf(stage);
  return new Map([brand, ...competitors].map(({ id, name }) => [id, name]));
}

/** The first gap's answers: a competitor is visible in each, the brand in none. */
async function assertGapAnswers(stage: Stage, page: Page, gap: Source | undefined): Promise<void> {
  assert.ok(gap !== undefined);
  const { brand, competitors } = await workspaceOf(stage);
  await page
    .getByRole("button", { name: gap.source.replace(/^https?:\/\//, ""), exact: true })
    .click();
  await page.locator("[data-answer]").first().waitFor();
  await settled(page);
  const answers = await shownAnswers(stage, page);
  assert.equal(answers.length, Math.min(10, gap.withCompetitorOnly));
  for (const answer of answers) {
    assert.ok(answer.citations.some(({ canonicalUrl }) => canonicalUrl === gap.source));
    assert.ok(!isVisible(answer, [brand.id]));
    assert.ok(
      isVisible(
        answer,
        competitors.map(({ id }) => id),
      ),
    );
  }
}

test("sources and prompts in a browser", async (t) => {
  const browser = await startBrowser(t, undefined, "the console's lists");
  if (browser === null) return;
  const demo = await sharedDemo();
  const token = await demo.service.session(demo.accountId);
  const visitor = await visitSignedIn(browser, demo);
  for (const [name, run] of Object.entries(cases)) {
    await t.test(name, async (each) => {
      await run({ browser, demo, token, visitor }, each);
      // A reply that a case makes fail is a fault of the browser's console, and no other is one.
      const faults = visitor.faults.splice(0).filter((fault) => !/status of 500/.test(fault));
      assert.deepEqual(faults, []);
    });
  }
});
