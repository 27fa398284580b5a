import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type TestContext, test } from "node:test";
import type { PeopleResponse, Role } from "@sightline/client";
import { createSignInLink } from "@sightline/server/sign-in-links";
import { startBrowser } from "@sightline/test-kit/browser.ts";
import { startProvider } from "@sightline/test-kit/identity-provider.ts";
import { startMailServer } from "@sightline/test-kit/mail-server.ts";
import { invited, PersonPage } from "@sightline/test-kit/person-page.ts";
import type { TestService } from "@sightline/test-kit/test-service.ts";
import { until } from "@sightline/test-kit/until.ts";
import type { Browser, Page } from "playwright-core";
import { startConsole } from "./demo-service.ts";
import { settled, signIn, violationsAtBoth, visit } from "./visitor.ts";

interface Stage {
  readonly browser: Browser;
  readonly service: TestService;
  readonly origin: string;
  /** Accounts whose brands are Acme and Globex. */
  readonly acme: string;
  readonly globex: string;
}

const button = (page: Page, name: string | RegExp) =>
  page.getByRole("button", { name, exact: true });
const item = (page: Page, name: string | RegExp) =>
  page.getByRole("menuitem", { name, exact: true });
const pagesOf = (page: Page) =>
  page.getByRole("navigation", { name: "Pages" }).getByRole("link").allTextContents();
const sectionsOf = (page: Page) =>
  page.getByRole("navigation", { name: "Sections of Setup" }).getByRole("link").allTextContents();
const rowsOf = (page: Page, caption: string) =>
  page.getByRole("table", { name: caption }).locator("tbody tr");

interface NewPerson {
  readonly email: string;
  readonly role: Role;
}

/** Follows an invitation in a browser of its own, as somebody new. */
async function joined({ browser, service, origin }: Stage, accountId: string, person: NewPerson) {
  const { address } = await invited(service, accountId, person);
  const visitor = await visit(browser, { origin });
  const { page } = visitor;
  await page.goto(`${origin}${address}`);
  await page.getByLabel("Your name").fill(person.email.split("@")[0] ?? "");
  await button(page, "Accept").click();
  await settled(page);
  return visitor;
}

/** Accepts an invitation to another account, in a browser in which the person is signed in. */
async function joinedToo(
  { service, origin }: Stage,
  page: Page,
  [accountId, person]: readonly [string, NewPerson],
) {
  const { address } = await invited(service, accountId, person);
  await page.goto(`${origin}${address}`);
  await button(page, "Accept").click();
  await settled(page);
}

