import assert from "node:assert/strict";
import { test } from "node:test";
import { startBrowser } from "@sightline/test-kit/browser.ts";
import type { Browser, Page } from "playwright-core";
import { type CollectingService, startCollectingService } from "./collecting-service.ts";
import { sharedDemo } from "./demo-service.ts";
import { signIn, type Visitor, violationsAtBoth, visit, visitSignedIn } from "./visitor.ts";

const prompts = ["Which anvil?", "Which rope?", "Which bird seed?"];
const texts = [
  "Acme costs $19 a month.\nGlobex is slow.",
  "Acme costs $25 a month.",
  "Acme costs little, and Globex costs more.",
];

/** Each prompt has an answer; whatever aspect the model gives it, a fact is stated of it. */
async function readAccount({ service }: CollectingService): Promise<string> {
  const accountId = await service.apply({
    account: { name: "Read anvils" },
    brand: { name: "Acme" },
    competitors: [{ name: "Globex" }],
    prompts: prompts.map((text) => ({ text })),
    facts: ["price", "quality", "support"].map((aspect) => ({ aspect, value: "$19 a month" })),
  });
  await service.import(
    accountId,
    texts.map((text, place) => ({
      prompt: prompts[place],
      provider: "OPENAI",
      answeredAt: new Date(service.clock.now() - (place + 1) * 3_600_000).toISOString(),
      text,
      citations: [{ url: "https://tests.example/a", spans: [[0, 20]] }],
    })),
  );
  return accountId;
}

interface Stage {
  readonly browser: Browser;
  readonly visitor: Visitor;
  readonly collecting: CollectingService;
  readonly accountId: string;
}

const panelOf = (page: Page, name: string) =>
  page.locator("section").filter({ has: page.getByRole("heading", { name, exact: true }) });

const tab = "?page=portrayal&_tab=claims";

const cases: Readonly<Record<string, (stage: Stage) => Promise<void>>> = {
  "before a reading the tab says how to get one": async ({ visitor }) => {
    const { page, go } = visitor;
    await go("?page=portrayal");
    await page.getByRole("tab", { name: "Aspects, by a model" }).click();
    await page.getByText("No answer of the period was read by a model").waitFor();
    const guide = page.getByRole("link", { name: "How a model is configured" });
    assert.match((await guide.getAttribute("href")) ?? "", /reading-by-a-model#configure-it$/);
    assert.deepEqual(await violationsAtBoth(page), []);
  },

  "a reading says what it costs, and shows what it found": async (stage) => {
    const { page } = stage.visitor;
    await page.getByRole("button", { name: "Read answers…" }).click();
    const drawer = page.getByRole("dialog");
    await drawer.locator("[data-estimate]").waitFor();
    const cost = (await drawer.locator("[data-estimate]").textContent()) ?? "";
    assert.match(cost, /^3 answers, for (?:less than )?\$0\.0\d/);
    assert.match(cost, /requests? to reader-1: every twentieth answer is read twice\./);
    assert.deepEqual(await violationsAtBoth(page), []);
    await drawer.getByRole("button", { name: "Read 3 answers" }).click();
    await page.getByText(/^Reading: 0 of [34] requests\./).waitFor();
    await stage.collecting.finish(stage.accountId);
    await page.getByText(/ gave a reading, 0 did not\./).waitFor();
    const shares = page.getByRole("table", { name: "How a model reads the answers on each" });
    const row = shares.getByRole("row").filter({ hasText: "Acme" });
    assert.match((await row.textContent()) ?? "", /^Acme.*%.*3$/);
  },

  "claims have their words and agree or differ, and open their answers": async ({ visitor }) => {
    const { page, go } = visitor;
    await go(tab);
    const aspects = panelOf(page, "Acme: aspects");
    const rows = aspects.getByRole("row");
    const all = ((await rows.allTextContents()) ?? []).join(" ");
    const counts = ["1 agrees", "1 differs", "1 unclear"].map((each) => all.includes(each));
    assert.deepEqual(counts, [true, true, true], all);
    await rows.filter({ hasText: "1 differs" }).getByRole("button").first().click();
    const claim = aspects.getByRole("listitem").filter({ hasText: "$25" });
    const words = (await claim.textContent()) ?? "";
    assert.match(
      words,
      /Acme costs \$25 a month\..*tests\.example.*differsyour fact: \$19 a month/,
    );
    assert.deepEqual(await violationsAtBoth(page), []);
    const how = (await panelOf(page, "How this was read").textContent()) ?? "";
    assert.match(how, /Read by reader-1-2026-10-01, with version \d/);
    assert.match(how, /3 of the 3 answers of the period were read\./);
    await claim.getByRole("button").click();
    await page.getByRole("article", { name: "Answer" }).getByText("costs $25 a month").waitFor();
  },

  "a key that only reads is told what it lacks": async ({ browser, collecting, accountId }) => {
    const other = await visit(browser, collecting);
    await other.page.goto(collecting.origin);
    await signIn(other.page, await collecting.service.key(accountId, ["read"]));
    await other.go(`${tab}&period=2020-01-01..2020-02-01`);
    await other.page.getByText(/^Having answers read needs a key with the scope manage/).waitFor();
    assert.equal(await other.page.getByRole("button", { name: "Read answers…" }).count(), 0);
    assert.deepEqual(other.faults, []);
  },
};

test("aspects and claims in the console", async (t) => {
  const browser = await startBrowser(t, undefined, "aspects and claims in the console");
  if (browser === null) return;
  const collecting = await startCollectingService({ reads: true });
  t.after(() => collecting.close());
  const accountId = await readAccount(collecting);
  await collecting.reportHealth();
  const visitor = await visit(browser, collecting);
  await visitor.page.clock.setFixedTime(collecting.service.clock.now());
  await visitor.page.goto(collecting.origin);
  await signIn(visitor.page, await collecting.service.key(accountId, ["read", "manage"]));
  for (const [name, run] of Object.entries(cases)) {
    await t.test(name, () => run({ browser, visitor, collecting, accountId }));
  }
  assert.deepEqual(visitor.faults, []);
});

test("without a model the drawer says how one is configured", async (t) => {
  const browser = await startBrowser(t, undefined, "aspects and claims in the console");
  if (browser === null) return;
  const { page, go, faults } = await visitSignedIn(browser, await sharedDemo());
  await go(tab);
  await page.getByRole("button", { name: "Read answers…" }).click();
  const drawer = page.getByRole("dialog");
  await drawer.getByText("No model reads answers here").waitFor();
  assert.match((await drawer.textContent()) ?? "", /SIGHTLINE_READER_URL/);
  assert.equal(await drawer.getByRole("button", { name: "Read", exact: true }).isDisabled(), true);
  assert.ok(
    faults.every((fault) => /409/.test(fault)),
    faults.join("\n"),
  );
});
