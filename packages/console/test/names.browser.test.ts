import assert from "node:assert/strict";
import { test } from "node:test";
import { startBrowser } from "@sightline/test-kit/browser.ts";
import type { Page } from "playwright-core";
import { type DemoService, sharedDemo } from "./demo-service.ts";
import { settled, signIn, type Visitor, violationsAtBoth, visit } from "./visitor.ts";

const prompts = ["Which tent is light?", "Which tent is warm?"];

/** Two names that nobody tracks, and a spelling of the brand's, each in answers to both prompts. */
async function namingAccount({ service }: DemoService): Promise<string> {
  const accountId = await service.apply({
    account: { name: "Named tents" },
    brand: { name: "Acmetents", domains: ["acme.example"] },
    competitors: [{ name: "Globex" }],
    prompts: prompts.map((text) => ({ text })),
  });
  const texts = [
    "Many reviewers praise Tarnfell for its poles.",
    "- **Acmetents**: light\n- **Tarnfell**: warm\n- **Weidenau**: dear",
    "It is a tent by Globex, or one by Weidenau.",
    "It is a tent by Acmetentz.",
    "It is a tent by Acmetentz or by Tarnfell.",
  ];
  const citations = [{ url: "https://www.tarnfell.example/light" }];
  await service.import(
    accountId,
    texts.map((text, day) => ({
      prompt: prompts[day % 2],
      provider: "OPENAI",
      answeredAt: `2026-10-2${day}T08:00:00Z`,
      text,
      ...(day === 0 ? { citations } : {}),
    })),
  );
  return accountId;
}

interface Stage {
  readonly demo: DemoService;
  readonly accountId: string;
  readonly visitor: Visitor;
}

const rowOf = (page: Page, name: string) =>
  page
    .getByRole("table", { name: "Names that nobody tracks" })
    .getByRole("row")
    .filter({ has: page.getByRole("button", { name: new RegExp(`^${name}`) }) });

const actionsOf = (page: Page, name: string) =>
  page.getByRole("group", { name: `What to do with ${name}` });

const cases: Readonly<Record<string, (stage: Stage) => Promise<void>>> = {
  "the tab lists names with their answers, and who alone has them": async ({ visitor }) => {
    const { page, go } = visitor;
    await go("?page=prompts");
    await page.getByRole("tab", { name: "Names" }).click();
    await rowOf(page, "Tarnfell").waitFor();
    assert.match(
      (await rowOf(page, "Tarnfell").textContent()) ?? "",
      /^Tarnfell321\.33tarnfell\.ex/,
    );
    const spelling = (await rowOf(page, "Acmetentz").textContent()) ?? "";
    assert.match(spelling, /^AcmetentzLooks like Acmetents2/);
    await page.getByText(/^60\.0% .*of all answers have a name of this list and no/).waitFor();
  },

  "a name opens to an example of it": async ({ visitor }) => {
    const { page, go } = visitor;
    await go("?page=prompts&_tab=names");
    await page.getByRole("button", { name: "Weidenau" }).click();
    await page.waitForURL(/_open=Weidenau/);
    assert.equal(await page.locator("figure mark").first().textContent(), "Weidenau");
    await page.getByRole("button", { name: "Open the answer" }).click();
    const answer = page.getByRole("article", { name: "Answer" });
    await answer.getByText("dear").first().waitFor();
  },

  "one is tracked, one is an alias, one is ignored, and all are saved": async (stage) => {
    const { page, go } = stage.visitor;
    await go("?page=prompts&_tab=names&_open=Tarnfell");
    await actionsOf(page, "Tarnfell").getByRole("button", { name: "Track" }).click();
    await page.getByText("Tracked once it is saved").waitFor();
    await page.getByRole("button", { name: "Acmetentz" }).click();
    await actionsOf(page, "Acmetentz").getByRole("button", { name: "Alias of" }).click();
    await page.getByRole("menuitem", { name: "Acmetents" }).click();
    await page.getByText("Alias of Acmetents once it is saved").waitFor();
    await page.getByRole("button", { name: "Weidenau" }).click();
    await actionsOf(page, "Weidenau").getByRole("button", { name: "Ignore" }).click();
    await page.getByText("Ignored once it is saved").waitFor();
    await page.getByRole("button", { name: "Review and save" }).click();
    const review = page.getByRole("dialog");
    await review.getByRole("button", { name: "Save" }).click();
    await review.waitFor({ state: "detached" });
    const { service } = stage.demo;
    await service.settle(stage.accountId);
    const token = await service.session(stage.accountId);
    const filters = { timeRange: { from: "2026-10-01T00:00:00Z", to: "2026-11-01T00:00:00Z" } };
    const reply = await service.post("/v1/insights/names", { token, body: { filters } });
    assert.deepEqual(reply.json<{ names: unknown }>().names, []);
    await go("?page=prompts&_tab=names");
    await page.getByText("No other names").waitFor();
  },
};

test("names that nobody tracks in the console", async (t) => {
  const browser = await startBrowser(t, undefined, "names that nobody tracks in the console");
  if (browser === null) return;
  const demo = await sharedDemo();
  const accountId = await namingAccount(demo);
  await demo.service.readNames(accountId);
  const visitor = await visit(browser, demo);
  const { page } = visitor;
  await page.goto(demo.origin);
  await signIn(page, await demo.service.key(accountId, ["read", "manage"]));
  await visitor.go("?page=prompts&_tab=names&_open=Tarnfell");
  await settled(page);
  await t.test("axe finds nothing", async () => {
    assert.deepEqual(await violationsAtBoth(page), []);
  });
  for (const [name, run] of Object.entries(cases)) {
    await t.test(name, () => run({ demo, accountId, visitor }));
  }
  assert.deepEqual(visitor.faults, []);
});
