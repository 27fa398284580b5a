import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import type { Scope } from "@sightline/client";
import { startBrowser } from "@sightline/test-kit/browser.ts";
import type { Browser, Locator, Page } from "playwright-core";
import { brokenWords } from "./broken-words.ts";
import { type DemoService, sharedDemo } from "./demo-service.ts";
import { manyPrompts } from "./many-prompts.ts";
import { signIn, type Visitor, violationsOf, visit } from "./visitor.ts";

/** A text that tries what a hostile answer can, with a sentence that rests on two pages. */
const hostile = `## Best anvils

Take **Acme** or Glo*bex*. Acme lasts longest. ([acme.example](https://acme.example/a))
It is cheap, too [tests](https://tests.example/b "Tests").

<script>window.hacked = 1</script>
<img src=x onerror="window.hacked = 2"> ![pixel](https://tracker.example/p.png)
[run](javascript:window.hacked=3) [*code*](data:text/html,x)

| Anvil | Price |
|-------|------:|
| Acme 9 | **3** |

${"> ".repeat(200)}deep

~~~html
<b onclick="window.hacked = 4">Acme</b>
~~~
`;

const place = (part: string): readonly [number, number] => {
  const start = hostile.indexOf(part);
  return [start, start + part.length];
};

const citations = [
  {
    url: "https://acme.example/a",
    title: "<b>Acme</b>",
    spans: [place("([acme.example](https://acme.example/a))")],
  },
  { url: "https://tests.example/b", spans: [place("It is cheap, too")] },
  { url: "https://unmarked.example/c" },
];

/** An account with answers of its own: one hostile, some without the brand. */
async function hostileAccount({ service }: DemoService): Promise<string> {
  const accountId = await service.apply({
    account: { name: "Anvils" },
    brand: { name: "Acme", aliases: ["Acme 9"], domains: ["acme.example"] },
    competitors: [{ name: "Globex" }],
    prompts: [{ text: "Which anvil?" }, { text: "Which rocket?" }],
  });
  const answer = (prompt: string, minute: number, rest: object) =>
    Object.assign({ prompt, provider: "OPENAI", answeredAt: `2026-10-30T08:${minute}:00Z` }, rest);
  const other = { text: "=Globex, of course; 1,5 times.", citations: ["https://tests.example/b"] };
  await service.import(accountId, [
    answer("Which anvil?", 59, { text: hostile, citations }),
    answer("Which anvil?", 58, other),
    answer("Which rocket?", 57, other),
  ]);
  return accountId;
}

/** What every case gets: an account of its own, and a page that is signed in. */
interface Stage {
  readonly demo: DemoService;
  readonly accountId: string;
  readonly browser: Browser;
  readonly visitor: Visitor;
}

/** A page that is signed in with a key of these scopes. */
async function signedIn({ browser, demo, accountId }: Omit<Stage, "visitor">, scopes: Scope[]) {
  const visitor = await visit(browser, demo);
  await visitor.page.goto(demo.origin);
  await signIn(visitor.page, await demo.service.key(accountId, scopes));
  return visitor;
}

const articleOf = (page: Page): Locator => page.getByRole("article", { name: "Answer" });

/** Opens the hostile answer, which is the newest, from the overview. */
async function openHostile({ page, go }: Visitor): Promise<Locator> {
  await go("?evidence=any");
  await page.locator("[data-answer]").first().click();
  const article = articleOf(page);
  await article.waitFor();
  return article;
}

async function savedBy(page: Page, item: string) {
  await page.getByRole("dialog").getByRole("button", { name: "CSV" }).click();
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("menuitem", { name: item, exact: true }).click(),
  ]);
  const text = readFileSync(await download.path(), "utf8");
  return { name: download.suggestedFilename(), lines: text.split("\r\n") };
}

