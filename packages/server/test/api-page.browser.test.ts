import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { startBrowser, watchedPage } from "@sightline/test-kit/browser.ts";
import { sharedSample } from "@sightline/test-kit/shared-sample.ts";
import type { Locator, Page } from "playwright-core";
import { checkoutDocuments } from "../src/services.ts";

const library = `${checkoutDocuments.apiPage}/standalone.js`;

interface Operation {
  readonly path: string;
  readonly method: string;
  readonly summary: string;
  readonly description: string;
}

interface Document {
  readonly paths: Readonly<
    Record<string, Readonly<Record<string, Pick<Operation, "summary" | "description">>>>
  >;
}

let address: Promise<string> | null = null;

/** The sample's service, which listens from then on, and the operations that it documents. */
async function listening() {
  const { service, accountId } = await sharedSample();
  address ??= service.listen();
  const document = (await service.request("GET", "/openapi.json")).json<Document>();
  return { service, accountId, origin: await address, operations: operationsOf(document) };
}

function operationsOf({ paths }: Document): readonly Operation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { summary, description }]) => ({
      path,
      method,
      summary,
      description,
    })),
  );
}

/** Unfolds the sidebar's groups, so that every operation has its entry. */
async function unfold(page: Page): Promise<void> {
  const groups = (name: RegExp) => page.getByRole("button", { name }).filter({ visible: true });
  await groups(/^(Open|Close) Group/)
    .first()
    .waitFor();
  while ((await groups(/^Open Group/).count()) > 0)
    await groups(/^Open Group/)
      .first()
      .click();
}

/** Goes to an operation by the sidebar and gives the button that opens the request's window. */
async function goTo(page: Page, { summary, method, path }: Operation) {
  const entry = page.locator("aside, nav").getByText(summary, { exact: true });
  await entry.filter({ visible: true }).first().click();
  // By its text: to find it by its role, every part of this large page is looked at.
  const button = page.locator("button").filter({ hasText: `(${method} ${path})` });
  await button.waitFor();
  return button;
}

/** Sends a request from its window with a Bearer token, and gives the reply. */
async function tryIt(page: Page, operation: Operation, token: string) {
  await (await goTo(page, operation)).click();
  const dialog = page.getByRole("dialog").first();
  await dialog.getByPlaceholder("Token").fill(token);
  const replied = page.waitForResponse((reply) => reply.url().endsWith(operation.path));
  await dialog.getByRole("button", { name: /^Send/ }).first().click();
  const reply = await replied;
  await dialog.getByText(`${reply.status()} OK`).first().waitFor();
  const shown = [reply.status(), await reply.json()] as const;
  await dialog.getByRole("button", { name: "Close Client" }).click();
  return shown;
}

/** What the page says of an operation is there, where its button is. */
async function assertDescribed(button: Locator, { summary, description }: Operation) {
  const section = button.locator("xpath=ancestor::section[1]");
  await section.getByRole("heading", { name: summary }).first().waitFor();
  // What is code in it is drawn apart, without its marks.
  await section.getByText(description.replaceAll("`", "")).first().waitFor();
}

test("the API page in a browser takes nothing from elsewhere", async (t) => {
  const browser = await startBrowser(t, library);
  if (browser === null) return;
  const { service, accountId, origin, operations } = await listening();
  assert.ok(operations.length >= 6);
  const { page, foreign, faults } = await watchedPage(browser, { origin, width: 1_280 });
  await page.goto(`${origin}/docs`);
  await unfold(page);

  await t.test("no two groups of its sidebar have one name", async () => {
    const groups = page.getByRole("button", { name: /^Close Group/ }).filter({ visible: true });
    const names = await groups.evaluateAll((all) => all.map(({ textContent }) => textContent));
    assert.ok(names.length > 5 && names.some((name) => /Manage webhooks/.test(name ?? "")));
    assert.deepEqual(names, [...new Set(names)]);
  });

  await t.test("it shows the fields of the filters open", async () => {
    const [mentions] = operations;
    assert.ok(mentions !== undefined);
    await goTo(page, mentions);
    const filters = page.locator(".property").filter({ hasText: "filters" }).first();
    assert.doesNotMatch((await filters.textContent()) ?? "", /Not(?! together with)/);
    for (const field of ["timeRange", "providers", "topics", "promptIds", "regions", "branded"]) {
      await filters.getByText(field, { exact: true }).first().waitFor({ timeout: 10_000 });
    }
  });

  await t.test("it works", async () => {
    const named = (path: string): Operation => {
      const found = operations.find((operation) => operation.path === path);
      if (found === undefined) throw new Error(`no operation at ${path}`);
      return found;
    };
    const key = await service.key(accountId);
    const [status, session] = await tryIt(page, named("/v1/auth/accesskey/exchange"), key);
    assert.equal(status, 200);
    const { sessionJwt } = session as { sessionJwt: string };
    const metric = "/v1/analytics/brands/mentions";
    const timeRange = { from: "2026-01-01T00:00:00Z", to: "2026-03-01T00:00:00Z" };
    const body = { interval: "monthly", filters: { timeRange } };
    const expected = await service.post(metric, { token: sessionJwt, body });
    assert.deepEqual(await tryIt(page, named(metric), sessionJwt), [200, expected.json()]);
  });

  // At last: it is slow to search the page when all of it is drawn.
  await t.test("it has all operations", async () => {
    for (const operation of operations) {
      await assertDescribed(await goTo(page, operation), operation);
    }
  });

  assert.deepEqual([foreign, faults], [[], []]);
});

