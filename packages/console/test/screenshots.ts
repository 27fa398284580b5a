import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { chromiumPath } from "@sightline/test-kit/browser.ts";
import { chromium, type Page } from "playwright-core";
import { collectionScenes, startCollectionScenes } from "./collection-scenes.ts";
import { startDemo } from "./demo-service.ts";
import { settled, signIn, visit } from "./visitor.ts";

/** A state of the console that is worth looking at. */
interface Scene {
  readonly search: string;
  /** What is done before the picture is taken. */
  readonly act?: (page: Page) => Promise<unknown>;
  /** The part that is seen without scrolling, such as of a drawer. */
  readonly windowOnly?: boolean;
}

const openChip = (name: RegExp) => (page: Page) => page.getByRole("button", { name }).click();
const evidence = "?evidence=mentioned~p.67bdc5bb-6b29-586d-a2b6-7cfad3d9b78e";

const scenes: Readonly<Record<string, Scene>> = {
  overview: { search: "" },
  "overview-rank": { search: "?metric=rank&compare=none" },
  "overview-days": { search: "?period=28d&metric=citations&providers=OPENAI,GROK" },
  "overview-isolated": {
    search: "",
    act: (page) => page.getByRole("button", { name: "Ridgeloom", exact: true }).click(),
  },
  "overview-crosshair": { search: "", act: (page) => page.locator("svg[data-chart]").hover() },
  "overview-gap": { search: "?period=2026-04-20..2026-08-01&compare=none" },
  "overview-empty": { search: "?period=2020-01-01..2020-02-01" },
  "overview-few": { search: "?prompts=67bdc5bb-6b29-586d-a2b6-7cfad3d9b78e" },
  "overview-error": { search: "?period=26w", act: failing },
  "overview-change": {
    search: "",
    act: (page) => page.locator('[data-metric="mentions"] button').nth(2).click(),
    windowOnly: true,
  },
  "overview-models": { search: "", act: otherModels, windowOnly: true },
  why: { search: "?why=mentions~by.topic", windowOnly: true },
  "why-prompt": { search: "?why=rank~by.prompt", act: lastOfDialog, windowOnly: true },
  "why-domain": { search: "?why=citations~by.domain", act: lastOfDialog, windowOnly: true },
  "why-evidence": {
    search: "?why=mentions~by.provider",
    act: (page) =>
      page
        .getByRole("dialog")
        .getByRole("button", { name: /Before/ })
        .first()
        .click(),
    windowOnly: true,
  },
  plan: { search: "?plan=mentions", windowOnly: true },
  "plan-rank": { search: "?plan=rank~c.0.25", windowOnly: true },
  "plan-error": { search: "?plan=mentions", act: failing, windowOnly: true },
  "why-error": { search: "?why=mentions~by.topic", act: failing, windowOnly: true },
  "chip-period": { search: "", act: openChip(/^Last/), windowOnly: true },
  "chip-prompt": { search: "", act: openChip(/^Prompt/), windowOnly: true },
  evidence: {
    search: "?evidence=mentioned~e.b73913e3-2996-544d-ac3a-d7bc56b9d7ed",
    windowOnly: true,
  },
  "evidence-prompt": { search: evidence, windowOnly: true },
  "evidence-answer": {
    search: evidence,
    act: (page) => page.locator("[data-answer]").first().click(),
    windowOnly: true,
  },
  "evidence-recorded": {
    search: `${evidence}&_text=recorded`,
    act: (page) => page.locator("[data-answer]").first().click(),
    windowOnly: true,
  },
  palette: { search: "", act: (page) => page.keyboard.press("Control+k"), windowOnly: true },
  keys: { search: "", act: (page) => page.keyboard.press("?"), windowOnly: true },
  menu: {
    search: "",
    act: (page) => page.getByRole("banner").getByRole("button", { name: "Tarnfell" }).click(),
    windowOnly: true,
  },
  sources: { search: "?page=sources" },
  "sources-open": { search: "?page=sources&_open=tarnfell.example" },
  "sources-pages": { search: "?page=sources&_tab=pages" },
  "sources-gaps": { search: "?page=sources&_tab=gaps" },
  "sources-nothing": { search: "?page=sources&_q=zzz" },
  prompts: { search: "?page=prompts" },
  "prompts-open": {
    search: "?page=prompts&_q=tent&_open=67bdc5bb-6b29-586d-a2b6-7cfad3d9b78e",
  },
  "setup-brand": { search: "?page=setup" },
  "setup-brand-form": {
    search: "?page=setup",
    act: (page) => page.getByRole("button", { name: "Osierline", exact: true }).click(),
    windowOnly: true,
  },
  "setup-review": { search: "?page=setup&_tab=prompts", act: reviewed, windowOnly: true },
  "setup-prompts": { search: "?page=setup&_tab=prompts" },
  "setup-imports": { search: "?page=setup&_tab=imports" },
  "setup-keys": { search: "?page=setup&_tab=keys" },
  "setup-hooks": { search: "?page=setup&_tab=hooks" },
  "setup-service": { search: "?page=setup&_tab=service" },
};

