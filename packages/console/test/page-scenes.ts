import type { Page } from "playwright-core";

/** A state of the console that is worth looking at. */
export interface Scene {
  readonly search: string;
  /** What is done before the picture is taken. */
  readonly act?: (page: Page) => Promise<unknown>;
  /** The part that is seen without scrolling, such as of a drawer. */
  readonly windowOnly?: boolean;
}

const prompt = "67bdc5bb-6b29-586d-a2b6-7cfad3d9b78e";
const evidence = `?evidence=mentioned~p.${prompt}`;
const press = (name: string | RegExp) => (page: Page) => page.getByRole("button", { name }).click();
const firstAnswer = (page: Page) => page.locator("[data-answer]").first().click();
const changeButton = (page: Page) => page.locator('[data-metric="mentions"] button').nth(2).click();

/** The states of the demo's pages, for a key that may do everything. */
export const pageScenes: Readonly<Record<string, Scene>> = {
  overview: { search: "" },
  "overview-rank": { search: "?metric=rank&compare=none" },
  "overview-days": { search: "?period=28d&metric=citations&providers=OPENAI,GROK" },
  "overview-month": { search: "?period=last-month" },
  "overview-isolated": {
    search: "",
    act: (page) => page.getByRole("button", { name: "Ridgeloom", exact: true }).click(),
  },
  "overview-several-isolated": { search: "", act: severalIsolated },
  "overview-crosshair": { search: "", act: (page) => page.locator("svg[data-chart]").hover() },
  "overview-gap": { search: "?period=2026-04-20..2026-08-01&compare=none" },
  "overview-empty": { search: "?period=2020-01-01..2020-02-01" },
  "overview-few": { search: `?prompts=${prompt}` },
  "overview-excluded": { search: "?not-providers=OPENAI&not-regions=DE" },
  "overview-error": { search: "?period=26w", act: failing },
  "overview-loading": { search: "?period=26w", act: waiting, windowOnly: true },
  "overview-change": { search: "", act: changeButton, windowOnly: true },
  "overview-trend": { search: "?period=26w", act: changeButton, windowOnly: true },
  "overview-models": { search: "", act: otherModels, windowOnly: true },
  "overview-facts": { search: "", act: openFacts, windowOnly: true },
  ...moved("prompt", "topic", "provider", "domain", "competitor"),
  ...heats("provider", "topic", "region"),
  "heat-voices": { search: "?_voice=1", act: toHeading(/^By /), windowOnly: true },
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
  "why-error": { search: "?why=mentions~by.topic", act: failing, windowOnly: true },
  plan: { search: "?plan=mentions", windowOnly: true },
  "plan-rank": { search: "?plan=rank~c.0.25", windowOnly: true },
  "plan-error": { search: "?plan=mentions", act: failing, windowOnly: true },
  "chip-period": { search: "", act: press(/^Last/), windowOnly: true },
  "chip-compare": { search: "", act: press(/^Compare/), windowOnly: true },
  "chip-prompt": { search: "", act: press(/^Prompt/), windowOnly: true },
  "chip-provider": { search: "?not-providers=OPENAI", act: press(/^Provider/), windowOnly: true },
  evidence: {
    search: "?evidence=mentioned~e.b73913e3-2996-544d-ac3a-d7bc56b9d7ed",
    windowOnly: true,
  },
  "evidence-without-us": { search: "?evidence=notVisible", windowOnly: true },
  "evidence-prompt": { search: evidence, windowOnly: true },
  "evidence-answer": { search: evidence, act: firstAnswer, windowOnly: true },
  "evidence-recorded": { search: `${evidence}&_text=recorded`, act: firstAnswer, windowOnly: true },
  "evidence-remove": { search: evidence, act: removeAnswer, windowOnly: true },
  "evidence-none": { search: "?period=2020-01-01..2020-02-01&evidence=any", windowOnly: true },
  palette: { search: "", act: (page) => page.keyboard.press("Control+k"), windowOnly: true },
  keys: { search: "", act: (page) => page.keyboard.press("?"), windowOnly: true },
  menu: {
    search: "",
    act: (page) => page.getByRole("banner").getByRole("button", { name: "Tarnfell" }).click(),
    windowOnly: true,
  },
  export: { search: "", act: press("Export and copy"), windowOnly: true },
  "new-version": { search: "?page=sources", act: upgraded, windowOnly: true },
  portrayal: { search: "?page=portrayal" },
  "portrayal-praised": { search: "?page=portrayal&_flag=praised" },
  "portrayal-listed": { search: "?page=portrayal&_flag=discouraged" },
  "portrayal-empty": { search: "?page=portrayal&period=2020-01-01..2020-02-01" },
  "evidence-praised": {
    search: "?page=portrayal&evidence=praised~e.b73913e3-2996-544d-ac3a-d7bc56b9d7ed",
    act: firstAnswer,
    windowOnly: true,
  },
  sources: { search: "?page=sources" },
  "sources-open": { search: "?page=sources&_open=tarnfell.example" },
  "sources-pages": { search: "?page=sources&_tab=pages" },
  "sources-gaps": { search: "?page=sources&_tab=gaps" },
  "sources-gaps-ours": { search: "?page=sources&_tab=gaps&_side=brand" },
  "sources-gaps-open": {
    search: "?page=sources&_tab=gaps",
    act: (page) => page.locator("main tbody button[aria-expanded]").first().click(),
  },
  "sources-nothing": { search: "?page=sources&_q=zzz" },
  prompts: { search: "?page=prompts" },
  "prompts-open": { search: `?page=prompts&_q=tent&_open=${prompt}` },
  "prompts-nothing": { search: "?page=prompts&_q=zzz" },
  "setup-brand": { search: "?page=setup&_tab=brand" },
  "setup-brand-form": {
    search: "?page=setup&_tab=brand",
    act: (page) => page.getByRole("button", { name: "Osierline", exact: true }).click(),
    windowOnly: true,
  },
  "setup-review": { search: "?page=setup&_tab=prompts", act: reviewed, windowOnly: true },
  "setup-prompts": { search: "?page=setup&_tab=prompts" },
  "setup-prompts-ticked": { search: "?page=setup&_tab=prompts", act: ticked, windowOnly: true },
  "setup-prompts-paste": { search: "?page=setup&_tab=prompts", act: pasted, windowOnly: true },
  "setup-imports": { search: "?page=setup&_tab=imports" },
  "setup-labels": { search: "?page=setup&_tab=labels", act: labelling },
  "setup-keys": { search: "?page=setup&_tab=keys" },
  "setup-key-dialog": {
    search: "?page=setup&_tab=keys",
    act: press("Create key"),
    windowOnly: true,
  },
  "setup-hooks": { search: "?page=setup&_tab=hooks" },
  "setup-hook-dialog": {
    search: "?page=setup&_tab=hooks",
    act: press("Add webhook"),
    windowOnly: true,
  },
  "setup-audit": {
    search: "?page=setup&_tab=audit",
    act: (page) => page.getByRole("button", { name: "changed what is tracked" }).first().click(),
  },
  "setup-service": { search: "?page=setup&_tab=service" },
};

