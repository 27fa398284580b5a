import assert from "node:assert/strict";
import { test } from "node:test";
import { startBrowser } from "@sightline/test-kit/browser.ts";
import type { Page } from "playwright-core";
import { sharedDemo } from "./demo-service.ts";
import { signIn, violationsOf, visit, visitSignedIn } from "./visitor.ts";

/** The open explanation of a word. */
const opened = (page: Page, title: string) =>
  page.getByRole("dialog", { name: `What ${title} means`, exact: true });

const focused = (page: Page) => page.evaluate("document.activeElement.ariaLabel");

test("words are explained by keys, on tiles and heads of columns", async (t) => {
  const browser = await startBrowser(t, undefined, "explanations");
  if (browser === null) return;
  const demo = await sharedDemo();
  const { page, turnTo } = await visitSignedIn(browser, demo);
  await t.test("Tab reaches it, Enter and Space open it, Escape gives focus back", async () => {
    for (const key of ["Enter", "Space"]) {
      await page.getByRole("button", { name: "Mentions", exact: true }).first().focus();
      // After the tile's figure, its change, and the answers without the brand.
      for (let tabs = 0; tabs < 4; tabs += 1) await page.keyboard.press("Tab");
      assert.equal(await focused(page), "What Mentions means");
      await page.keyboard.press(key);
      const text = opened(page, "Mentions");
      await text.getByText("An answer counts when one of your names is in its text.").waitFor();
      await page.keyboard.press("Tab");
      const link = text.getByRole("link", { name: "More in the guide" });
      assert.ok(await link.evaluate((each) => each === document.activeElement));
      assert.equal(await link.getAttribute("href"), "/docs/metrics/mentions");
      await page.keyboard.press("Escape");
      await text.waitFor({ state: "hidden" });
      assert.equal(await focused(page), "What Mentions means");
    }
    assert.ok(!page.url().includes("evidence"));
  });
  await t.test("the links of all explanations are pages of the service", async () => {
    const { explanations } = await import("../src/data/explanations.ts");
    for (const { guide } of Object.values(explanations)) {
      const reply = await page.request.get(`${demo.origin}/docs/${guide}`, {
        headers: { accept: "text/html" },
      });
      assert.equal(reply.status(), 200, guide);
      const [, part] = guide.split("#");
      if (part !== undefined) assert.ok((await reply.text()).includes(`id="${part}"`), guide);
    }
  });
  await t.test("heads of columns have it too, and axe finds nothing", async () => {
    const heads = {
      "?page=sources&_tab=gaps": ["Only competitors", "Difference", "Opportunity"],
      "?page=sources": ["Class", "Share", "Citations", "Answers", "Change"],
      "?page=prompts": ["Mentions", "Rank", "Stability"],
    };
    for (const [search, titles] of Object.entries(heads)) {
      await turnTo(search);
      for (const title of titles) {
        await page.getByRole("button", { name: `What ${title} means`, exact: true }).click();
        await opened(page, title).getByRole("link").waitFor();
        if (title === titles.at(-1)) assert.deepEqual(await violationsOf(page), [], search);
        await page.keyboard.press("Escape");
      }
    }
  });
});

test("a tap explains on a phone, inside the window", async (t) => {
  const browser = await startBrowser(t, undefined, "explanations on a phone");
  if (browser === null) return;
  const demo = await sharedDemo();
  const { page } = await visit(browser, demo, 390);
  await page.goto(demo.origin);
  await signIn(page, demo.key);
  for (const title of ["Mentions", "Visibility", "Citations", "Rank"]) {
    const tile = page.getByRole("list", { name: "The brand's values" });
    await tile.getByRole("button", { name: `What ${title} means` }).click();
    const box = await opened(page, title).boundingBox();
    assert.ok(box !== null && box.x >= 0 && box.x + box.width <= 390, JSON.stringify(box));
    await opened(page, title).getByRole("link").waitFor();
    assert.deepEqual(await violationsOf(page), []);
    await page.emulateMedia({ colorScheme: "light" });
    await page.keyboard.press("Escape");
  }
  assert.ok(!page.url().includes("metric="));
});
