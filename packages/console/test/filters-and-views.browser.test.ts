import assert from "node:assert/strict";
import { test } from "node:test";
import type { InsightsSummaryResponse, WorkspaceResponse } from "@sightline/client";
import { startBrowser } from "@sightline/test-kit/browser.ts";
import type { Browser, Page } from "playwright-core";
import { type DemoService, nowMs, sharedDemo, startConsole } from "./demo-service.ts";
import {
  settled,
  signIn,
  type Visitor,
  violationsAtBoth,
  violationsOf,
  visit,
  visitSignedIn,
} from "./visitor.ts";

interface Stage {
  readonly browser: Browser;
  readonly demo: DemoService;
  /** A session of the API itself, to compare with. */
  readonly token: string;
  readonly visitor: Visitor;
}

/** The twelve weeks that the overview shows of the demo. */
const filters = { timeRange: { from: "2026-08-09T00:00:00Z", to: "2026-11-01T00:00:00Z" } };
const percent = new Intl.NumberFormat("en-GB", { style: "percent", minimumFractionDigits: 1 });
const mentionsOf = ({ page }: Visitor) =>
  page.locator('li[data-metric="mentions"]').getByRole("button").nth(1).textContent();

async function summaryReply({ demo, token }: Pick<Stage, "demo" | "token">, body: object) {
  const reply = await demo.service.post("/v1/insights/summary", { token, body });
  assert.equal(reply.status, 200, reply.body);
  return reply.json<InsightsSummaryResponse>();
}

async function brandOf(stage: Stage, body: object) {
  const { groups } = await summaryReply(stage, { groupBy: "none", ...body });
  return groups[0]?.entities[0]?.mentions.value ?? Number.NaN;
}

async function workspaceOf({ demo, token }: Stage): Promise<WorkspaceResponse> {
  const headers = { authorization: `Bearer ${token}` };
  const { body } = await demo.service.request("GET", "/v1/workspace", { headers });
  return JSON.parse(body) as WorkspaceResponse;
}

/** Open popovers that reach out of the window. */
const beyondTheWindow = (page: Page) =>
  page.evaluate<
    readonly string[]
  >(`[...document.querySelectorAll(":popover-open")].filter((each) => {
    const { left, right } = each.getBoundingClientRect();
    return left < 0 || right > innerWidth;
  }).map((each) => each.innerText)`);