function toHeading(name: RegExp) {
  return async (page: Page): Promise<void> => {
    const panel = page.locator("section").filter({ has: page.getByRole("heading", { name }) });
    await panel.last().evaluate((each) => each.scrollIntoView({ block: "start" }));
    await page.mouse.wheel(0, -72); // the bar stays
  };
}

/** Each of the tabs of what moved. */
function moved(...tabs: readonly string[]): Readonly<Record<string, Scene>> {
  const act = toHeading(/^What moved/);
  return Object.fromEntries(
    tabs.map((tab) => [`moved-${tab}`, { search: `?_moved=${tab}`, act, windowOnly: true }]),
  );
}

/** The table by each of the groups. */
function heats(...groups: readonly string[]): Readonly<Record<string, Scene>> {
  const act = toHeading(/^By /);
  return Object.fromEntries(
    groups.map((by) => [`heat-${by}`, { search: `?_by=${by}`, act, windowOnly: true }]),
  );
}

async function severalIsolated(page: Page): Promise<void> {
  const rows = page.getByRole("list", { name: "Leaderboard" }).getByRole("listitem");
  for (const row of [1, 2, 3]) {
    await rows
      .nth(row)
      .getByRole("button")
      .first()
      .click({ modifiers: ["Shift"] });
  }
}

async function openFacts(page: Page): Promise<void> {
  await page.getByText("How this was measured").click();
  await page.locator("details li").last().scrollIntoViewIfNeeded();
}

async function removeAnswer(page: Page): Promise<void> {
  await firstAnswer(page);
  await page.getByRole("button", { name: "Remove this answer…" }).click();
}

/** As after an upgrade: the service's page names another script when the tab is seen again. */
async function upgraded(page: Page): Promise<void> {
  await page.route(/127.0.0.1:\d+\/$/, (route) => route.fulfill({ body: "another version" }));
  const now = await page.evaluate<number>("Date.now()");
  await page.clock.setFixedTime(now + 120_000);
  await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
  await page.getByText("A new version of the console is available.").waitFor();
}

async function reviewed(page: Page): Promise<void> {
  await page.getByRole("button", { name: /^Remove Are trekking/ }).click();
  await page.getByRole("button", { name: "Review and save" }).click();
  await page.getByText("stop counting").waitFor();
}

async function ticked(page: Page): Promise<void> {
  for (const nth of [1, 2, 3])
    await page.locator("main tbody input[type=checkbox]").nth(nth).check();
}

async function labelling(page: Page): Promise<void> {
  await page.getByLabel("Your name").fill("ann");
  await page.keyboard.press("Enter");
  await page.getByText("Does this answer recommend").waitFor();
  for (const key of ["y", "n", "y", "n", "n"]) {
    await page.locator("article:not([aria-busy=true])").waitFor();
    await page.keyboard.press(key);
  }
}

async function pasted(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Add prompts" }).click();
  const text = "Tents\t1. What is the best tent for two?\nStoves\t2. Which stove is quiet?";
  await page.getByRole("dialog").locator("textarea").fill(text);
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
  await changeButton(page);
}

async function failing(page: Page): Promise<void> {
  const json = { code: "internal", status: 500, detail: "The service failed.", requestId: "req_1" };
  await page.route("**/v1/insights/**", (route) => route.fulfill({ status: 500, json }));
  await page.reload();
}

/** As on a slow line, long enough for the bars that stand in. */
async function waiting(page: Page): Promise<void> {
  await page.route("**/v1/insights/**", () => undefined);
  await page.reload();
  await page.locator("section[aria-busy=true]").first().waitFor();
  await page.waitForTimeout(1_000);
}