async function find(page: Page, text: string): Promise<readonly string[]> {
  await page.keyboard.press("Control+K");
  await page.getByRole("combobox").fill(text);
  const found = await page.getByRole("option").allInnerTexts();
  await page.keyboard.press("Escape");
  return found.map((each) => each.replaceAll("\n", " · "));
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
    await page.goto(`${origin}${address}`);
    await page.getByRole("heading", { name: "This invitation does not work" }).waitFor();
    await button(page, "Back").click();
    await settled(page);
  },

  "a viewer has no Setup: not in the bar, not by keys, not in the search": async (stage) => {
    const { page, go } = await joined(stage, stage.acme, {
      email: "vic@example.com",
      role: "viewer",
    });
    assert.deepEqual(await pagesOf(page), [
      "Overview",
      "Portrayal",
      "Sources",
      "Prompts",
      "Reports",
    ]);
    await page.keyboard.press("g");
    await page.keyboard.press("u");
    assert.equal(new URL(page.url()).searchParams.get("page"), null);
    assert.deepEqual(await find(page, "setup"), []);
    await go(`?account=${stage.acme}&page=setup&_tab=keys`);
    await page.getByText("you are a viewer, who sees every other page", { exact: false }).waitFor();
    assert.deepEqual(await sectionsOf(page), []);
    assert.deepEqual(await violationsAtBoth(page), []);
  },

  "an analyst has the parts of Setup that the role reaches": async (stage) => {
    const { page, go } = await joined(stage, stage.acme, {
      email: "ana@example.com",
      role: "analyst",
    });
    await go("?page=setup");
    const reached = ["Brand and competitors", "Topics and prompts", "Imports", "Labels"];
    assert.deepEqual(await sectionsOf(page), [...reached, "Usage and health"]);
    assert.deepEqual(await find(page, "webhooks"), []);
    await page
      .getByText("is for a manager or owner; you are an analyst of Acme Ltd", { exact: false })
      .waitFor();
    await page.goto(`${stage.origin}/?account=${stage.acme}&page=setup&_tab=people`);
    await page.getByText("Seeing and inviting people is for an owner", { exact: false }).waitFor();
  },

  "an owner invites, changes a role and removes; keys that end are named": async (stage) => {
    const { service, browser, origin, acme } = stage;
    const { page, go, faults } = await joined(stage, acme, {
      email: "olga@example.com",
      role: "owner",
    });
    await go("?page=setup&_tab=people");
    await button(page, "Invite").click();
    assert.deepEqual(await violationsAtBoth(page), []);
    await page.getByLabel("E-mail").fill("bea@example.com");
    await page.getByLabel("Role", { exact: true }).selectOption("manager");
    await page.keyboard.press("Enter");
    await page.getByText("Send this address to bea@example.com, and to nobody else").waitFor();
    const address = (await page.locator("[data-secret]").textContent()) ?? "";
    assert.ok(address.startsWith(`${origin}/#invitation=`), address);
    await button(page, "I have kept it").click();
    const open = rowsOf(page, "Open invitations, newest first");
    assert.match((await open.first().textContent()) ?? "", /^bea@example\.com.*manager/);

    const bea = await visit(browser, { origin });
    await bea.page.goto(address);
    await bea.page.getByText("olga invites you to this account").waitFor();
    await bea.page.getByLabel("Your name").fill("Bea");
    await button(bea.page, "Accept").click();
    await settled(bea.page);
    await bea.go("?page=setup&_tab=keys");
    await button(bea.page, "Create key").click();
    await bea.page.getByLabel("Name").fill("nightly");
    await bea.page.getByLabel("manage:", { exact: false }).check();
    assert.equal(await bea.page.getByLabel("people:", { exact: false }).isDisabled(), true);
    await button(bea.page, "Create").click();
    await button(bea.page, "I have kept it").click();
    await bea.page.getByText("of Bea").waitFor();

    await go("?page=setup&_tab=people");
    assert.deepEqual(await violationsAtBoth(page), []);
    await page.getByLabel("Role of Bea").selectOption("analyst");
    await page.getByRole("heading", { name: "Make Bea an analyst?" }).waitFor();
    await page.getByRole("listitem").filter({ hasText: "nightly" }).waitFor();
    assert.deepEqual(await violationsAtBoth(page), []);
    await button(page, "Cancel").click();
    assert.equal(await page.getByLabel("Role of Bea").inputValue(), "manager", "nothing was done");
    await page.getByLabel("Role of Bea").selectOption("analyst");
    await button(page, "Change role").click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    const role = page.getByLabel("Role of Bea");
    await until("the role", async () => (await role.inputValue()) === "analyst" || null);
    await button(page, "Remove Bea").click();
    await page.getByText("No key ends with it.").waitFor();
    await button(page, "Remove").click();
    await page.getByLabel("Role of Bea").waitFor({ state: "detached" });
    await bea.page.reload();
    await bea.page.getByRole("heading", { name: "Sign in" }).waitFor();

    await go("?page=setup&_tab=audit");
    const actors = rowsOf(page, "Audit log, newest first").first();
    assert.match((await actors.textContent()) ?? "", /olga person.*removed a person/);
    assert.deepEqual(faults, []);
    assert.equal((await service.request("GET", "/healthz")).status, 200);
  },

  "somebody who is removed from an account goes on in the others": async (stage) => {
    const { acme, globex, origin, service } = stage;
    const person = { email: "rea@example.com", role: "viewer" } as const;
    const { page } = await joined(stage, acme, person);
    await joinedToo(stage, page, [globex, person]);
    const authorization = `Bearer ${await service.session(globex, ["read", "people"])}`;
    const headers = { authorization };
    const { people } = (
      await service.request("GET", "/v1/people", { headers })
    ).json<PeopleResponse>();
    const personId = people.find(({ email }) => email === person.email)?.personId;
    await service.request("DELETE", `/v1/people/${personId}`, { headers });
    await page.reload();
    await page.getByRole("heading", { name: "Sign in again" }).waitFor();
    await button(page, "Go to Acme Ltd").waitFor();
    await page.goto(origin);
    await settled(page);
    assert.equal(new URL(page.url()).searchParams.get("account"), acme);
  },

  "the last owner stays, in words": async (stage) => {
    const { service } = stage;
    const account = await service.apply({ account: "Two Ltd", brand: "Two" });
    const { page, go } = await joined(stage, account, { email: "one@example.com", role: "owner" });
    await joined(stage, account, { email: "two@example.com", role: "viewer" });
    await go("?page=setup&_tab=people");
    await page.getByLabel("Role of one").selectOption("viewer");
    await button(page, "Change role").click();
    await page.getByRole("dialog").getByRole("alert").waitFor();
    await button(page, "Cancel").click();
    assert.equal(await page.getByLabel("Role of one").inputValue(), "owner");
  },

  "one sign-in is for all accounts: menu, search, keys, and the way out": async (stage) => {
    const { acme, globex, origin } = stage;
    const person = { email: "max@example.com", role: "manager" } as const;
    const { page, faults } = await joined(stage, acme, person);
    await joinedToo(stage, page, [globex, { ...person, role: "viewer" }]);
    assert.equal(new URL(page.url()).searchParams.get("account"), globex);
    assert.deepEqual((await pagesOf(page)).slice(-1), ["Accounts"]);
    await button(page, "Globex Ltd").click();
    await page.getByText("max@example.com").waitFor();
    assert.deepEqual(await violationsAtBoth(page), []);
    await item(page, /^Acme Ltd\s*manager$/).click();
    await settled(page);
    assert.deepEqual((await pagesOf(page)).slice(-2), ["Setup", "Accounts"]);
    assert.deepEqual(await find(page, "globex account"), ["Globex Ltd · Account"]);
    // A tab without an address returns to the account of before.
    await page.goto(origin);
    await settled(page);
    assert.equal(new URL(page.url()).searchParams.get("account"), acme);
    await button(page, "Acme Ltd").click();
    await item(page, "Sign out").click();
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    assert.equal(
      await page.evaluate("JSON.stringify(localStorage)"),
      '{"sightline.accounts":"[]"}',
    );
    await page.goto(`${origin}/?account=${globex}`);
    await page.getByRole("heading", { name: "Sign in to see this page" }).waitFor();
    assert.deepEqual(
      faults.filter((each) => !each.includes("401")),
      [],
    );
  },

  "more than eight accounts are searched in the menu, and compared side by side": async (stage) => {
    const { service } = stage;
    const person = { email: "many@example.com", role: "viewer" } as const;
    const { page, go, faults } = await joined(stage, stage.acme, person);
    for (let number = 1; number <= 9; number++) {
      const account = { account: `Brand ${number} Ltd`, brand: `Brand ${number}` };
      await joinedToo(stage, page, [await service.apply(account), person]);
    }
    await button(page, "Brand 9 Ltd").click();
    assert.deepEqual(await violationsAtBoth(page), []);
    await page.getByRole("searchbox", { name: "Search accounts" }).fill("brand 4");
    await button(page, /^Brand 4 Ltd\s*viewer$/).click();
    await settled(page);
    assert.equal(await page.title(), "Overview – Brand 4 – Sightline");

    await go("?page=accounts");
    const rows = rowsOf(page, "Accounts");
    assert.equal(await rows.count(), 10);
    assert.match((await rows.first().textContent()) ?? "", /^Acme LtdAcme · viewer/);
    await page.getByRole("searchbox", { name: "Search accounts" }).fill("brand 7");
    await until("one row", async () => (await rows.count()) === 1 || null);
    assert.deepEqual(await violationsAtBoth(page), []);
    await page.getByRole("link", { name: "Brand 7 Ltd" }).click();
    await settled(page);
    assert.equal(await page.title(), "Overview – Brand 7 – Sightline");
    assert.deepEqual(faults, []);
  },

  "a link that works once signs in, and a used one says so": async (stage) => {
    const { service, browser, origin, acme } = stage;
    const { page } = await joined(stage, acme, { email: "lea@example.com", role: "viewer" });
    const authorization = `Bearer ${await service.session(acme, ["read", "people"])}`;
    const listed = await service.request("GET", "/v1/people", { headers: { authorization } });
    const { people } = listed.json<PeopleResponse>();
    const personId = people.find(({ email }) => email === "lea@example.com")?.personId ?? "";
    const code = await createSignInLink(service.services.control, personId, service.clock.now());
    const other = await visit(browser, { origin });
    await other.page.goto(`${origin}/#person=${code}`);
    await settled(other.page);
    assert.equal(new URL(other.page.url()).hash, "");
    // The first proof of an address ends the sessions under it.
    await page.reload();
    await page.getByRole("heading", { name: "Sign in again" }).waitFor();
    await page.goto(`${origin}/#person=${code}`);
    await page.getByRole("alert").filter({ hasText: "used or is too old" }).waitFor();
  },

  "somebody who is known signs in before an invitation is accepted": async (stage) => {
    const { service, browser, origin, acme, globex } = stage;
    const person = { email: "kim@example.com", role: "viewer" } as const;
    const { page } = await joined(stage, acme, person);
    const { address } = await invited(service, globex, person);
    const other = await visit(browser, { origin });
    await other.page.goto(`${origin}${address}`);
    await other.page.getByText("Somebody is known here as kim@example.com").waitFor();
    assert.equal(await button(other.page, "Accept").count(), 0);
    assert.deepEqual(await violationsAtBoth(other.page), []);
    await page.goto(`${origin}${address}`);
    await button(page, "Accept").click();
    await settled(page);
    assert.equal(await page.title(), "Overview – Globex – Sightline");
  },

  "why a provider signed nobody in is said in words": async ({ browser, origin }) => {
    const { page } = await visit(browser, { origin });
    await page.goto(`${origin}/#refused=not-invited`);
    await page.getByRole("alert").filter({ hasText: "no account here has invited" }).waitFor();
    assert.equal(new URL(page.url()).hash, "");
    await page.goto(`${origin}/#refused=constructor`);
    await page.getByLabel("Key", { exact: true }).waitFor();
    assert.equal(await page.getByRole("alert").count(), 0, "words of an address are not shown");
    assert.deepEqual(await violationsAtBoth(page), []);
  },

  "a key's session keeps every part of Setup, and says which key it takes": async (stage) => {
    const { page, go } = await visit(stage.browser, stage);
    await page.goto(stage.origin);
    await signIn(page, await stage.service.key(stage.acme, ["read"]));
    await go("?page=setup&_tab=people");
    await page.getByText("Seeing and inviting people needs a key", { exact: false }).waitFor();
    assert.ok((await sectionsOf(page)).includes("API keys"));
    await go("?page=accounts");
    await page.getByText("This session is a key's, which has one account.").waitFor();
  },
};

