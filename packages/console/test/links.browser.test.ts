import assert from "node:assert/strict";
import { test } from "node:test";
import { startBrowser, watchedPage } from "@sightline/test-kit/browser.ts";
import { sharedDemo } from "./demo-service.ts";
import { settled, violationsOf, visitSignedIn } from "./visitor.ts";

test("a view is shared from its page, opened without a key, and revoked", async (t) => {
  const browser = await startBrowser(t, undefined, "the console's share links");
  if (browser === null) return;
  const demo = await sharedDemo();
  const { page, go, faults } = await visitSignedIn(browser, demo);
  const button = (name: string) => page.getByRole("button", { name, exact: true });
  const pictures = process.env["LINKS_PICTURES"];
  const shoot = async (name: string, of = page) => {
    if (pictures !== undefined)
      await of.screenshot({ path: `${pictures}/${name}.png`, fullPage: true });
  };

  /** Shares what is shown. @returns the address, this once. */
  const share = async (name: string, fill: () => Promise<void>): Promise<string> => {
    await button("Share").click();
    await page.getByLabel("Name", { exact: true }).fill(name);
    await fill();
    await shoot(`dialog-${name}`);
    await button("Create link").click();
    const address = await page.locator("[data-secret]").textContent();
    await shoot(`created-${name}`);
    await button("I have kept it").click();
    return address ?? "";
  };

  await go("?providers=OPENAI&period=28d");
  const address = await share("For the board", async () => {
    await page.getByLabel("Password", { exact: true }).fill("correct horse");
    assert.deepEqual(await violationsOf(page), []);
  });
  assert.match(address, /^http:\/\/127\.0\.0\.1:\d+\/share\/[\w-]{22}$/);
  const picture = await share("Picture", async () => {
    await page.getByLabel("What it gives").selectOption("image");
  });
  assert.match(picture, /\/share\/[\w-]{22}\/image\.svg$/);

  const reader = await watchedPage(browser, { origin: demo.origin, width: 1_000 });
  await reader.page.goto(address);
  await shoot("password", reader.page);
  assert.deepEqual(await violationsOf(reader.page), []);
  await reader.page.getByLabel("Password").fill("correct horse");
  await reader.page.getByRole("button", { name: "Show the page" }).click();
  await reader.page.getByRole("heading", { name: "For the board" }).waitFor();
  assert.equal(reader.page.url(), address);
  await shoot("page", reader.page);
  assert.deepEqual(await violationsOf(reader.page), []);
  for (const text of ["ChatGPT", "Live: answers up to"]) {
    await reader.page.getByText(text).first().waitFor();
  }
  // A page of another origin shows the picture.
  const { page: other } = await watchedPage(browser, { origin: demo.origin, width: 1_000 });
  await other.setContent(`<img src="${picture}" alt="Picture">`);
  const width = "document.images[0].decode().then(() => document.images[0].naturalWidth)";
  assert.equal(await other.evaluate(width), 720);
  await shoot("picture", other);
  assert.deepEqual([reader.foreign, reader.faults], [[], []]);

  await go("?page=setup&_tab=links");
  await page.getByRole("row", { name: /For the board/ }).waitFor();
  await shoot("list");
  assert.deepEqual(await violationsOf(page), []);
  await button("Revoke For the board").click();
  await page.getByRole("dialog").getByRole("button", { name: "Revoke", exact: true }).click();
  await page.getByText(/^revoked /).waitFor();
  await settled(page);
  assert.equal((await reader.page.goto(address))?.status(), 404);
  await shoot("gone", reader.page);
  assert.deepEqual(await violationsOf(reader.page), []);
  assert.deepEqual(faults, []);
});

test("who may only read is not offered to share", async (t) => {
  const browser = await startBrowser(t, undefined, "the console's share links");
  if (browser === null) return;
  const demo = await sharedDemo();
  const key = await demo.service.key(demo.accountId, ["read"]);
  const { page, go } = await visitSignedIn(browser, { ...demo, key });
  await go("?page=sources");
  await page.getByRole("heading", { name: "Sources" }).first().waitFor();
  assert.equal(await page.getByRole("button", { name: "Share", exact: true }).count(), 0);
  await go("?page=setup&_tab=links");
  await page.getByText(/Listing and creating share links/).waitFor();
});
