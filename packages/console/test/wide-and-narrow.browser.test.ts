import assert from "node:assert/strict";
import { test } from "node:test";
import { startBrowser } from "@sightline/test-kit/browser.ts";
import type { Page } from "playwright-core";
import { brokenWords } from "./broken-words.ts";
import { cutOff } from "./cut-off.ts";
import { sharedDemo } from "./demo-service.ts";
import { pageStates, show } from "./page-states.ts";
import { visitSignedIn } from "./visitor.ts";

/** Letters on a line of prose, at most: more, and the eye loses the next line's beginning. */
const lettersMax = 110;

/** The texts whose lines have more letters than that, and how many. */
function longLines(page: Page): Promise<readonly string[]> {
  return page.evaluate(`(() => {
    const long = [];
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
      const text = node.data.trim();
      if (text.length <= ${lettersMax} || !node.parentElement.checkVisibility()) continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      const tops = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
      const letters = Math.round(text.length / tops.size);
      if (letters > ${lettersMax}) long.push(letters + " letters: " + text.slice(0, 60));
    }
    return long;
  })()`);
}

/** What reaches beyond the window at its right; what scrolls in a part of its own is left out. */
function beyondTheWindow(page: Page): Promise<readonly string[]> {
  return page.evaluate(`[...document.querySelectorAll("main *, header *, dialog[open] *")]
    .filter((each) => each.checkVisibility() && each.getBoundingClientRect().right > innerWidth + 1)
    .filter((each) => {
      for (let at = each.parentElement; at !== null; at = at.parentElement) {
        if (["auto", "scroll", "hidden"].includes(getComputedStyle(at).overflowX)) return false;
      }
      return true;
    })
    .map((each) => each.outerHTML.slice(0, 100))`);
}

/** How wide each chart is, and the place that its panel has for it. */
function chartsOf(
  page: Page,
): Promise<readonly { readonly width: number; readonly place: number }[]> {
  return page.evaluate(`[...document.querySelectorAll("svg[data-chart]")].map((chart) => {
    const panel = chart.closest("section");
    return { width: chart.getBoundingClientRect().width, place: panel.clientWidth - 2 * 16 };
  })`);
}

/** Waits until charts have followed the window: their width is observed, then drawn. */
function drawn(page: Page): Promise<unknown> {
  return page.evaluate(`new Promise((resolve) =>
    requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(resolve))))`);
}

test("every page fits the window, at 360 px and at 2560", async (t) => {
  const browser = await startBrowser(t, undefined, "the console's widths");
  if (browser === null) return;
  const demo = await sharedDemo();
  const visitor = await visitSignedIn(browser, demo);
  const { page } = visitor;
  await page.emulateMedia({ reducedMotion: "reduce" });
  const states = await pageStates(visitor);
  assert.ok(states.length >= 14);
  for (const state of states) {
    await t.test(state.name, async () => {
      await show(visitor, state);
      for (const width of [360, 2_560]) {
        await page.setViewportSize({ width, height: 1_300 });
        await drawn(page);
        assert.equal(await page.evaluate("document.documentElement.scrollWidth"), width);
        assert.deepEqual(await beyondTheWindow(page), []);
        assert.deepEqual(await brokenWords(page), []);
        assert.deepEqual(await longLines(page), []);
        for (const chart of await chartsOf(page)) {
          assert.ok(Math.abs(chart.width - chart.place) <= 1, JSON.stringify(chart));
        }
      }
    });
  }
  await t.test("Setup with a change that is not saved", async () => {
    await page.setViewportSize({ width: 360, height: 800 });
    await visitor.go("?page=setup&_tab=prompts");
    await page
      .getByRole("button", { name: /^Remove / })
      .first()
      .click();
    const bar = page.getByRole("region", { name: "Unsaved changes" });
    for (const part of [bar.getByText("not saved"), bar.getByRole("button").last()]) {
      const box = await part.boundingBox();
      assert.ok(box !== null && box.x >= 16 && box.x + box.width <= 344, JSON.stringify(box));
    }
  });
});

/** Phones, tablets, a laptop at 200 %, and large screens. */
const widths = [360, 390, 641, 768, 820, 900, 1_024, 1_280, 1_920, 2_560] as const;

const withTables = [
  "overview",
  "domains",
  "pages",
  "gaps",
  "prompts",
  "why by prompt",
  "plan",
  "Topics and prompts",
  "Collection",
  "Imports",
  "API keys",
];

test("tables drop columns in place of cutting them off, at every width", async (t) => {
  const browser = await startBrowser(t, undefined, "the widths of tables");
  if (browser === null) return;
  const visitor = await visitSignedIn(browser, await sharedDemo());
  const { page } = visitor;
  const states = await pageStates(visitor);
  for (const name of withTables) {
    await t.test(name, async () => {
      const state = states.find((each) => each.name === name);
      assert.ok(state !== undefined);
      await show(visitor, state);
      for (const width of widths) {
        await page.setViewportSize({ width, height: 1_000 });
        await drawn(page);
        assert.equal(await page.evaluate("document.documentElement.scrollWidth"), width);
        assert.deepEqual(await cutOff(page), [], `${width} px`);
      }
    });
  }
  await t.test("what is dropped is said in the row's details, or below its name", async () => {
    await page.setViewportSize({ width: 390, height: 1_000 });
    await visitor.turnTo("?page=sources&_open=tarnfell.example");
    const details = page.locator("tr[data-open] + tr");
    for (const title of ["Class", "Answers", "Change"]) {
      await details.locator("dt", { hasText: title }).first().waitFor();
    }
    await visitor.turnTo("?page=setup&_tab=keys");
    await page.locator("td:first-child dt", { hasText: "Last use" }).first().waitFor();
  });
  await t.test("the column that rows are sorted by stays", async () => {
    await visitor.turnTo("?page=prompts&_sort=rank");
    await page.getByRole("columnheader", { name: /^Rank/ }).waitFor();
    assert.deepEqual(await cutOff(page), []);
  });
});
