import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { chromiumPath } from "@sightline/test-kit/browser.ts";
import { chromium, type Page } from "playwright-core";
import { collectionScenes, startCollectionScenes } from "./collection-scenes.ts";
import { startDemo } from "./demo-service.ts";
import { pageScenes, type Scene } from "./page-scenes.ts";
import { peopleScenes, takePeople } from "./people-scenes.ts";
import { firstRunScenes, takeFirstRun, takeWizard, wizardScenes } from "./story-scenes.ts";
import { settled, signIn, visit } from "./visitor.ts";

const widths = [390, 768, 1_280, 1_920] as const;
const themes = ["light", "dark"] as const;

/** Pages of the service that are not the console's. */
const otherPages: Readonly<Record<string, string>> = {
  guide: "/docs/guide/console",
  "guide-table": "/docs/metrics/rank",
  "api-page": "/docs",
  "no-such-page": "/no-such-page",
};

/**
 * Writes a picture of every scene, in both themes and four widths, into a folder:
 * `tasks/screenshots [FOLDER [SCENE…]]`. A name that ends in * means all that begin so.
 */
const [folder = ".runs/screenshots", ...wanted] = process.argv.slice(2);
mkdirSync(folder, { recursive: true });
const browser = await chromium.launch({
  executablePath: chromiumPath,
  args: process.getuid?.() === 0 ? ["--no-sandbox"] : [],
});
const demo = await startDemo();
const empty = await demo.service.apply({ account: { name: "Acme" }, brand: { name: "Acme" } });
const emptyKey = await demo.service.key(empty);

const isWanted = (name: string): boolean =>
  wanted.length === 0 ||
  wanted.some((each) => (each.endsWith("*") ? name.startsWith(each.slice(0, -1)) : name === each));
const wantedOf = <Of>(scenes: Readonly<Record<string, Of>>) =>
  Object.entries(scenes).filter(([name]) => isWanted(name));
const ofCollection = wantedOf(collectionScenes);
const collection = ofCollection.length === 0 ? null : await startCollectionScenes();

/** Takes what a page shows in both themes, which differ in colours alone. */
async function take(page: Page, name: string, windowOnly = false): Promise<void> {
  if (!isWanted(name)) return;
  const width = page.viewportSize()?.width;
  await page.evaluate("document.fonts.ready");
  for (const colorScheme of themes) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    const path = join(folder, `${name}-${width}-${colorScheme}.png`);
    await page.screenshot({ path, fullPage: !windowOnly });
  }
}

/** Takes a scene as the page of a signed-in browser shows it; what fails is said, and left out. */
async function takeScene(page: Page, origin: string, [name, scene]: readonly [string, Scene]) {
  try {
    await page.goto(`${origin}/${scene.search}`);
    await settled(page);
    await scene.act?.(page);
    if (!name.endsWith("-loading")) {
      await page.waitForLoadState("networkidle");
      await page.locator("body:not(:has([aria-busy=true]))").waitFor();
      await page.waitForFunction(() => document.getAnimations().length === 0);
    }
    await take(page, name, scene.windowOnly);
  } catch (error) {
    process.exitCode = 1;
    process.stderr.write(`${name}: ${error instanceof Error ? error.message : error}\n`);
  }
  await page.unrouteAll({ behavior: "ignoreErrors" });
}

/** A page of an account, for which its key has signed in. */
async function signedIn(origin: string, key: string, width: number): Promise<Page> {
  const { page } = await visit(browser, { origin }, width);
  page.setDefaultTimeout(20_000);
  await page.addInitScript("sessionStorage.clear()"); // a draft would stand on the next pages too
  await page.goto(origin);
  await signIn(page, key);
  return page;
}

async function takePages(width: number): Promise<void> {
  const { page: nobody } = await visit(browser, demo, width);
  await nobody.goto(demo.origin);
  await nobody.getByLabel("Key", { exact: true }).waitFor();
  await take(nobody, "sign-in", true);
  for (const [name, path] of wantedOf(otherPages)) {
    await nobody.goto(`${demo.origin}${path}`);
    await nobody.waitForLoadState("networkidle");
    await take(nobody, name, true);
  }
  await nobody.context().close();
  const page = await signedIn(demo.origin, demo.key, width);
  for (const scene of wantedOf(pageScenes)) await takeScene(page, demo.origin, scene);
  await page.context().close();
  if (!isWanted("first-steps")) return;
  const first = await signedIn(demo.origin, emptyKey, width);
  await take(first, "first-steps");
  await first.context().close();
}

/** What is taken step by step. The wizard imports, so that it comes last. */
async function takeStories(width: number): Promise<void> {
  if (firstRunScenes.some(isWanted)) {
    const visitTo = async (origin: string) => (await visit(browser, { origin }, width)).page;
    await takeFirstRun(
      visitTo,
      (page) =>
        (...shown) =>
          take(page, ...shown),
    );
  }
  if (peopleScenes.some(isWanted)) {
    const { page } = await visit(browser, demo, width);
    await takePeople(page, demo, (...shown) => take(page, ...shown));
    await page.context().close();
  }
  if (!wizardScenes.some(isWanted)) return;
  const page = await signedIn(demo.origin, demo.key, width);
  await takeWizard(page, demo, (...shown) => take(page, ...shown));
  await page.context().close();
}

for (const width of widths) await takePages(width);
for (const width of widths) await takeStories(width);
if (collection !== null) {
  for (const width of widths) {
    for (const stage of ["collecting", "off"] as const) {
      const { origin, key } = collection[stage];
      const page = await signedIn(origin, key, width);
      for (const [name, scene] of ofCollection) {
        if (scene.of === stage) await takeScene(page, origin, [name, scene]);
      }
      await page.context().close();
    }
  }
  await collection.close();
}
await browser.close();
await demo.service.close();