test("a provider signs in, and leads back to the page that was shared", async (t) => {
  const browser = await startBrowser(t, undefined, "a provider in the console");
  if (browser === null) return;
  // The service gets its port when it listens, and the provider knows its address before that.
  let origin = "";
  const front = createServer(({ url }, reply) => {
    reply.writeHead(303, { Location: `${origin}${url}` }).end();
  });
  await new Promise<void>((done) => front.listen(0, "127.0.0.1", done));
  t.after(() => new Promise((done) => front.close(done)));
  const publicUrl = `http://127.0.0.1:${(front.address() as AddressInfo).port}`;
  const provider = await startProvider(`${publicUrl}/console/person/provider/callback`, {
    ann: { email: "ann@example.com", email_verified: true, name: "Ann" },
  });
  t.after(() => provider.close());
  const { issuer: oidcIssuer, clientId: oidcClientId } = provider;
  const { service } = await startConsole(
    { oidcIssuer, oidcClientId, publicUrl },
    { environment: { SIGHTLINE_OIDC_CLIENT_SECRET: provider.clientSecret } },
  );
  t.after(() => service.close());
  const account = await service.apply({ account: "Acme Ltd", brand: "Acme" });
  origin = await service.listen();
  await invited(service, account, { email: "ann@example.com", role: "viewer" });
  const { page } = await visit(browser, { origin });
  await page.goto(`${origin}/?account=${account}&page=prompts`);
  await page.getByText("it opens for people of that account", { exact: false }).waitFor();
  const way = page.getByRole("link", { name: `Sign in with ${new URL(oidcIssuer).host}` });
  await way.waitFor();
  assert.deepEqual(await violationsAtBoth(page), []);
  await way.click();
  await page.locator("[name=login]").fill("ann");
  await page.locator("[name=password]").fill("any");
  await page.locator("[type=submit]").click();
  await page.locator("[type=submit]").click();
  await settled(page);
  assert.equal(page.url(), `${origin}/?account=${account}&page=prompts`);
  assert.equal(await page.title(), "Prompts – Acme – Sightline");
});