async function reviewed(page: Page): Promise<void> {
  await page.getByRole("button", { name: /^Remove Are trekking/ }).click();
  await page.getByRole("button", { name: "Review and save" }).click();
  await page.getByText("stop counting").waitFor();
}

function lastOfDialog(page: Page): Promise<void> {
  return page.locator("dialog tbody tr").last().scrollIntoViewIfNeeded();
}

/** As where a provider changed its models, and where no prompt is in both periods. */
async function otherModels(page: Page): Promise<void> {
  await page.route("**/v1/insights/summary", async (route) => {
    const reply = await route.fetch();
    const { groups, compare, ...rest } = JSON.parse(await reply.text());
    const [{ entities, ...group }] = groups;
    for (const { mentions, visibility, citations } of entities) {
      const { change } = mentions;
      mentions.change = {
        ...change,
        verdict: "discontinuous",
        adjustedP: null,
        continuing: change,
      };
      visibility.change = { ...mentions.change, continuing: null };
      citations.change = { ...change, parts: null, interval: null, verdict: "insufficient" };
    }
    const json = { ...rest, groups: [{ ...group, entities }] };
    await route.fulfill({ json: { ...json, compare: { ...compare, discontinuous: ["GROK"] } } });
  });
  await page.reload();
  await page.getByText("no unchanged provider").waitFor();
  await page.locator('[data-metric="mentions"] button').nth(2).click();
}

async function failing(page: Page): Promise<void> {
  const json = { code: "internal", status: 500, detail: "The service failed.", requestId: "req_1" };
  await page.route("**/v1/insights/**", (route) => route.fulfill({ status: 500, json }));
  await page.reload();
}

const widths = [390, 1_280, 1_920] as const;
const themes = ["light", "dark"] as const;

/**
 * Writes a picture of every scene, in both themes and three widths, into a folder:
 * `tasks/screenshots [FOLDER [SCENE…]]`.
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

const isWanted = (name: string): boolean => wanted.length === 0 || wanted.includes(name);
const ofCollection = Object.entries(collectionScenes).filter(([name]) => isWanted(name));
const collection = ofCollection.length === 0 ? null : await startCollectionScenes();

async function take(page: Page, name: string, windowOnly = false): Promise<void> {
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage: !windowOnly });
}

/** Takes what a page shows, in both themes. */
async function takeInThemes(page: Page, name: string, windowOnly = false): Promise<void> {
  if (!isWanted(name.replace(/-\d+$/, ""))) return;
  for (const colorScheme of themes) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await take(page, `${name}-${colorScheme}`, windowOnly);
  }
}

/** Takes a scene as the page of a signed-in browser shows it. */
async function takeScene(
  page: Page,
  origin: string,
  { name, search, act, windowOnly }: Scene & { readonly name: string },
): Promise<void> {
  await page.goto(`${origin}/${search}`);
  await settled(page);
  await act?.(page);
  await page.waitForLoadState("networkidle");
  await page.locator("body:not(:has([aria-busy=true]))").waitFor();
  await page.waitForFunction(() => document.getAnimations().length === 0);
  await take(page, name, windowOnly);
  await page.unrouteAll();
}

for (const width of widths) {
  const { page } = await visit(browser, demo, width);
  await page.goto(demo.origin);
  await page.getByLabel("Key", { exact: true }).waitFor();
  await takeInThemes(page, `sign-in-${width}`, true);
  await signIn(page, demo.key);
  for (const colorScheme of themes) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    const suffix = `${width}-${colorScheme}`;
    for (const [name, scene] of Object.entries(scenes)) {
      if (isWanted(name))
        await takeScene(page, demo.origin, { ...scene, name: `${name}-${suffix}` });
    }
  }
  await page.context().close();
  const first = await visit(browser, demo, width);
  await first.page.goto(demo.origin);
  await signIn(first.page, emptyKey);
  await takeInThemes(first.page, `first-steps-${width}`);
  await first.page.context().close();
}
if (collection !== null) {
  for (const width of widths) {
    for (const stage of ["collecting", "off"] as const) {
      const { origin, key } = collection[stage];
      const { page } = await visit(browser, { origin }, width);
      await page.goto(origin);
      await signIn(page, key);
      for (const colorScheme of themes) {
        await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
        for (const [name, scene] of ofCollection) {
          const suffix = `${width}-${colorScheme}`;
          if (scene.of === stage)
            await takeScene(page, origin, { ...scene, name: `${name}-${suffix}` });
        }
      }
      await page.context().close();
    }
  }
  await collection.close();
}
await browser.close();
await demo.service.close();
