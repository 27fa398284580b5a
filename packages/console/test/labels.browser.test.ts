import assert from "node:assert/strict";
import { test } from "node:test";
import type { LabelsResponse } from "@sightline/client";
import { startBrowser } from "@sightline/test-kit/browser.ts";
import { until } from "@sightline/test-kit/until.ts";
import type { Browser, Page } from "playwright-core";
import { type DemoService, sharedDemo } from "./demo-service.ts";
import { signIn, type Visitor, violationsAtBoth, visit } from "./visitor.ts";

const recommends = "For most of the small teams I would recommend Acme. Globex is one of the rest.";
const neither = "Both Acme and Globex are in the list of the year, and so are all of the others.";

const prompts = Array.from({ length: 8 }, (_, place) => `Which chisel is it, ${place}?`);
const path = "?page=setup&_tab=labels";

/** Eight prompts with two answers each, of which the first recommends the brand. */
async function labelledAccount({ service }: DemoService): Promise<string> {
  const accountId = await service.apply({
    account: { name: "Labelled chisels" },
    brand: { name: "Acme", domains: ["acme.example"] },
    competitors: [{ name: "Globex" }],
    prompts: prompts.map((text) => ({ text })),
  });
  const answers = prompts.flatMap((prompt) =>
    [recommends, neither].map((text, at) => ({
      prompt,
      provider: "OPENAI",
      answeredAt: `2026-10-${20 + at}T08:00:00Z`,
      text,
      citations: [{ url: "https://tests.example/chisels" }],
    })),
  );
  await service.import(accountId, answers);
  return accountId;
}

/** Waits for what the page says of how far the labeller is. */
const says = (page: Page, text: string) =>
  page.getByRole("status").filter({ hasText: text }).first().waitFor();

interface Stage {
  readonly demo: DemoService;
  readonly browser: Browser;
  readonly visitor: Visitor;
  readonly accountId: string;
  readonly stored: () => Promise<LabelsResponse["labels"]>;
}

const answerOf = (page: Page) => page.getByRole("article", { name: "Answer" });
const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();
/** What a reader says of the answer that is there. */
const truth = async (page: Page) => {
  return ((await answerOf(page).textContent()) ?? "").includes("I would recommend");
};