test("somebody whom a proxy names is in without a key", async (t) => {
  const browser = await startBrowser(t, undefined, "people behind a proxy");
  if (browser === null) return;
  const { service } = await startConsole({
    personHeader: "X-Forwarded-Email",
    trustedProxies: "127.0.0.1",
  });
  t.after(() => service.close());
  const account = await service.apply({ account: "Acme Ltd", brand: "Acme" });
  const origin = await service.listen();
  const named = async (email: string) => {
    const visitor = await visit(browser, { origin });
    await visitor.page.setExtraHTTPHeaders({ "X-Forwarded-Email": email });
    return visitor;
  };
  await invited(service, account, { email: "ann@example.com", role: "viewer" });
  const ann = await named("ann@example.com");
  // An address that was shared, before the service knows the person.
  await ann.page.goto(`${origin}/?account=${account}&page=prompts`);
  await settled(ann.page);
  assert.equal(await ann.page.title(), "Prompts – Acme – Sightline");
  await button(ann.page, "Acme Ltd").click();
  await item(ann.page, "Guides").waitFor();
  assert.equal(await item(ann.page, "Sign out").count(), 0, "the proxy signs out");
  const again = await named("ann@example.com");
  await again.page.goto(origin);
  await settled(again.page);
  assert.deepEqual(again.faults, []);
  const eve = await named("eve@example.com");
  await eve.page.goto(origin);
  await eve.page
    .getByRole("alert")
    .filter({ hasText: "eve@example.com is signed in, but no account has invited" })
    .waitFor();
});

