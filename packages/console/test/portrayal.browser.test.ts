import assert from "node:assert/strict";
import { test } from "node:test";
import { startBrowser } from "@sightline/test-kit/browser.ts";
import type { Page } from "playwright-core";
import { type DemoService, sharedDemo } from "./demo-service.ts";
import { signIn, type Visitor, violationsAtBoth, visit } from "./visitor.ts";

const recommends = "For most of the small teams I would recommend Acme. Globex is one of the rest.";
const warns = "Avoid Globex in the next year. The list of the year also has Acme in it.";
const neither = "Both Acme and Globex are in the list of the year, and so are all of the others.";
/** In a language that no table reads. */
const unread = "Acme ja Globex ovat molemmat listalla, kuten monet muutkin tuotteet siellä.";

/** A page behind the sentence that recommends. */
const behind = { url: "https://tests.example/a", spans: [[0, 20]] };

const prompts = Array.from({ length: 8 }, (_, place) => `Which anvil is it, ${place}?`);

/** Each prompt has two answers: half recommend the brand, two warn of Globex, one is not read. */
async function portrayedAccount({ service }: DemoService): Promise<string> {
  const accountId = await service.apply({
    account: { name: "Portrayed anvils" },
    brand: { name: "Acme", domains: ["acme.example"] },
    competitors: [{ name: "Globex" }],
    prompts: [...prompts, "Which rope?"].map((text) => ({ text })),
  });
  const answer = (prompt: string, day: number, text: string) => ({
    prompt,
    provider: "OPENAI",
    answeredAt: `2026-10-${20 + day}T08:00:00Z`,
    text,
  });
  await service.import(accountId, [
    ...prompts.flatMap((prompt, place) => [
      place < 4
        ? Object.assign(answer(prompt, 1, recommends), { citations: [behind] })
        : answer(prompt, 1, neither),
      answer(prompt, 2, place === 0 ? unread : place < 3 ? warns : neither),
    ]),
    answer("Which rope?", 3, unread),
  ]);
  return accountId;
}

interface Stage {
  readonly visitor: Visitor;
}

const rowOf = (page: Page, name: string) =>
  page
    .getByRole("table", { name: "How answers speak of each" })
    .getByRole("row")
    .filter({ has: page.getByRole("button", { name, exact: true }) });

const panelOf = (page: Page, name: string) =>
  page.locator("section").filter({ has: page.getByRole("heading", { name, exact: true }) });

const cases: Readonly<Record<string, (stage: Stage) => Promise<void>>> = {
  "the overview says how answers speak, and leads to the page": async ({ visitor }) => {
    const { page, go } = visitor;
    await go("");
    const line = page.getByRole("link", { name: /^Recommended in 26\.7% of the answers that/ });
    assert.match((await line.textContent()) ?? "", /, criticized in 0\.0%/);
    await line.click();
    await page.getByRole("heading", { name: "Portrayal", level: 1 }).waitFor();
    assert.equal(new URL(page.url()).searchParams.get("page"), "portrayal");
  },

  "a share has its interval, and opens as many answers, with the words marked": async (stage) => {
    const { page, go } = stage.visitor;
    await go("?page=portrayal");
    const row = rowOf(page, "Acme");
    assert.match((await row.textContent()) ?? "", /26\.7%\d+–\d+%/);
    await row.getByRole("button", { name: /^Recommended: Acme, 26\.7%: show 4 answers/ }).click();
    const dialog = page.getByRole("dialog");
    await dialog.locator("[data-answer]").nth(3).waitFor();
    assert.equal(await dialog.locator("[data-answer]").count(), 4);
    assert.equal(await dialog.locator("[data-answer] [data-cue]").count(), 4);
    await dialog.locator("[data-answer]").first().click();
    const cue = page.getByRole("article", { name: "Answer" }).locator("[data-cue]");
    assert.match((await cue.first().textContent()) ?? "", /recommend/);
  },

  "a name shows its sentences, and a flag that is often wrong is a list": async ({ visitor }) => {
    const { page, go } = visitor;
    await go("?page=portrayal");
    const said = panelOf(page, "Acme: recommended").getByRole("listitem").first();
    await said.locator("[data-cue]").first().waitFor();
    const words = (await said.textContent()) ?? "";
    assert.match(words, /^For most of the small teams I would recommend Acme\.Behind it: tests\./);
    await page.getByRole("button", { name: "Globex", exact: true }).first().click();
    await panelOf(page, "Globex: recommended").getByText("No such answer").waitFor();
    await page.getByRole("radio", { name: "Advised against" }).check();
    const sentences = panelOf(page, "Globex: advised against");
    await sentences.locator("[data-cue]").first().waitFor();
    assert.match((await sentences.textContent()) ?? "", /Avoid Globex/);
    assert.equal(new URL(page.url()).searchParams.get("_flag"), "discouraged");
    await page.getByText("A list to read, not a number").waitFor();
    assert.match((await rowOf(page, "Globex").textContent()) ?? "", /2 answersto read/);
  },

  "what was not read is said, and so is why there is nothing": async ({ visitor }) => {
    const { page, go } = visitor;
    await go("?page=portrayal");
    await page.getByText(/^2 of the 17 answers that mention Acme could not be read/).waitFor();
    const reader = await panelOf(page, "How this was read").textContent();
    assert.match(reader ?? "", /by rules, version \d+/);
    assert.match(reader ?? "", /English \(\d+ answers\)/);
    await go("?page=portrayal&period=2026-10-23..2026-10-23");
    await page.getByText("No answer could be read").waitFor();
    await go("?page=portrayal&period=2020-01-01..2020-02-01");
    await page.getByText("No answers in this period").waitFor();
  },

  "the keys g and r lead to it, and it stands on a phone and a desk": async ({ visitor }) => {
    const { page, go } = visitor;
    await go("");
    await page.keyboard.press("g");
    await page.keyboard.press("r");
    await page.getByRole("heading", { name: "Portrayal", level: 1 }).waitFor();
    await page.getByText("How this was read").waitFor();
    assert.deepEqual(await violationsAtBoth(page), []);
  },
};

test("portrayal in the console", async (t) => {
  const browser = await startBrowser(t, undefined, "portrayal in the console");
  if (browser === null) return;
  const demo = await sharedDemo();
  const accountId = await portrayedAccount(demo);
  const visitor = await visit(browser, demo);
  await visitor.page.goto(demo.origin);
  await signIn(visitor.page, await demo.service.key(accountId, ["read"]));
  for (const [name, run] of Object.entries(cases)) {
    await t.test(name, () => run({ visitor }));
  }
  assert.deepEqual(visitor.faults, []);
});
