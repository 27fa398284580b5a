import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { type PageWatch, type WatchOptions, watchedPage } from "@sightline/test-kit/browser.ts";
import type { Browser, Page } from "playwright-core";
import { type DemoService, nowMs } from "./demo-service.ts";

/** A page of the console, and what its reader should know of it. */
export interface Visitor extends PageWatch {
  /** Goes to a search part of the console, and waits until its panels have their data. */
  readonly go: (search: string) => Promise<void>;
  /**
   * The same from one page of the console to the next, as by the browser's Back: without a load,
   * which costs more than what is looked at.
   */
  readonly turnTo: (search: string) => Promise<void>;
}

/**
 * A page in a browser of its own that nobody is signed in to. The time of day stands still, and its
 * reader wants no motion: motion.browser.test.ts looks at what moves, which is drawn frame by
 * frame.
 */
export async function visit(
  browser: Browser,
  { origin }: Pick<DemoService, "origin">,
  window: number | Pick<WatchOptions, "width" | "hasTouch"> = 1_280,
): Promise<Visitor> {
  const { width, hasTouch = false } = typeof window === "number" ? { width: window } : window;
  const watch = await watchedPage(browser, { origin, width, hasTouch, locale: "en-GB" });
  const { page } = watch;
  await page.clock.setFixedTime(nowMs);
  await page.emulateMedia({ reducedMotion: "reduce" });
  const go = async (search: string): Promise<void> => {
    await page.goto(`${origin}/${search}`);
    await settled(page);
  };
  const turnTo = async (search: string): Promise<void> => {
    await page.evaluate((to) => {
      history.pushState(null, "", to);
      dispatchEvent(new PopStateEvent("popstate"));
    }, search);
    await settled(page);
  };
  return { ...watch, go, turnTo };
}

/** The same, signed in with the key that may do everything, at the overview. */
export async function visitSignedIn(browser: Browser, demo: DemoService, width?: number) {
  const visitor = await visit(browser, demo, width);
  await visitor.page.goto(demo.origin);
  await signIn(visitor.page, demo.key);
  return visitor;
}

/** Fills the form of a page that asks for a key, and waits for the pages of its account. */
export async function signIn(page: Page, key: string): Promise<void> {
  await page.getByLabel("Key", { exact: true }).fill(key);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.getByRole("navigation", { name: "Pages" }).waitFor();
  await settled(page);
}

/** Waits until no panel waits for the service. */
export async function settled(page: Page): Promise<void> {
  await page.locator("header nav").waitFor();
  await page.locator("body:not(:has([aria-busy=true])) main :is(section, ol, p)").first().waitFor();
}

let axe = "";

/** What differs from theme to theme is colours: what else axe looks at is the same page. */
const runs = [
  ["light", { resultTypes: ["violations"] }],
  ["dark", { resultTypes: ["violations"], runOnly: ["color-contrast", "link-in-text-block"] }],
] as const;

/** The same on a phone and on a desk, where it is left. */
export async function violationsAtBoth(page: Page): Promise<readonly string[]> {
  const { width, height } = page.viewportSize() ?? { width: 1_280, height: 850 };
  await page.setViewportSize({ width: 390, height });
  const onPhone = await violationsOf(page);
  await page.setViewportSize({ width: 1_280, height });
  const onDesk = await violationsOf(page);
  await page.setViewportSize({ width, height });
  return [...onPhone.map((each) => `390 px: ${each}`), ...onDesk];
}

/** What axe finds on a page as it is, in each theme, in words; empty: nothing. It is left dark. */
export async function violationsOf(page: Page): Promise<readonly string[]> {
  axe ||= readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(axe);
  const found: string[] = [];
  for (const [colorScheme, options] of runs) {
    await page.emulateMedia({ colorScheme });
    const words = await page.evaluate<readonly string[]>(
      `axe.run(${JSON.stringify(options)}).then(({ violations }) =>
        violations.flatMap(({ id, nodes }) =>
          nodes.map(({ target, failureSummary }) => id + " " + target + " " + failureSummary)))`,
    );
    found.push(...words.map((each) => `${colorScheme}: ${each}`));
  }
  return found;
}