test("the API page on a phone: as wide as the screen, operations within reach", async (t) => {
  const browser = await startBrowser(t, library);
  if (browser === null) return;
  const { origin, operations } = await listening();
  const { page, foreign, faults } = await watchedPage(browser, { origin, width: 390 });
  await page.goto(`${origin}/docs`);
  await page.getByRole("heading", { name: "Sightline" }).first().waitFor();
  await page.getByRole("button", { name: "Open Menu" }).click();
  await unfold(page);
  const [operation] = operations;
  assert.ok(operation !== undefined);
  await goTo(page, operation);
  await page.getByText(operation.description).first().waitFor();
  assert.equal(await page.evaluate("document.documentElement.scrollWidth"), 390);
  assert.deepEqual([foreign, faults], [[], []]);
});

test("the API page follows the theme without being loaded again", async (t) => {
  const browser = await startBrowser(t, library);
  if (browser === null) return;
  const { origin } = await listening();
  const { page, foreign, faults } = await watchedPage(browser, { origin, width: 1_280 });
  await page.goto(`${origin}/docs`);
  const heading = page.getByRole("heading", { name: "Sightline" }).first();
  await heading.waitFor();
  const ink = () => heading.evaluate("(each) => getComputedStyle(each).color");
  const light = await ink();
  await page.getByRole("button", { name: "Theme: as the system" }).click();
  assert.equal(await ink(), light);
  await page.getByRole("button", { name: "Theme: light" }).click();
  assert.notEqual(await ink(), light);
  assert.deepEqual([foreign, faults], [[], []]);
});

/** What of a page's text is cut off; code and tables scroll by themselves. */
const cutOff = `[...document.querySelectorAll("main *")]
  .filter((element) => element.closest("pre, .table") === null)
  .filter((element) => element.scrollWidth > element.clientWidth + 1 && element.clientWidth > 0
    || element.getBoundingClientRect().right > innerWidth)
  .map((element) => element.tagName + ": " + element.textContent.slice(0, 60))`;

test("no text of the guides is cut off, on a phone, a desk and a large screen", async (t) => {
  const browser = await startBrowser(t, library);
  if (browser === null) return;
  const { origin } = await listening();
  const { page } = await watchedPage(browser, { origin, width: 390 });
  for (const name of readdirSync(join(checkoutDocuments.pages, "guide"))) {
    await page.goto(`${origin}/docs/guide/${name.replace(/\.md$/, "")}`);
    for (const width of [390, 1_280, 1_920]) {
      await page.setViewportSize({ width, height: 850 });
      assert.deepEqual(await page.evaluate(cutOff), [], `${name} at ${width} pixels`);
    }
  }
});

test("the guides in a browser keep to their policy, at a phone's width too", async (t) => {
  const browser = await startBrowser(t, library);
  if (browser === null) return;
  const { origin } = await listening();
  const { page, foreign, faults } = await watchedPage(browser, { origin, width: 390 });
  for (const path of ["/docs/guide/limits", "/docs/metrics/rank", "/docs/errors/rate_limited"]) {
    await page.goto(`${origin}${path}`);
    assert.equal(await page.evaluate("document.documentElement.scrollWidth"), 390, path);
  }
  await page.getByRole("link", { name: "Pages", exact: true }).click();
  await page.getByRole("link", { name: "Errors", exact: true }).click();
  await page.getByRole("main").getByRole("link", { name: "quota_exhausted", exact: true }).click();
  await page.getByRole("heading", { name: "quota_exhausted" }).waitFor();
  assert.deepEqual([foreign, faults], [[], []]);
});

test("code of the guides can be copied; the theme is the console's or the system's", async (t) => {
  const browser = await startBrowser(t, undefined, "the guides");
  if (browser === null) return;
  const { origin } = await listening();
  const { page, foreign, faults } = await watchedPage(browser, { origin, width: 1_280 });
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"], { origin });
  await page.goto(`${origin}/docs/guide/start`);
  const background = () =>
    page.evaluate("getComputedStyle(document.documentElement).backgroundColor");
  const light = await background();
  await page.emulateMedia({ colorScheme: "dark" });
  const dark = await background();
  assert.notEqual(dark, light);
  await page.evaluate(`localStorage.setItem("sightline.theme", "light")`);
  await page.reload();
  assert.equal(await background(), light);

  await page.locator(".code").nth(1).hover();
  await page.getByRole("button", { name: "Copy" }).nth(1).click();
  await page.getByRole("button", { name: "Copied" }).waitFor();
  const block = await page.locator(".code code").nth(1).textContent();
  assert.equal(await page.evaluate("navigator.clipboard.readText()"), block);

  await page
    .getByRole("navigation", { name: "Pages" })
    .getByRole("link", { name: "Scale" })
    .click();
  await page.getByRole("heading", { name: "Scale", level: 1 }).waitFor();
  assert.deepEqual([foreign, faults], [[], []]);
});
