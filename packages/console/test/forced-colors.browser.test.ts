import assert from "node:assert/strict";
import { test } from "node:test";
import { startBrowser } from "@sightline/test-kit/browser.ts";
import { sharedDemo } from "./demo-service.ts";
import { pageStates, show } from "./page-states.ts";
import { visitSignedIn } from "./visitor.ts";

/** Bars and swatches: grounds without words or an edge, which forced colors take away. */
const lostBars = `[...document.querySelectorAll("body *")]
  .filter((each) => each.checkVisibility() && each.childElementCount === 0)
  .filter((each) => each.textContent === "" && !each.matches("input, button, hr, svg *"))
  .filter((each) => {
    const { width, height } = each.getBoundingClientRect();
    const { backgroundColor, borderTopWidth, forcedColorAdjust } = getComputedStyle(each);
    const isSeen = each.matches("progress") || !/^rgba.*, 0\\)$/.test(backgroundColor);
    return width > 0 && height > 0 && height <= 24 && isSeen && parseFloat(borderTopWidth) === 0
      && forcedColorAdjust !== "none";
  })
  .map((each) => each.outerHTML.slice(0, 90))`;

/** What is chosen or current, and has no outline or line that says so. */
const lostChoices = `[...document.querySelectorAll(
    "[aria-current], [aria-pressed=true], [aria-selected=true], label:has(> [type=radio]:checked)")]
  .filter((each) => each.checkVisibility())
  .filter((each) => {
    const style = getComputedStyle(each);
    const has = (side) => parseFloat(style[side + "Width"]) > 0 && style[side + "Style"] !== "none"
      && !/^rgba.*, 0\\)$/.test(style[side + "Color"]);
    const input = each.querySelector("[type=radio]");
    const isNative = input !== null && getComputedStyle(input).opacity !== "0";
    const around = each.closest("li");
    return !(has("outline") || has("borderBottom") || has("borderTop") || isNative
      || style.textDecorationLine !== "none"
      || (around !== null && parseFloat(getComputedStyle(around).outlineWidth) > 0
        && getComputedStyle(around).outlineStyle !== "none"));
  })
  .map((each) => each.outerHTML.slice(0, 90))`;

/** Whether what has the focus has an outline, which forced colors draw. */
const ring = `(() => {
  const { outlineStyle, outlineWidth } = getComputedStyle(document.activeElement);
  return outlineStyle === "solid" && outlineWidth === "2px";
})()`;

test("forced colors leave bars, what is chosen, and where the focus is", async (t) => {
  const browser = await startBrowser(t, undefined, "the console in forced colors");
  if (browser === null) return;
  const demo = await sharedDemo();
  const visitor = await visitSignedIn(browser, demo);
  const { page } = visitor;
  await page.emulateMedia({ forcedColors: "active", colorScheme: "dark", reducedMotion: "reduce" });
  const found: Record<string, readonly string[]> = {};
  let choices = 0;
  for (const state of await pageStates(visitor)) {
    await show(visitor, state);
    choices += await page.locator("[aria-current], [aria-pressed=true]").count();
    const lost = await page.evaluate<readonly string[]>(`[...${lostBars}, ...${lostChoices}]`);
    if (lost.length > 0) found[state.name] = lost.slice(0, 6);
  }
  assert.ok(choices > 20);
  assert.deepEqual(found, {});
  for (let tab = 0; tab < 12; tab++) {
    await page.keyboard.press("Tab");
    assert.equal(
      await page.evaluate(ring),
      true,
      await page.evaluate("document.activeElement.outerHTML"),
    );
  }
});
