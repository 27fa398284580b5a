import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page, Request } from "playwright-core";
import { answersCount, held, refused, type Stage, stageOf } from "./dated-account.ts";
import { settled, signIn } from "./visitor.ts";

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const bodyOf = (request: Request): string => request.postData() ?? "";
const isAnother = (request: Request): boolean => bodyOf(request).includes('"cursor"');

const cases: Readonly<Record<string, (stage: Stage) => Promise<void>>> = {
  "a page beyond the end of a list is its last one": async ({ page, go }) => {
    await go("page=sources&providers=GEMINI&_p=3");
    await page.getByRole("button", { name: "few.example", exact: true }).waitFor();
    assert.equal(await page.getByText("Nothing matches").count(), 0);
  },

  "rows stand until those of the next page are there": async ({ page, go }) => {
    await go("page=sources&_p=2");
    const { letGo } = await held(page, "**/v1/insights/sources", () => true);
    await button(page, "Next page").click();
    await page.locator("section[aria-busy=true]").waitFor();
    assert.equal(await page.getByText("Nothing matches").count(), 0);
    await letGo();
    await settled(page);
    await page.getByText("101–143 of 143 domains").waitFor();
  },

  "prompts without their numbers are not saved": async ({ page, origin }) => {
    const { letGo } = await held(page, "**/v1/insights/summary", () => true);
    await page.goto(`${origin}/?page=prompts`);
    const save = button(page, "CSV");
    await save.waitFor();
    assert.equal(await save.isDisabled(), true);
    await letGo();
    await settled(page);
    assert.equal(await save.isDisabled(), false);
  },

  "the period before is drawn in the buckets of this one alone": async ({ page, go }) => {
    await go("period=28d&interval=daily");
    const before = page.locator("[data-previous]");
    await before.waitFor({ state: "attached" });
    const { letGo } = await held(page, "**/v1/insights/series", (request) =>
      bodyOf(request).includes('"from":"2026-09'),
    );
    const replied = page.waitForResponse(/series$/);
    await page.getByLabel("Weeks").check();
    await (await replied).finished();
    await settled(page);
    assert.equal(await before.count(), 0);
    await letGo();
    await before.waitFor({ state: "attached" });
  },

  "a list that could not be loaded to its end says so, and goes on": async ({ page, go }) => {
    await go("page=sources&_tab=pages&_open=https://common.example/a");
    const endAnswers = await refused(page, "**/v1/evidence", isAnother);
    await button(page, "Show more").click();
    await button(page, "Try again").waitFor();
    await endAnswers();
    await button(page, "Try again").click();
    const answers = page.getByRole("list", { name: "Answers" }).locator("li");
    await answers.nth(answersCount).waitFor();
    await go("page=sources&_open=many.example");
    const endPages = await refused(page, "**/v1/insights/sources", (request) =>
      bodyOf(request).includes('"offset":100'),
    );
    await button(page, "Show all 130").click();
    await button(page, "Try again").waitFor();
    await endPages();
    await button(page, "Try again").click();
    await page.getByRole("button", { name: "/page129", exact: true }).waitFor();
    await go("evidence=any");
    const endEvidence = await refused(page, "**/v1/evidence", isAnother);
    await button(page, "Show more").click();
    await button(page, "Try again").waitFor();
    await endEvidence();
    await button(page, "Try again").click();
    await page.getByRole("dialog").getByText("32 of 32").waitFor();
  },

  "further answers are asked for once, however long j is held": async ({ page, go }) => {
    await go("evidence=any");
    const { letGo, count } = await held(page, "**/v1/evidence", isAnother);
    await page.locator("[data-answer]").nth(19).focus();
    for (let pressed = 0; pressed < 6; pressed += 1) await page.keyboard.press("j");
    await letGo();
    await page.getByRole("dialog").getByText("32 of 32").waitFor();
    assert.equal(count(), 1);
  },

  "an answer is marked as long as another one is shown in its place": async ({ page, go }) => {
    await go("evidence=any");
    const entry = page.locator("[data-answer]");
    await entry.nth(1).click();
    const article = page.getByRole("article", { name: "Answer" });
    await article.getByText("said in minute 29").first().waitFor();
    const { letGo } = await held(page, "**/v1/answers/*", () => true);
    await button(page, "Next").click();
    await page.getByText(/^3 of \d+$/).waitFor();
    assert.equal(await article.getAttribute("aria-busy"), "true");
    await letGo();
    await article.getByText("said in minute 28").first().waitFor();
  },

  "the list of answers has its place and focus again": async ({ page, go }) => {
    await go("evidence=any");
    const entry = page.locator("[data-answer]").nth(14);
    const id = await entry.getAttribute("data-answer");
    await entry.focus();
    await page.keyboard.press("Enter");
    await page.getByRole("article", { name: "Answer" }).waitFor();
    await button(page, "All answers").click();
    await entry.waitFor();
    const focused = await page.evaluate("document.activeElement?.dataset.answer ?? null");
    assert.equal(focused, id);
  },

  "an entity that is tracked no more is not taken for another": async ({ page, go }) => {
    const retired = "11111111-1111-4111-8111-111111111111";
    await go(`evidence=mentioned~e.${retired}`);
    const drawer = page.getByRole("dialog");
    await drawer.getByText("No answers").waitFor();
    assert.equal(await drawer.getByText("A tracked entity").count(), 0);
    await drawer.getByText("0 of 31").waitFor();
    await go(`page=prompts&_of=${retired}`);
    await page.getByText("31 of 31").first().waitFor();
  },

  "evidence of a prompt names no filter that it does not have": async ({ page, go, ...ids }) => {
    await go(`topics=${ids.topic}&providers=GEMINI&evidence=any~p.${ids.second}`);
    const drawer = page.getByRole("dialog");
    await drawer.getByRole("heading", { name: "1 answer passes the filters." }).waitFor();
    const [about = ""] = await drawer.locator("p").allTextContents();
    assert.match(about, /, Gemini\.$/);
    assert.doesNotMatch(about, /Anvils/);
  },

  "a picture has the name of what is drawn, and is told to fail": async ({ page, go }) => {
    const end = await refused(page, "**/v1/insights/series", () => true);
    await go("");
    await button(page, "Export and copy").click();
    await page.getByRole("menuitem", { name: "Save as PNG" }).click();
    await page.getByText("There is no chart to save.").waitFor();
    await end();
    await go("");
    const { letGo } = await held(page, "**/v1/insights/series", () => true);
    await button(page, "Rank").click();
    await page.locator("section[aria-busy=true]").first().waitFor();
    const saved = page.waitForEvent("download");
    await button(page, "Export and copy").click();
    await page.getByRole("menuitem", { name: "Save as SVG" }).click();
    assert.match((await saved).suggestedFilename(), /-mentions-.*\.svg$/);
    await letGo();
  },

  "values of the filters before are marked": async ({ page, go }) => {
    await go("");
    const { letGo } = await held(page, "**/v1/insights/summary", () => true);
    await page.getByRole("button", { name: /^Compare/ }).click();
    await page.getByLabel("Nothing").click();
    await page.locator("section[aria-busy=true]").first().waitFor();
    const tiles = page.getByRole("list", { name: "The brand's values" });
    assert.equal(await tiles.getAttribute("aria-busy"), "true");
    await letGo();
    await settled(page);
  },

  "what an open source shows is asked for once": async ({ page, go }) => {
    await go("page=sources&_tab=pages&_open=https://common.example/a");
    let count = 0;
    page.on("request", (request) => {
      if (request.url().endsWith("/v1/evidence")) count += 1;
    });
    const { letGo } = await held(page, "**/v1/insights/sources", () => true);
    const asked = page.waitForResponse(/evidence$/);
    await page.getByRole("button", { name: /^Last 12 weeks/ }).click();
    await page.getByLabel("Last 7 days").click();
    await (await asked).finished();
    await letGo();
    await page.getByText("of 30 answers, newest first").waitFor();
    await settled(page);
    assert.equal(count, 1);
  },

  "what is copied from a dialog is said in it": async ({ page, go }) => {
    await go("evidence=any");
    const drawer = page.getByRole("dialog");
    await drawer.getByRole("button", { name: "Copy as" }).click();
    await page.getByRole("menuitem", { name: "Copy as curl" }).click();
    await drawer
      .getByRole("status")
      .filter({ hasText: /Copied|copying/ })
      .waitFor();
  },

  "who could not be signed out is told": async ({ page, go }) => {
    await go("");
    const end = await refused(page, "**/session", (request) => request.method() === "DELETE");
    await page.getByRole("button", { name: "Dated" }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await page.getByRole("status").filter({ hasText: "still signed in" }).waitFor();
    await page.getByRole("navigation", { name: "Pages" }).waitFor();
    await end();
  },

  "arrow keys in a date change the date": async ({ page, go }) => {
    await go("");
    await page.getByRole("button", { name: /^Last 12 weeks/ }).click();
    const last = page.getByLabel("Last day");
    await last.focus();
    const before = await last.inputValue();
    await page.keyboard.press("ArrowDown");
    assert.equal(await last.evaluate((field) => field === document.activeElement), true);
    assert.notEqual(await last.inputValue(), before);
  },

  "a key with more scopes has them immediately": async ({ page, go, keys }) => {
    await go("page=setup&_tab=keys");
    assert.equal(await button(page, "Create key").count(), 0);
    await page.getByRole("button", { name: "Dated" }).click();
    await page.getByRole("menuitem", { name: "Add an account" }).click();
    await signIn(page, keys.all);
    await button(page, "Create key").waitFor();
  },

  "edits are warned of on every page": async ({ page, go }) => {
    const leaves = () =>
      page.evaluate<boolean>(`dispatchEvent(new Event("beforeunload", { cancelable: true }))`);
    await go("page=setup&_tab=brand");
    await button(page, "Remove Globex").click();
    await button(page, "Discard").waitFor();
    await page.getByRole("link", { name: "Overview" }).click();
    await settled(page);
    assert.equal(await leaves(), false);
    await page.getByRole("link", { name: "Setup" }).click();
    await button(page, "Discard").click();
    assert.equal(await leaves(), true);
  },

  "a second link in the same tab signs in, too": async ({ page, origin }) => {
    await page.evaluate("localStorage.clear()");
    await page.goto("about:blank");
    await page.goto(`${origin}/#sign-in=old`);
    await page.getByRole("alert").waitFor();
    const asked = page.waitForRequest(/console\/sessions$/);
    await page.goto(`${origin}/#sign-in=new`);
    assert.equal(bodyOf(await asked), '{"code":"new"}');
    await page.getByRole("alert").waitFor();
    assert.equal(page.url(), `${origin}/`);
  },
};

test("the console shows what was asked, and goes on after a failure", async (t) => {
  const stage = await stageOf(t);
  if (stage === null) return;
  for (const [name, run] of Object.entries(cases)) {
    await t.test(name, async () => {
      try {
        await run(stage);
      } finally {
        await stage.page.unrouteAll({ behavior: "ignoreErrors" });
      }
    });
  }
});