const cases: Readonly<Record<string, (stage: Stage) => Promise<void>>> = {
  "a filter leaves out what it is not, and topics and prompts go together": async (stage) => {
    const { page, go } = stage.visitor;
    await go("");
    await page.getByRole("button", { name: /^Provider/ }).click();
    await page.getByRole("radio", { name: "is not" }).check();
    await page.getByRole("checkbox", { name: "ChatGPT" }).check();
    await page.keyboard.press("Escape");
    await settled(page);
    assert.equal(new URL(page.url()).searchParams.get("not-providers"), "OPENAI");
    await page.getByRole("button", { name: "Provider not ChatGPT" }).waitFor();
    const exclude = { providers: ["OPENAI"] };
    const without = await brandOf(stage, { filters, exclude });
    assert.equal(await mentionsOf(stage.visitor), percent.format(without));
    await page.getByRole("button", { name: /^Provider/ }).click();
    await page.getByRole("radio", { name: "is", exact: true }).check();
    await page.keyboard.press("Escape");
    assert.equal(new URL(page.url()).searchParams.get("not-providers"), null);
    assert.equal(new URL(page.url()).searchParams.get("providers"), "OPENAI");
    const { topics, prompts } = await workspaceOf(stage);
    const topicId = topics[0]?.id ?? "";
    const inside = prompts.filter((prompt) => prompt.topicId === topicId).slice(0, 1);
    const outside = prompts.filter((prompt) => prompt.topicId !== topicId).slice(0, 2);
    const ids = [...inside, ...outside].map(({ id }) => id);
    await go(`?topics=${topicId}&prompts=${ids.join(",")}`);
    await page.getByRole("button", { name: /^Prompt .* · 1 of 3 in the topics$/ }).waitFor();
    const promptIds = inside.map(({ id }) => id);
    const both = await brandOf(stage, { filters: { ...filters, promptIds } });
    assert.equal(await mentionsOf(stage.visitor), percent.format(both));
    await go(`?topics=${topicId}&prompts=${outside.map(({ id }) => id).join(",")}`);
    await page.getByText("No answer passes the filters").first().waitFor();
  },

  "the table by provider filters by a cell, by keyboard too, and is saved": async (stage) => {
    const { page, go } = stage.visitor;
    await go("");
    await page.getByRole("heading", { name: "By provider" }).waitFor();
    await settled(page);
    const { groups } = await summaryReply(stage, { groupBy: "provider", filters });
    const table = page.getByRole("table", { name: "Mentions by provider" });
    const [most] = groups.toSorted((a, b) => b.answers - a.answers);
    const value = percent.format(most?.entities[0]?.mentions.value ?? Number.NaN);
    const cell = table.getByRole("row").nth(1).getByRole("button").first();
    assert.ok(((await cell.textContent()) ?? "").startsWith(value));
    await page.getByRole("radio", { name: "Share of voice" }).first().check();
    const voices = page.getByRole("table", { name: "Share of voice by provider" });
    await voices.waitFor();
    const voice = percent.format(most?.entities[0]?.shareOfVoice.value ?? Number.NaN);
    const shown = voices.getByRole("row").nth(1).getByRole("button").first();
    assert.ok(((await shown.textContent()) ?? "").startsWith(voice));
    await page.getByRole("button", { name: "CSV" }).click();
    const download = page.waitForEvent("download");
    await page.getByRole("menuitem", { name: "CSV", exact: true }).click();
    assert.match((await download).suggestedFilename(), /^tarnfell-share-of-voice-by-provider-2026/);
    await voices.getByRole("button").first().focus();
    for (const key of ["ArrowDown", "ArrowDown", "Enter"]) await page.keyboard.press(key);
    await settled(page);
    const only = () => new URL(page.url()).searchParams.get("only")?.split(",").length ?? 0;
    assert.equal(new URL(page.url()).searchParams.get("providers"), most?.key);
    assert.equal(only(), 1);
    const rows = page.getByRole("list", { name: "Leaderboard" }).getByRole("listitem");
    await rows
      .last()
      .getByRole("button")
      .first()
      .click({ modifiers: ["Shift"] });
    assert.equal(only(), 2);
    await rows.getByRole("checkbox", { checked: true }).first().focus();
    await page.keyboard.press("Space");
    assert.equal(only(), 1);
  },

  "models stand side by side, in the table, in a filter and in a prompt's answers": async ({
    browser,
  }) => {
    const { service } = await startConsole(); // its answers have models, unlike the demo's
    try {
      const prompts = Array.from({ length: 8 }, (_, prompt) => ({
        text: `Which anvil, ${prompt}?`,
      }));
      const accountId = await service.apply({ account: "Models", brand: "Acme", prompts });
      const origins = ["OPENAI gpt-5 web", "OPENAI gpt-4 api", "GROK grok-4 web", "GROK - -"];
      const answers = Array.from({ length: 8 * 40 }, (_, index) => {
        const origin = origins[Math.floor(index / 8) % 4]?.split(" ") ?? [];
        const [provider, model, surface] = origin.map((each) => (each === "-" ? null : each));
        const text = model === "gpt-5" ? "**Acme**, of course." : "Nobody stands out.";
        const answeredAt = new Date(nowMs - index * 3_600_000).toISOString();
        return { prompt: prompts[index % 8]?.text, provider, model, surface, text, answeredAt };
      });
      await service.import(accountId, answers);
      const origin = await service.listen();
      const { page, go } = await visit(browser, { origin });
      await page.goto(origin);
      await signIn(page, await service.key(accountId, ["read"]));
      await go(`?account=${accountId}&period=all&_by=model`);
      const table = page.getByRole("table", { name: "Mentions by model" });
      await table
        .getByRole("button", { name: /^gpt-5/ })
        .first()
        .waitFor();
      const heads = await table.getByRole("columnheader").allTextContents();
      assert.deepEqual(heads.map((head) => head.replace(/80 answers$/, "")).sort(), [
        ...["Model not known", "gpt-4", "gpt-5", "grok-4"],
      ]);
      await page.getByRole("radio", { name: "Surface" }).waitFor();
      await table
        .getByRole("button", { name: /^gpt-5/ })
        .first()
        .click();
      await settled(page);
      const parameter = (name: string) => new URL(page.url()).searchParams.get(name);
      assert.equal(parameter("models"), "gpt-5");
      await page.getByRole("button", { name: "Model gpt-5" }).click();
      await page.getByRole("checkbox", { name: "grok-4 · 80" }).waitFor();
      await page.getByRole("radio", { name: "is not" }).check();
      await page.keyboard.press("Escape");
      await settled(page);
      assert.deepEqual([parameter("models"), parameter("not-models")], [null, "gpt-5"]);
      await page.getByText("0.0%").first().waitFor();
      await go(`?account=${accountId}&period=all&page=prompts`);
      await page
        .getByRole("button", { name: /Which anvil, 3\?/ })
        .first()
        .click();
      await page.getByRole("button", { name: "Side by side" }).click();
      const columns = page.getByRole("article");
      await columns.nth(3).waitFor();
      const names = await columns.evaluateAll((all) => all.map((each) => each.ariaLabel));
      const wanted = ["GROK, grok-4", "GROK, model not known", "OPENAI, gpt-4", "OPENAI, gpt-5"];
      assert.deepEqual(names, wanted);
      assert.equal(await columns.nth(3).locator("mark").textContent(), "Acme");
      assert.deepEqual(await violationsOf(page), []);
      await page.setViewportSize({ width: 390, height: 800 });
      const lefts = await columns.evaluateAll((all) =>
        all.map((each) => each.getBoundingClientRect().left),
      );
      assert.equal(new Set(lefts).size, 1);
    } finally {
      await service.close();
    }
  },

  "views and notes are kept by those who may manage, and seen by those who read": async ({
    browser,
  }) => {
    const { service } = await startConsole(); // its workspace is changed
    try {
      const prompts = [{ text: "Which anvil?" }, { text: "Who repairs anvils?" }];
      const accountId = await service.apply({ account: "Noted", brand: "Acme", prompts });
      const answers = Array.from({ length: 60 }, (_, index) => ({
        prompt: prompts[index % 2]?.text,
        provider: "OPENAI",
        answeredAt: new Date(nowMs - index * 86_400_000).toISOString(),
        text: "Acme.",
      }));
      await service.import(accountId, answers);
      const origin = await service.listen();
      const manager = await visit(browser, { origin });
      const { page } = manager;
      await page.goto(origin);
      await signIn(page, await service.key(accountId, ["read", "manage"]));
      await manager.go(`?account=${accountId}&regions=DE&not-providers=GROK&period=all`);
      await page.getByRole("button", { name: "Views 0" }).click();
      await page.getByLabel("Name of this view").fill("Germany");
      // What it shows was fetched after it opened.
      assert.deepEqual(await beyondTheWindow(page), []);
      await page.keyboard.press("Enter");
      await page.getByRole("button", { name: "Germany", exact: true }).waitFor();
      assert.deepEqual(await violationsAtBoth(page), []);
      await keepsAll(manager);
      await page.keyboard.press("Escape");
      await manager.go(`?account=${accountId}&period=all`);
      await page.getByRole("button", { name: "Notes" }).click();
      await page.getByLabel("Day (UTC)").fill("2026-10-20");
      await page.getByLabel("Note", { exact: true }).fill("Launched <b>here</b>");
      await page.keyboard.press("Enter");
      await page.getByRole("button", { name: "Delete Launched <b>here</b>" }).waitFor();
      assert.deepEqual(await violationsAtBoth(page), []);
      await page.keyboard.press("Escape");
      const mark = page.locator("[data-mark] title").filter({ hasText: "Launched <b>here</b>" });
      assert.equal(await mark.textContent(), "20 Oct: Launched <b>here</b>");
      await noteFromTheChart(page);
      await page.context().close();
      const reader = await visit(browser, { origin });
      await reader.page.goto(origin);
      await signIn(reader.page, await service.key(accountId));
      await reader.page.locator("[data-mark] title").first().waitFor({ state: "attached" });
      await reader.page.getByRole("button", { name: "Views 1" }).click();
      assert.equal(await reader.page.getByRole("button", { name: /^Delete/ }).count(), 0);
      await reader.page.keyboard.press("Escape");
      await reader.page.keyboard.press("Control+k");
      await reader.page.getByRole("combobox").fill("germany view");
      await reader.page.keyboard.press("Enter");
      const shown = new URL(reader.page.url()).searchParams;
      assert.deepEqual([shown.get("regions"), shown.get("not-providers")], ["DE", "GROK"]);
      await reader.page.context().close();
      assert.deepEqual([...manager.faults, ...reader.faults], []);
    } finally {
      await service.close();
    }
  },
};