const cases: Readonly<Record<string, (stage: Stage) => Promise<void>>> = {
  "nobody reads before the name is known": async ({ visitor }) => {
    const { page, go } = visitor;
    const answer = answerOf(page);
    await go(path);
    await page.getByText("Who reads?").waitFor();
    await page.getByText("No answer is labelled yet").waitFor();
    await page.getByLabel("Your name").fill(" ann ");
    await page.keyboard.press("Enter");
    await page.getByText("Does this answer recommend Acme?").waitFor();
    await says(page, "Answer 1 of 16, 0 labelled.");
    await page.getByText("16 answers of 16 to 8 prompts, draw 1.").waitFor();
    // What the service found is not shown: the name is marked, and nothing else.
    await answer.locator("mark").first().waitFor();
    assert.equal(await answer.locator("[data-cue]").count(), 0);
  },

  "a key says yes or no, another takes it back, and a third skips": async ({ stored, visitor }) => {
    const { page } = visitor;
    const answer = answerOf(page);
    await page.getByRole("heading", { name: "Setup", level: 1 }).click();
    const first = await answer.getByRole("heading").textContent();
    await page.keyboard.press("y");
    await says(page, "Answer 2 of 16, 1 labelled.");
    await page.keyboard.press("u");
    await says(page, "Answer 1 of 16, 0 labelled.");
    await page.keyboard.press("ArrowRight");
    await says(page, "Answer 2 of 16, 0 labelled.");
    await page.keyboard.press("s");
    await says(page, "Answer 3 of 16, 0 labelled.");
    for (const _ of [1, 2]) await page.keyboard.press("ArrowLeft");
    await says(page, "Answer 1 of 16, 0 labelled.");
    assert.equal(await answer.getByRole("heading").textContent(), first);
    // A name that has the letters of keys is typed, and says nothing.
    await page.getByLabel("Your name").press("y");
    await page.getByLabel("Your name").fill("ann");
    await page.keyboard.press("Tab");
    await says(page, "Answer 1 of 16, 0 labelled.");
    await until("the label is gone", async () => ((await stored()).length === 0 ? true : null));
  },

  "all answers by the mouse, one of them wrongly, and what that comes to": async ({
    stored,
    visitor,
  }) => {
    const { page } = visitor;
    for (let at = 0; at < 16; at += 1) {
      await says(page, `Answer ${at + 1} of 16, ${at} labelled.`);
      await page.locator("article:not([aria-busy=true])").waitFor();
      const isYes = at === 15 ? !(await truth(page)) : await truth(page);
      await press(page, isYes ? "Yes" : "No");
    }
    await says(page, "All 16 answers are labelled.");
    const figures = page.locator("section").filter({ hasText: "What the labels say" }).last();
    await figures.getByText("Answers to 8 prompts, by everybody.").waitFor();
    await figures.getByText(/^16$/).waitFor();
    const labels = await stored();
    assert.equal(labels.length, 16);
    assert.ok(
      labels.every(({ labeller, metric }) => labeller === "ann" && metric === "recommended"),
    );
    const yes = labels.filter(({ value }) => value).length;
    assert.ok(yes === 7 || yes === 9);
    const words = (await figures.textContent()) ?? "";
    assert.match(words, yes === 7 ? /Precision87\.5%/ : /Recall88\.9%/);
    assert.match(words, /As the service reads50\.0%8 of 16 answers/);
  },

  "what was said is there the next time, and can be changed": async ({ visitor }) => {
    const { page, go } = visitor;
    const answer = answerOf(page);
    await go(path);
    await says(page, "All 16 answers are labelled. You said");
    await page.locator("article:not([aria-busy=true])").waitFor();
    const isYes = await truth(page);
    await page
      .getByRole("button", { name: isYes ? "Yes" : "No", exact: true, pressed: true })
      .waitFor();
    await page.getByLabel("Whether it is").selectOption({ label: "Cited" });
    await page.getByText("Does this answer cite a page of Acme?").waitFor();
    await says(page, "Answer 1 of 16, 0 labelled.");
    await answer.getByText("https://tests.example/chisels").waitFor();
    assert.equal(await answer.locator("mark").count(), 0);
    await press(page, "Draw others");
    await page.getByText("16 answers of 16 to 8 prompts, draw 2.").waitFor();
    await page.getByLabel("About").selectOption({ label: "Globex" });
    await page.getByText("Does this answer cite a page of Globex?").waitFor();
    assert.deepEqual(await violationsAtBoth(page), []);
  },

  "a label that is not stored is taken back, and the page says why": async ({ visitor }) => {
    const { page } = visitor;
    await page.route("**/v1/labels", (route) =>
      route.request().method() === "POST" ? route.abort() : route.continue(),
    );
    await press(page, "Yes");
    await page.getByRole("alert").waitFor();
    await says(page, "0 labelled.");
    await page.unrouteAll({ behavior: "ignoreErrors" });
    visitor.faults.length = 0; // the browser says of the call that it failed
    await press(page, "Yes");
    await says(page, "1 labelled.");
    await page.getByRole("alert").waitFor({ state: "detached" });
  },

  "a session that may not store labels is told so": async ({ demo, browser, accountId }) => {
    const other = await visit(browser, demo);
    await other.page.goto(demo.origin);
    await signIn(other.page, await demo.service.key(accountId, ["read"]));
    await other.go(path);
    await other.page.getByText(/^Labelling needs a key with the scope/).waitFor();
    assert.deepEqual(other.faults, []);
    await other.page.context().close();
  },
};

test("labels in the console", async (t) => {
  const browser = await startBrowser(t, undefined, "labels in the console");
  if (browser === null) return;
  const demo = await sharedDemo();
  const accountId = await labelledAccount(demo);
  const token = await demo.service.session(accountId, ["read"]);
  const stored = async (): Promise<LabelsResponse["labels"]> => {
    const headers = { authorization: `Bearer ${token}` };
    const reply = await demo.service.request("GET", "/v1/labels", { headers });
    return reply.json<LabelsResponse>().labels;
  };
  const visitor = await visit(browser, demo);
  await visitor.page.goto(demo.origin);
  await signIn(visitor.page, await demo.service.key(accountId, ["read", "import"]));
  for (const [name, run] of Object.entries(cases)) {
    await t.test(name, () => run({ demo, browser, visitor, accountId, stored }));
  }
  assert.deepEqual(visitor.faults, []);
});
