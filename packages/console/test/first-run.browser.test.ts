import assert from "node:assert/strict";
import { test } from "node:test";
import type { DeclaredWorkspaceResponse } from "@sightline/client";
import { firstRunCode } from "@sightline/server/first-run-link";
import { startBrowser } from "@sightline/test-kit/browser.ts";
import type { TestService } from "@sightline/test-kit/test-service.ts";
import type { Page } from "playwright-core";
import { startConsole } from "./demo-service.ts";
import { settled, signIn, violationsAtBoth, visit } from "./visitor.ts";

const button = (page: Page, name: string | RegExp) =>
  page.getByRole("button", { name, exact: true });

/** Two columns as a spreadsheet copies them: the topics first, the prompts numbered. */
const sheet = [
  "Topic\tQuestion",
  "Tents\t1. What is the best tent for two?",
  "Stoves\t2. Which stove, if any, is quiet?",
  "Tents\t3. Is Acme or Globex lighter?",
  "tents\t4. Acme vs Initech: which tent is lighter?",
  "Stoves\t5. Which stove, if any, is quiet?",
].join("\n");

/** The page as a person at 390 px sees it: nothing sideways, nothing for axe to find. */
async function looksGood(page: Page, width: number): Promise<void> {
  assert.deepEqual(await violationsAtBoth(page), []);
  assert.equal(await page.evaluate("document.documentElement.scrollWidth"), width);
}

/** Step 1: names, a domain that is pasted as an address, competitors. A reload keeps all of it. */
async function nameBrand(page: Page): Promise<void> {
  const brand = page.getByLabel("Brand", { exact: true });
  await brand.fill("Acme GmbH");
  await page.getByLabel("Domains").fill("https://www.acme.example/products?from=mail");
  await page.keyboard.press("Enter");
  await page.getByText("“/products” was left out: every page of acme.example counts").waitFor();
  await button(page, "Acme").click();
  await page.getByLabel("Competitors").fill("Globex, initech.example");
  await page.getByText("Globex, Initech · initech.example").waitFor();
  await looksGood(page, 390);
  await page.reload();
  assert.equal(await brand.inputValue(), "Acme GmbH");
  await button(page, "Next").click();
}

/** Steps 2 and 3. @returns the key that is shown. */
async function addPrompts(page: Page): Promise<string> {
  await page.getByLabel("Prompts, one per line").fill(sheet);
  await page.getByText("4 prompts in 2 topics.", { exact: false }).waitFor();
  await page.getByText("1 line skipped: the prompt exists already.", { exact: false }).waitFor();
  await looksGood(page, 390);
  await button(page, "Create with 4 prompts").click();
  const key = (await page.locator("[data-secret]").textContent()) ?? "";
  assert.match(key, /^sl_\w{54}$/);
  await looksGood(page, 390);
  await button(page, "I have kept it").click();
  await settled(page);
  assert.equal(new URL(page.url()).hash, "");
  return key;
}

/** What is tracked, in the order of the workspace file. */
async function trackedOf(service: TestService, accountId: string) {
  const headers = { authorization: `Bearer ${await service.session(accountId, ["read"])}` };
  const reply = await service.request("GET", "/v1/workspace/file", { headers });
  const { brand, competitors, prompts } = reply.json<DeclaredWorkspaceResponse>();
  return {
    brand: [brand.name, ...brand.aliases.map(({ name }) => name), ...brand.domains],
    competitors: competitors.map(({ name, domains }) => [name, ...domains]),
    prompts: prompts.map(({ text, topic }) => [text, topic]),
  };
}

test("from an empty service to a number, with nothing but the link", async (t) => {
  const browser = await startBrowser(t, undefined, "the first run");
  if (browser === null) return;
  const { service } = await startConsole();
  t.after(() => service.close());
  const origin = await service.listen();
  const { keyRing } = service.services;
  const link = `${origin}/#first-run=${firstRunCode(keyRing, service.clock.now())}`;
  const { page, faults, foreign } = await visit(browser, { origin }, 390);

  await page.goto(origin);
  await page.getByRole("heading", { name: "This service has no account yet" }).waitFor();
  await looksGood(page, 390);
  await page.goto(link); // which changes the fragment alone
  await nameBrand(page);
  const key = await addPrompts(page);
  await button(page, "Try sample answers").click();
  await button(page, "See the overview").click();
  await page.getByRole("complementary", { name: "Sample answers" }).waitFor();
  await page
    .getByRole("main")
    .getByText(/^\d+(\.\d)? ?%$/)
    .filter({ visible: true })
    .first()
    .waitFor();
  const accountId = new URL(page.url()).searchParams.get("account") ?? "";
  assert.deepEqual(await trackedOf(service, accountId), {
    brand: ["Acme GmbH", "Acme", "acme.example"],
    competitors: [["Globex"], ["Initech", "initech.example"]],
    prompts: [
      ["Acme vs Initech: which tent is lighter?", "Tents"],
      ["Is Acme or Globex lighter?", "Tents"],
      ["What is the best tent for two?", "Tents"],
      ["Which stove, if any, is quiet?", "Stoves"],
    ],
  });
  assert.deepEqual([faults, foreign], [[], []]);

  const other = await visit(browser, { origin });
  await other.page.goto(link);
  await other.page.getByRole("heading", { name: "This link no longer works" }).waitFor();
  await button(other.page, "Sign in with a key").click();
  await signIn(other.page, key);
  await createAnother(other.page);
});

/** Another account, which the first key's holder creates without a terminal. */
async function createAnother(page: Page): Promise<void> {
  const bar = page.getByRole("banner");
  await bar.getByRole("button", { name: "Acme GmbH" }).click();
  await page.getByText("Create an account").click();
  await page.getByLabel("Brand", { exact: true }).fill("Umbra");
  await button(page, "Next").click();
  await button(page, "Create without prompts").click();
  await button(page, "I have kept it").click();
  await bar.getByRole("button", { name: "Umbra" }).waitFor();
  await button(page, "Add prompts").waitFor();
}