/** Adds, edits and deletes notes at the chart: by mouse, by keyboard and by touch. */
async function noteFromTheChart(page: Page): Promise<void> {
  const chart = page.locator("svg[data-chart]");
  const box = await chart.boundingBox();
  assert.ok(box !== null);
  const mark = (text: string) => page.locator("[data-mark] title").filter({ hasText: text });
  const card = page.locator("[data-card]");
  const add = card.getByRole("button", { name: /^Add a note, / });
  // A mouse that moves over the chart gets no buttons, which would run away from it.
  await chart.hover({ position: { x: 80, y: 100 } });
  await card.waitFor();
  assert.equal(await add.count(), 0);
  await chart.click({ position: { x: 80, y: box.height - 10 } });
  const [, when = ""] = /, (.*)$/.exec((await add.getAttribute("aria-label")) ?? "") ?? [];
  await chart.hover({ position: { x: 500, y: 280 } });
  assert.ok((await add.getAttribute("aria-label"))?.endsWith(when), "the card stays");
  assert.deepEqual(await violationsOf(page), []);
  await add.click();
  const dialog = page.getByRole("dialog", { name: "Add a note" });
  const day = await dialog.getByLabel("Day (UTC)").inputValue();
  assert.match(day, /^2026-\d\d-\d\d$/);
  await dialog.getByLabel("Note", { exact: true }).fill("New price");
  await page.keyboard.press("Enter");
  await dialog.waitFor({ state: "detached" });
  await mark("New price").waitFor({ state: "attached" });
  // From the mark: the keyboard goes to its bucket, and Tab to its note.
  await page.keyboard.press("Escape");
  await card.waitFor({ state: "detached" });
  await page.getByRole("slider").focus();
  await page.keyboard.press("Home");
  for (let moved = 0; moved < 40; moved++) {
    if ((await card.getByRole("button", { name: "Edit note: New price" }).count()) > 0) break;
    await page.keyboard.press("ArrowRight");
  }
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  const editing = page.getByRole("dialog", { name: "Edit the note" });
  await editing.getByLabel("Note", { exact: true }).fill("Lower price");
  await page.keyboard.press("Enter");
  await mark("Lower price").waitFor({ state: "attached" });
  await editing.waitFor({ state: "detached" });
  assert.equal(await mark("New price").count(), 0);
  await card.getByRole("button", { name: "Edit note: Lower price" }).click();
  await page.getByRole("button", { name: "Delete note" }).click();
  await mark("Lower price").waitFor({ state: "detached" });
  await editing.waitFor({ state: "detached" });
  await page.waitForFunction(`document.activeElement.closest("[data-card]") !== null`);
  await page.keyboard.press("Escape");
  await card.waitFor({ state: "detached" });
  // A finger: the first tap shows the card, whose button it can press.
  const touch = await page.context().newCDPSession(page);
  const at = { x: box.x + 200, y: box.y + 120 };
  await touch.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: [at] });
  await touch.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
  await add.waitFor();
  const press = await add.boundingBox();
  const on = { x: (press?.x ?? 0) + 20, y: (press?.y ?? 0) + 10 };
  await touch.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: [on] });
  await touch.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
  await dialog.waitFor();
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  await add.waitFor();
  await page.keyboard.press("Escape");
}

