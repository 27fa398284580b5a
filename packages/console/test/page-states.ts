import type { Page } from "playwright-core";
import { settled, type Visitor } from "./visitor.ts";

/** A page of the console as a reader may have it before them. */
export interface PageState {
  readonly name: string;
  readonly search: string;
  /** What is done there before it is looked at. */
  readonly act?: (page: Page) => Promise<unknown>;
}

const prompt = "67bdc5bb-6b29-586d-a2b6-7cfad3d9b78e";

const firstAnswer = (page: Page) => page.locator("dialog [data-answer]").first();

async function openAnswer(page: Page): Promise<void> {
  await firstAnswer(page).click();
  await page.getByRole("article", { name: "Answer" }).waitFor();
}

const states: readonly PageState[] = [
  { name: "overview", search: "?page=overview" },
  { name: "moved by topic", search: "?period=last-month&_moved=topic" },
  { name: "moved by competitor", search: "?period=last-month&_moved=competitor" },
  { name: "share of voice by region", search: "?_by=region&_voice=1&not-providers=GROK" },
  { name: "overview by day", search: "?metric=rank&period=28d&providers=OPENAI,GROK" },
  { name: "portrayal", search: "?page=portrayal&_flag=praised" },
  { name: "domains", search: "?page=sources&_open=tarnfell.example" },
  { name: "pages", search: "?page=sources&_tab=pages" },
  { name: "gaps", search: "?page=sources&_tab=gaps" },
  { name: "prompts", search: `?page=prompts&_q=tent&_open=${prompt}` },
  {
    name: "evidence",
    search: `?evidence=mentioned~p.${prompt}`,
    act: (page) => firstAnswer(page).waitFor(), // the page behind may be there before it
  },
  { name: "why by prompt", search: "?why=mentions~by.prompt" },
  { name: "why by domain", search: "?why=citations~by.domain" },
  { name: "plan", search: "?plan=mentions~c.0.02" },
  { name: "answer", search: `?evidence=mentioned~p.${prompt}`, act: openAnswer },
];

/** Every page of the demo's account, each section of Setup among them, and the open evidence. */
export async function pageStates({ page, go }: Visitor): Promise<readonly PageState[]> {
  await go("?page=setup");
  const links = page.getByRole("navigation", { name: "Sections of Setup" }).getByRole("link");
  const sections = await links.evaluateAll((all) =>
    all.map((each) => [each.textContent, new URL((each as HTMLAnchorElement).href).search]),
  );
  return [...states, ...sections.map(([name = "", search = ""]) => ({ name, search }))];
}

/** Turns to a page, and waits until it has its data and nothing moves. */
export async function show({ page, turnTo }: Visitor, { search, act }: PageState): Promise<void> {
  await turnTo(search);
  await act?.(page);
  // A drawer is fetched before it is drawn.
  if (/[?&](plan|why|evidence)=/.test(search)) await page.locator("dialog[open]").waitFor();
  await settled(page);
  await page.waitForFunction(() => document.getAnimations().length === 0);
}
