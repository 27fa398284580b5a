import assert from "node:assert/strict";
import { test } from "node:test";
import { verifyWebhook } from "@sightline/client";
import type { HooksResponse } from "@sightline/contract";
import { startBrowser } from "@sightline/test-kit/browser.ts";
import { startMailServer } from "@sightline/test-kit/mail-server.ts";
import { startReceiver } from "@sightline/test-kit/webhook-receiver.ts";
import { startConsole } from "./demo-service.ts";
import { signIn, violationsAtBoth, visit } from "./visitor.ts";

test("a test of a webhook reaches its receiver, and the page says so", async (t) => {
  const browser = await startBrowser(t, undefined, "the console's webhooks");
  if (browser === null) return;
  const { service } = await startConsole({ hooksToPrivate: "on" });
  t.after(() => service.close());
  const receiver = await startReceiver(t);
  const accountId = await service.apply({ account: { name: "Hooked" }, brand: { name: "Acme" } });
  const origin = await service.listen();
  const { page } = await visit(browser, { origin });
  await page.goto(origin);
  await signIn(page, await service.key(accountId, ["read", "manage"]));
  await page.goto(`${origin}/?account=${accountId}&page=setup&_tab=hooks`);
  const button = (name: string) => page.getByRole("button", { name, exact: true });
  await button("Add webhook").click();
  await page.getByLabel("Address").fill(receiver.url);
  await page.keyboard.press("Enter");
  const secret = (await page.locator("[data-secret]").textContent()) ?? "";
  await button("I have kept it").click();

  receiver.statuses.push(500);
  await button("Send test").click();
  await page.getByText("Test failed").waitFor();
  service.clock.advance(1_000);
  await button("Send test").click();
  await page.getByText("Test received").waitFor();
  assert.equal(receiver.received.length, 2);
  const [, { headers, body } = { headers: {}, body: "" }] = receiver.received;
  await verifyWebhook(body, headers, { secret, now: service.clock.now() });
  await button("Deliveries").click();
  const log = page.getByRole("dialog").locator("tbody tr");
  await log.nth(1).waitFor();
  const states = await log.locator("td:nth-child(3)").allTextContents();
  assert.deepEqual(states, ["delivered", "failed"]);
});

test("a webhook that mails, with thresholds, is filled in and listed in words", async (t) => {
  const browser = await startBrowser(t, undefined, "the console's webhooks by mail");
  if (browser === null) return;
  const mails = await startMailServer(t);
  const { service } = await startConsole({
    smtpUrl: `smtp://127.0.0.1:${mails.port}`,
    mailFrom: "reports@example.com",
  });
  t.after(() => service.close());
  const accountId = await service.apply({ account: { name: "Mailed" }, brand: { name: "Acme" } });
  const origin = await service.listen();
  const { page } = await visit(browser, { origin });
  await page.goto(origin);
  await signIn(page, await service.key(accountId, ["read", "manage"]));
  await page.goto(`${origin}/?account=${accountId}&page=setup&_tab=hooks`);
  const button = (name: string) => page.getByRole("button", { name, exact: true });
  await button("Add webhook").click();
  await page.getByLabel("Send as").selectOption("Mail");
  await page.getByLabel("Mail addresses").fill("one@example.com; two+x@example.com");
  for (const event of ["digest", "moved", "collection-failed", "report-made"]) {
    await page.getByRole("checkbox", { name: event }).uncheck();
  }
  assert.ok(await button("Add").isDisabled(), "nothing is asked for");
  await button("Add threshold").click();
  assert.ok(await button("Add").isDisabled(), "a threshold needs its limit");
  await page.getByLabel("Percent").fill("29");
  await button("Add threshold").click();
  await page.getByLabel("Value", { exact: true }).nth(1).selectOption("Rank");
  await page.getByLabel("Is", { exact: true }).nth(1).selectOption("above");
  await page.getByLabel("Rank", { exact: true }).fill("2.5");
  await page.getByLabel("Days").nth(1).fill("91");
  assert.ok(await button("Add").isDisabled(), "90 days at most");
  await page.getByLabel("Days").nth(1).fill("14");
  assert.deepEqual(await violationsAtBoth(page), []);
  await button("Add").click();
  const cells = page.getByRole("table", { name: "Webhooks" }).locator("tbody td");
  await cells.first().waitFor();
  assert.equal(await cells.first().textContent(), "one@example.com, two+x@example.comMailby test");
  const thresholds = ["Mentions below 29 %, 28 days", "Rank above 2.5, 14 days"];
  assert.equal(await cells.nth(1).textContent(), ["threshold-crossed", ...thresholds].join(""));
  const headers = { authorization: `Bearer ${await service.session(accountId, ["manage"])}` };
  const listed = await service.request("GET", "/v1/hooks", { headers });
  const { hooks } = listed.json<HooksResponse>();
  assert.deepEqual(
    hooks.map(({ form, url, thresholds: stored }) => [form, url, stored]),
    [
      [
        "mail",
        "mailto:one@example.com,two+x@example.com",
        [
          { metric: "mentions", below: 0.29, days: 28 },
          { metric: "rank", above: 2.5, days: 14 },
        ],
      ],
    ],
  );
  await button("Send test").click();
  await page.getByText("Test received").waitFor();
  assert.deepEqual(
    mails.received.map(({ to }) => to),
    [["one@example.com", "two+x@example.com"]],
  );
});