/** Two deletions before the first is done, and a name that the service refuses. */
async function keepsAll({ page, faults }: Visitor): Promise<void> {
  const views = page.getByRole("dialog", { name: "Views" });
  const name = views.getByLabel("Name of this view");
  for (const each of ["France", "Spain"]) {
    await name.fill(each);
    await page.keyboard.press("Enter");
    await views.getByRole("button", { name: each, exact: true }).waitFor();
  }
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route("**/v1/workspace/file", async (route) => {
    await promise;
    await route.continue();
  });
  for (const each of ["France", "Spain"])
    await views.getByRole("button", { name: `Delete ${each}` }).click();
  resolve();
  for (const each of ["France", "Spain"])
    await views.getByRole("button", { name: each, exact: true }).waitFor({ state: "detached" });
  await page.unroute("**/v1/workspace/file");
  await page.route("**/v1/workspace/file", (route) =>
    route.fulfill({ status: 403, json: { detail: "Not now." } }),
  );
  await name.fill("Portugal");
  await page.keyboard.press("Enter");
  await views.getByRole("alert").waitFor();
  assert.equal(await name.inputValue(), "Portugal");
  await page.unroute("**/v1/workspace/file");
  await name.fill("");
  assert.match(faults.splice(0).join(), /^Failed to load resource: .* 403 [^,]*$/);
}

test("filters, groups, views and notes in a browser", async (t) => {
  const browser = await startBrowser(t, undefined, "filters and what is kept");
  if (browser === null) return;
  const demo = await sharedDemo();
  const token = await demo.service.session(demo.accountId);
  const visitor = await visitSignedIn(browser, demo);
  for (const [name, run] of Object.entries(cases)) {
    await t.test(name, () => run({ browser, demo, token, visitor }));
  }
});