test("a link comes by mail, and signs in", async (t) => {
  const browser = await startBrowser(t, undefined, "mailed links in the console");
  if (browser === null) return;
  const mails = await startMailServer(t);
  const { service } = await startConsole({
    publicUrl: "https://sightline.example",
    smtpUrl: `smtp://127.0.0.1:${mails.port}`,
    mailFrom: "sightline@example.com",
  });
  t.after(() => service.close());
  const account = await service.apply({ account: "Acme Ltd", brand: "Acme" });
  const origin = await service.listen();
  await PersonPage.join(service, account, { email: "ann@example.com", role: "viewer" });
  const { page } = await visit(browser, { origin });
  await page.goto(origin);
  await page.getByLabel("E-mail address").fill("ann@example.com");
  assert.deepEqual(await violationsAtBoth(page), []);
  await page.getByRole("button", { name: "Mail me a link" }).click();
  await page.getByText("a link is on its way", { exact: false }).waitFor();
  const mail = await until("the mail arrives", async () => mails.received[0] ?? null);
  const source = mail.source.replaceAll("=\r\n", "").replaceAll("=3D", "=");
  const [, code] = /#person=([\w-]{43})/.exec(source) ?? [];
  await page.goto(`${origin}/#person=${code}`);
  await page.getByRole("heading", { name: "Overview" }).waitFor();
});
