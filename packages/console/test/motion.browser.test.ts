import assert from "node:assert/strict";
import { test } from "node:test";
import { startBrowser } from "@sightline/test-kit/browser.ts";
import type { Page } from "playwright-core";
import { sharedDemo } from "./demo-service.ts";
import { pageStates } from "./page-states.ts";
import { settled, visitSignedIn } from "./visitor.ts";

/**
 * What no eye sees as motion. A delay is none: the grey bars of a page that loads appear after a
 * while, without a fade.
 */
const durationMaxMs = 1;

/**
 * Keeps every animation and transition that starts on a page from now on, longer than that or in a
 * loop. It looks at each frame, so that one which has ended since is not missed.
 */
const watchMotion = `(() => {
  if (window.motions !== undefined) return;
  window.motions = [];
  const look = () => {
    for (const each of document.getAnimations()) {
      const { activeDuration } = each.effect.getComputedTiming();
      if (activeDuration <= ${durationMaxMs}) continue;
      const { target, pseudoElement } = each.effect;
      const what = each.transitionProperty ?? "animation";
      const where = target.tagName + (pseudoElement ?? "");
      motions.push(what + " of " + where + ", " + activeDuration + " ms");
    }
    requestAnimationFrame(look);
  };
  document.addEventListener("transitionrun", ({ propertyName }) => motions.push(propertyName));
  look();
})()`;

/** The elements of a page whose styles promise motion, whether it runs or not. */
const promised = `[...document.querySelectorAll("*")].flatMap((each) =>
  ["", "::before", "::after", "::backdrop"].flatMap((part) => {
    const style = getComputedStyle(each, part);
    const longest = (text) => Math.max(...text.split(",").map((one) => parseFloat(one) * 1000));
    const isLoop = style.animationIterationCount.includes("infinite");
    const animated = style.animationName === "none" ? 0
      : isLoop ? Infinity : longest(style.animationDuration);
    const moved = style.transitionProperty === "none" ? 0 : longest(style.transitionDuration);
    return Math.max(animated, moved) <= ${durationMaxMs} && style.scrollBehavior !== "smooth" ? []
      : [each.tagName + "." + each.className + part + " " + animated + " " + moved];
  }))`;

/** Rules that move parts of the browser's own, which no style of an element tells of. */
const unreached = `[...document.styleSheets].flatMap(({ cssRules }) => [...cssRules])
  .filter((rule) => /::-/.test(rule.selectorText) && /transition|animation/.test(rule.cssText))
  .map(({ cssText }) => cssText)`;

/** A walk through the console by mouse and keys, past everything that moves otherwise. */
async function walk(page: Page, see: () => Promise<void>): Promise<void> {
  const link = (name: string) => page.getByRole("link", { name, exact: true });
  for (const name of ["Sources", "Prompts", "Setup", "Overview"]) {
    await link(name).click();
    await settled(page);
    await see();
  }
  await page.getByRole("button", { name: "Ridgeloom", exact: true }).click();
  await settled(page);
  await page.locator('li[data-metric="citations"]').getByRole("button").first().click();
  await settled(page);
  await page.locator('li[data-metric="citations"]').getByRole("button").nth(1).click();
  await page.locator("dialog [data-answer]").first().waitFor();
  await see();
  await page.keyboard.press("j");
  await page.keyboard.press("Enter");
  await page.getByRole("article", { name: "Answer" }).waitFor();
  await page.keyboard.press("Escape");
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox").waitFor();
  await see();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: /^Provider/ }).hover();
  await page.getByRole("button", { name: /^Provider/ }).click();
  await page.getByRole("checkbox", { name: "ChatGPT" }).check();
  await see();
  await page.keyboard.press("Escape");
  await page.locator("svg[data-chart]").hover();
  await settled(page);
  await see();
}

test("nothing moves for a reader who wants no motion, and something does for others", async (t) => {
  const browser = await startBrowser(t, undefined, "the console's motion");
  if (browser === null) return;
  const demo = await sharedDemo();
  const visitor = await visitSignedIn(browser, demo);
  const { page } = visitor;
  await page.addInitScript(watchMotion);

  // The walk meets what moves: without that, a page that stands still would prove nothing.
  await page.emulateMedia({ reducedMotion: "no-preference" });
  await visitor.go("");
  await walk(page, async () => undefined);
  const moved = await page.evaluate<readonly string[]>("motions");
  assert.ok(moved.includes("animation of DIALOG, 160 ms"), `${moved}`);

  await page.emulateMedia({ reducedMotion: "reduce" });
  await visitor.go("?page=overview");
  await walk(page, async () => {
    assert.deepEqual(await page.evaluate(promised), []);
  });
  assert.deepEqual(await page.evaluate("motions"), []);
  for (const { search, name } of await pageStates(visitor)) {
    await visitor.turnTo(search);
    assert.deepEqual(await page.evaluate(promised), [], name);
    assert.deepEqual(await page.evaluate("motions"), [], name);
    assert.deepEqual(await page.evaluate(unreached), [], name);
  }
});