const cases: Readonly<Record<string, (stage: Stage) => Promise<void>>> = {
  "an answer is rendered, and nothing of it runs or is loaded": async ({ visitor }) => {
    const { page, foreign } = visitor;
    const article = await openHostile(visitor);
    await article.getByRole("heading", { name: "Best anvils" }).waitFor();
    assert.equal(await article.locator("table td strong").textContent(), "3");
    assert.deepEqual(await article.locator("mark").allInnerTexts(), [
      ...["Acme", "Glo", "bex", "Acme", "Acme 9", "Acme"],
    ]);
    const shown = (await article.textContent()) ?? "";
    for (const text of ["<script>window.hacked = 1</script>", "Image: pixel", "deep"]) {
      assert.ok(shown.includes(text), text);
    }
    assert.doesNotMatch(shown, /\*\*|##/);
    const links = article.locator("a");
    const hrefs = await links.evaluateAll((all) => all.map((each) => each.getAttribute("href")));
    assert.ok(hrefs.length >= 6 && hrefs.every((href) => href?.startsWith("https://")), `${hrefs}`);
    const rels = await links.evaluateAll((all) => all.map((each) => each.getAttribute("rel")));
    assert.deepEqual([...new Set(rels)], ["noopener noreferrer nofollow"]);
    assert.equal(await article.locator("img, script, iframe, [onclick], [onerror]").count(), 0);
    assert.equal(await page.evaluate("window.hacked"), undefined);
    assert.deepEqual(foreign, []);
    assert.deepEqual(await violationsOf(page), []);
  },

  "the text as recorded is one press away, and in the address": async ({ visitor }) => {
    const { page } = visitor;
    const article = await openHostile(visitor);
    await article.getByLabel("As recorded").check();
    assert.equal(new URL(page.url()).searchParams.get("_text"), "recorded");
    const text = await article
      .locator("p")
      .first()
      .evaluate((each) => {
        for (const note of each.querySelectorAll("sup")) note.remove();
        return each.textContent;
      });
    assert.equal(text, hostile);
    await page.goBack();
    await page.locator("[data-answer]").first().waitFor();
  },

  "a sentence leads to its pages, and a page to its sentences, by keyboard": async ({
    visitor,
  }) => {
    const { page } = visitor;
    const article = await openHostile(visitor);
    const notes = article.locator("[data-note]");
    assert.deepEqual(await notes.allInnerTexts(), ["1", "2"]);
    const lit = async () =>
      (await article.locator("span[data-lit]").allInnerTexts())
        .join("")
        .replace(/\s+/g, " ")
        .trim();
    assert.equal(await lit(), "");
    await notes.first().focus();
    assert.equal(await lit(), "Acme lasts longest. (acme.example)");
    assert.equal(await article.locator("li[data-lit]").getAttribute("data-citation"), "0");
    await page.keyboard.press("Enter");
    const focused = page.locator(":focus");
    assert.equal(await focused.getAttribute("data-citation"), "0");
    assert.equal(await lit(), "Acme lasts longest. (acme.example)");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    assert.equal(await focused.getAttribute("data-note"), "0");
    await article.locator('[data-citation="1"]').getByText("Stands behind 1 sentence").click();
    assert.equal(await lit(), "It is cheap, too tests.");
    assert.equal(await article.getByText("Stands behind").count(), 2);
    await article.locator("span[data-at]", { hasText: "It is cheap, too" }).hover();
    assert.equal(await article.locator("li[data-lit]").getAttribute("data-citation"), "1");
    await article.getByText("2 sentences with the pages behind").click();
    await article.getByRole("button", { name: "1: acme.example", exact: true }).click();
    assert.equal(await focused.getAttribute("data-citation"), "0");
  },

  "answers without the brand are one press away from tiles, prompts and sources": async ({
    visitor: { page, go },
  }) => {
    const drawer = page.getByRole("dialog");
    const heading = (name: RegExp) => drawer.getByRole("heading", { name }).waitFor();
    await go("");
    await page.getByRole("button", { name: "2 answers without Acme" }).first().click();
    await heading(/^Acme was not visible in 2 of 3 answers/);
    await go("?page=prompts");
    await page.getByRole("button", { name: /^1 without Acme: answers to Which rocket/ }).click();
    await heading(/^Acme was not visible in 1 of 1 answer/);
    await go("?page=sources");
    await page.getByRole("button", { name: /^without us.*tests\.example$/ }).click();
    await heading(/^Acme was not visible in 2 answers that cite tests\.example\.$/);
    await go("?page=sources&_tab=pages");
    await page.getByRole("button", { name: /^without us.*tests\.example\/b$/ }).click();
    await heading(/^Acme was not visible in 2 answers that cite https:\/\/tests\.example\/b\.$/);
  },

  "excerpts have no signs of Markdown, and lists are saved as CSV of both forms": async ({
    visitor: { page, go },
  }) => {
    await go("?evidence=any");
    const excerpt = page.locator("[data-answer]").first();
    assert.match(
      (await excerpt.textContent()) ?? "",
      /Best anvils Take Acme or Globex\. Acme lasts/,
    );
    assert.deepEqual((await excerpt.locator("mark").allInnerTexts()).slice(0, 2), [
      "Acme",
      "Globex",
    ]);
    const plain = await savedBy(page, "CSV");
    assert.match(plain.name, /^anvils-answers-\d{4}-\d\d-\d\d_2026-10-30\.csv$/);
    assert.match(plain.lines[0] ?? "", /^\ufeffansweredAt,provider,.*,text$/);
    const last = plain.lines.at(-2) ?? "";
    assert.match(last, /^2026-10-30T08:57:00\.000Z,ChatGPT,.*,Which rocket\?,/);
    assert.match(last, /,Globex,https:\/\/tests\.example\/b,"'=Globex, of course; 1,5 times\."$/);
    const excel = await savedBy(page, "CSV for Excel (; and decimal comma)");
    assert.match(excel.name, /^anvils-answers-.*-excel\.csv$/);
    const [title = "", account, filters, n] = excel.lines;
    assert.match(title, /^\ufeff3 answers pass the filters\. · .* – 30 Oct 2026 \(UTC\)$/);
    assert.deepEqual([account, filters, n], ["Account: Anvils", "No filters", "n = 3 answers"]);
    assert.match(excel.lines.at(-2) ?? "", /^2026-10-30 08:57:00;ChatGPT;/);
  },

  "a phone shows an answer without scrolling sideways": async ({ visitor }) => {
    const { page } = visitor;
    await page.setViewportSize({ width: 390, height: 850 });
    await openHostile(visitor);
    for (const width of [360, 390]) {
      await page.setViewportSize({ width, height: 850 });
      assert.equal(await page.evaluate("document.documentElement.scrollWidth"), width);
      const body = page.getByRole("region", { name: "Content" });
      assert.equal(await body.evaluate((each) => each.scrollWidth - each.clientWidth), 0);
      assert.deepEqual(await brokenWords(page), []);
    }
    await page.setViewportSize({ width: 1_280, height: 850 });
  },

  "one answer is removed where it is read, by those who may": async (stage) => {
    const { visitor } = stage;
    const { page } = visitor;
    await openHostile(visitor);
    await page.getByRole("button", { name: "Remove this answer…" }).click();
    const question = page.getByRole("dialog", { name: "Remove this answer?" });
    await question.getByText("is removed for good").waitFor();
    const { search } = new URL(page.url());
    await page.keyboard.press("j");
    assert.equal(new URL(page.url()).search, search);
    assert.deepEqual(await violationsOf(page), []);
    await page.keyboard.press("Escape");
    await question.waitFor({ state: "detached" });
    await articleOf(page).waitFor();
    await page.getByRole("button", { name: "Remove this answer…" }).click();
    await question.getByRole("button", { name: "Remove the answer" }).click();
    await page.getByText("The answer was removed.").waitFor();
    await page.locator("[data-answer]").nth(2).waitFor({ state: "detached" });
    const reader = await signedIn(stage, ["read"]);
    await openHostile(reader);
    assert.equal(await reader.page.getByText("Remove this answer").count(), 0);
    await reader.page.context().close();
  },
};

test("evidence in a browser", async (t) => {
  const browser = await startBrowser(t, undefined, "evidence");
  if (browser === null) return;
  const demo = await sharedDemo();
  const accountId = await hostileAccount(demo);
  const own = { browser, demo, accountId };
  const visitor = await signedIn(own, ["read", "import", "manage"]);
  for (const [name, run] of Object.entries(cases)) {
    await t.test(name, () => run({ ...own, visitor }));
  }
  await t.test("1,000 prompts are rows with bars, and no dot for each answer", async () => {
    const large = await manyPrompts(demo.service, { prompts: 1_000, competitors: 3, weeks: 4 });
    const { page, go } = await signedIn({ ...own, accountId: large }, ["read"]);
    await go("?evidence=any");
    const drawer = page.getByRole("dialog");
    await drawer.getByText("100 of 1,000").waitFor();
    const elements = await drawer.locator("*").count();
    assert.ok(elements < 2_000, `${elements} elements`);
    await drawer.getByRole("button", { name: "Show all" }).click();
    await drawer.getByText("100 of 1,000").waitFor({ state: "detached" });
    assert.equal(await drawer.locator("[aria-pressed]").count(), 1_000);
    assert.equal(await drawer.locator("circle").count(), 0);
    await page.context().close();
  });
});
