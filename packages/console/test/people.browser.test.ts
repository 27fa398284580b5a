import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { createSignInLink } from "@sightline/server/sign-in-links";
import { startBrowser } from "@sightline/test-kit/browser.ts";
import { invited } from "@sightline/test-kit/person-page.ts";
import type { TestService } from "@sightline/test-kit/test-service.ts";
import type { Browser, Page } from "playwright-core";
import { startConsole } from "./demo-service.ts";
import { settled, signIn, violationsAtBoth, visit } from "./visitor.ts";

interface Stage {
  readonly browser: Browser;
  readonly service: TestService;
  readonly origin: string;
  /** Two accounts, of which the first is Acme's. */
  readonly acme: string;
  readonly globex: string;
}

const button = (page: Page, name: string | RegExp) =>
  page.getByRole("button", { name, exact: true });
const link = (page: Page, name: string) => page.getByRole("link", { name, exact: true });
const bar = (page: Page) =>
  page.getByRole("navigation", { name: "Pages" }).getByRole("link").allTextContents();

/** Follows an invitation in a new browser, as somebody new. */
async function joined(
  { browser, service, origin }: Stage,
  accountId: string,
  { email, role }: { email: string; role: "viewer" | "analyst" | "manager" | "owner" },
) {
  const { address } = await invited(service, accountId, { email, role });
  const visitor = await visit(browser, { origin });
  const { page } = visitor;
  await page.goto(`${origin}${address}`);
  await page.getByLabel("Your name").fill(email.split("@")[0] ?? "");
  await button(page, "Accept").click();
  await settled(page);
  return visitor;
}

test("people in the console", async (t) => {
  const browser = await startBrowser(t, undefined, "people in the console");
  if (browser === null) return;
  const { service } = await startConsole();
  t.after(() => service.close());
  const acme = await service.apply({ account: "Acme Ltd", brand: "Acme" });
  const globex = await service.apply({ account: "Globex Ltd", brand: "Globex" });
  const origin = await service.listen();
  for (const [name, run] of Object.entries(cases)) {
    await t.test(name, (each) => run({ browser, service, origin, acme, globex }, each));
  }
});

const cases: Readonly<Record<string, (stage: Stage, t: TestContext) => Promise<void>>> = {
  "somebody new accepts an invitation, and is in": async (stage) => {
    const { browser, service, origin, acme } = stage;
    const { address } = await invited(service, acme, { email: "ann@example.com", role: "viewer" });
    const { page, faults } = await visit(browser, { origin });
    await page.goto(`${origin}${address}`);
    await page.getByRole("heading", { name: "Join Acme Ltd" }).waitFor();
    assert.equal(new URL(page.url()).hash, "", "the code leaves the address");
    await page.getByText("viewer: sees every page but Setup").waitFor();
    assert.deepEqual(await violationsAtBoth(page), []);
    await page.getByLabel("Your name").fill("Ann");
    await page.keyboard.press("Enter");
    await settled(page);
    assert.equal(new URL(page.url()).searchParams.get("account"), acme);
    assert.equal(await page.title(), "Overview – Acme – Sightline");
    assert.deepEqual(faults, []);
  },
};
