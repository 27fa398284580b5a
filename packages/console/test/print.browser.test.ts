import assert from "node:assert/strict";
import { test } from "node:test";
import { startBrowser } from "@sightline/test-kit/browser.ts";
import type { Page } from "playwright-core";
import { sharedDemo } from "./demo-service.ts";
import { pageStates, show } from "./page-states.ts";
import { type Visitor, visitSignedIn } from "./visitor.ts";

/** A4 without its margins, in px. */
const paperWidth = 718;

/** Keeps the texts with a figure that a reader sees in the open drawer, or else on the page. */
const keepFigures = `(() => {
  const texts = document.createTreeWalker(
    document.querySelector("dialog[open]") ?? document.querySelector("main"), NodeFilter.SHOW_TEXT);
  window.figures = [];
  for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
    const { data, parentElement } = node;
    if (!/\\d/.test(data) || !parentElement.checkVisibility()) continue;
    if (parentElement.closest("svg") !== null) continue; // a chart is drawn again
    // What a row says below its columns goes when they have a place again.
    const row = parentElement.closest("tr");
    node.rows = [row, row?.previousElementSibling];
    figures.push(node);
  }
  return figures.length;
})()`;

const isSeen = `(each) => each.checkVisibility({ opacityProperty: true, visibilityProperty: true })
  && each.getBoundingClientRect().width > 1`;

/** What stands over a page or is there to be pressed: of no use on paper. */
const ofTheScreen = `[...document.querySelectorAll("*")].filter(${isSeen}).filter((each) =>
  ["fixed", "sticky"].includes(getComputedStyle(each).position)
    || each.matches("nav, header:has(nav), [type=search], [popover], [aria-busy=true]"))
  .map((each) => each.outerHTML.slice(0, 90))`;

/** The names of all buttons that are seen. */
const buttons = `[...document.querySelectorAll("button")].filter(${isSeen})
  .map((each) => each.ariaLabel ?? each.innerText)`;

const actions =
  "Add|All (answers|\\d+)|Back|Previous|Clear|Close|Copy|Create|CSV|Delete|Discard|Download|Edit|" +
  "Export|Import|Next|Remove|Review|Revoke|Save|Search|Send|Show (all|more|\\d+)|Theme|Undo|" +
  "Upload|Views\\d*";
const doesSomething = new RegExp(`^(${actions})\\b`);

/** Whether a column says it on paper that had no place on the screen. */
const inAColumn = `(({ data, rows }) => rows.some((each) => [...(each?.cells ?? [])].some(
  (cell) => cell.checkVisibility() && cell.innerText.includes(data.trim()))))`;

/** The kept figures that are not printed, save those of buttons that do something. */
const missingFigures = `figures.filter(({ parentElement }) => !parentElement.checkVisibility())
  .filter((each) => !${inAColumn}(each))
  .filter(({ parentElement: at }) => at.closest("nav") === null
    && at.parentElement.querySelector(":scope > button + button") === null
    && !${doesSomething}.test(at.closest("button")?.textContent ?? ""))
  .map(({ data }) => data)`;

/** What is cut: by a frame that would scroll, or at the edge of the paper. */
const cut = `[...document.querySelectorAll("main *, footer *, dialog[open], dialog[open] *")]
  .filter(${isSeen}).filter((each) => {
    const style = getComputedStyle(each);
    const { left, right } = each.getBoundingClientRect();
    if (left < -1 || right > innerWidth + 1) return true;
    const isFrame = (text) => text !== "visible" && text !== "clip";
    return isFrame(style.overflowX) && each.scrollWidth > each.clientWidth + 1
      || isFrame(style.overflowY) && each.scrollHeight > each.clientHeight + 1;
  }).map((each) => each.outerHTML.slice(0, 120)).slice(0, 9)`;

/** What is not in the light theme. */
const dark = `[...document.querySelectorAll("*")].map((each) => getComputedStyle(each).colorScheme)
  .filter((each) => each !== "light")`;

async function pagesOf(page: Page): Promise<number> {
  const file = (await page.pdf({ format: "A4", printBackground: true })).toString("latin1");
  return file.match(/\/Type \/Page\b/g)?.length ?? 0;
}

test("every page prints its figures, light, whole, and nothing else", async (t) => {
  const browser = await startBrowser(t, undefined, "the console in print");
  if (browser === null) return;
  const demo = await sharedDemo();
  const visitor = await visitSignedIn(browser, demo, paperWidth);
  const { page } = visitor;
  await page.evaluate("localStorage.setItem('sightline.theme', 'dark')");
  let [figures, pressed] = [0, 0];
  for (const state of await pageStates(visitor)) {
    await t.test(state.name, async () => {
      await page.emulateMedia({ media: "screen", colorScheme: "dark", reducedMotion: "reduce" });
      await show(visitor, state);
      figures += await page.evaluate<number>(keepFigures);
      assert.ok((await page.evaluate<readonly string[]>(dark)).length > 0);
      const onScreen = await page.evaluate<readonly string[]>(buttons);
      pressed += onScreen.filter((each) => doesSomething.test(each)).length;

      await page.emulateMedia({ media: "print" });
      assert.deepEqual(await page.evaluate(missingFigures), []);
      assert.deepEqual(await page.evaluate(ofTheScreen), []);
      const printed = await page.evaluate<readonly string[]>(buttons);
      assert.deepEqual(
        printed.filter((each) => doesSomething.test(each)),
        [],
      );
      assert.deepEqual(await page.evaluate(cut), []);
      assert.deepEqual(await page.evaluate(dark), []);
      const ground = "getComputedStyle(document.documentElement).backgroundColor";
      assert.equal(await page.evaluate(ground), "rgb(255, 255, 255)");
      const isOpen = (await page.locator("dialog[open]").count()) > 0;
      assert.equal(await page.locator("main").isVisible(), !isOpen);
      if (isOpen) {
        const behind = `getComputedStyle(document.querySelector("dialog"), "::backdrop").display`;
        assert.equal(await page.evaluate(behind), "none");
        const heightPx = await page.evaluate<number>(
          `document.querySelector("dialog").getBoundingClientRect().height`,
        );
        // A sheet has 1,123 px and wider lines; a drawer that stayed in its window would print one.
        assert.ok((await pagesOf(page)) >= heightPx / 1_400, `${heightPx} px`);
      }
    });
  }
  assert.ok(figures > 500 && pressed > 50, `${figures} figures, ${pressed} buttons`);
  await t.test("a chart that was drawn for a wide window", () => fitsPaper(visitor));
});

/** Paper is narrower than the window that a chart was drawn for. */
async function fitsPaper({ page, go }: Visitor): Promise<void> {
  await page.emulateMedia({ media: "screen" });
  await page.setViewportSize({ width: 1_280, height: 1_000 });
  // What observes a width hears of the paper's when the sheets are done.
  await page.addInitScript("ResizeObserver.prototype.observe = () => undefined");
  await go("");
  const drawn = await page.locator("svg[data-chart]").boundingBox();
  await page.setViewportSize({ width: paperWidth, height: 1_000 });
  await page.emulateMedia({ media: "print" });
  const printed = await page.locator("svg[data-chart]").boundingBox();
  assert.ok(drawn !== null && printed !== null);
  assert.ok(drawn.width > paperWidth && printed.width > 600 && printed.width < paperWidth);
  assert.ok(Math.abs(printed.width / printed.height - drawn.width / drawn.height) < 0.01);
  assert.deepEqual(await page.evaluate(cut), []);
}
