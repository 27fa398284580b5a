import assert from "node:assert/strict";
import { test } from "node:test";
import { workspaceOf } from "@sightline/server/account-store";
import { revokeKey } from "@sightline/server/key-store";
import { startBrowser } from "@sightline/test-kit/browser.ts";
import type { TestService } from "@sightline/test-kit/test-service.ts";
import type { BrowserContext, Locator, Page } from "playwright-core";
import { startConsole } from "./demo-service.ts";
import { settled, signIn, visit } from "./visitor.ts";

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

/** One service and one browser for all cases: what costs is a page's first load. */
interface Stage {
  readonly service: TestService;
  readonly origin: string;
  readonly context: BrowserContext;
}

/** A tab of a small account of its own, signed in; `other` is a second key. */
async function keptPage({ service, origin, context }: Stage, name: string) {
  const accountId = await service.apply({
    account: { name },
    brand: { name: "Acme" },
    prompts: [{ text: "Which anvil?" }],
  });
  const [key, other] = [
    await service.key(accountId, ["read", "import", "manage"]),
    await service.key(accountId, ["read", "import", "manage"]),
  ];
  const { consoleLinks, keyRing } = service.services;
  const { id: keyId = "" } = (await keyRing.verify(key)) ?? {};
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.goto(`${origin}/#sign-in=${consoleLinks.create(keyId)}`);
  await settled(page);
  const go = async (search: string): Promise<void> => {
    await page.goto(`${origin}/?account=${accountId}&${search}`);
    await settled(page);
  };
  return { service, accountId, origin, page, go, keyId, other };
}

type Kept = Awaited<ReturnType<typeof keptPage>>;

/** Holds replies of an address back until they are let go. */
async function holdBack(page: Page, address: string): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(address, async (route) => {
    await promise;
    await route.continue();
  });
  return resolve;
}

const cases: Readonly<Record<string, (kept: Kept) => Promise<void>>> = {
  "after a change that was refused for want of a session, one sign-in is enough": async ({
    service,
    page,
    go,
    keyId,
    other,
  }) => {
    await go("page=setup&_tab=keys");
    await button(page, "Create key").click();
    await revokeKey(service.services.control, keyId, service.clock.now());
    await button(page, "Create").click();
    await page.getByRole("heading", { name: "Sign in again" }).waitFor();
    const asked = page.waitForResponse(/\/session$/);
    await signIn(page, other);
    assert.equal((await asked).status(), 200);
    await button(page, "Create key").click();
    await button(page, "Create").click();
    await page.locator("[data-secret]").waitFor();
  },

  "an upgrade of the service is told when the tab is seen again, and edits outlive the reload":
    async ({ page, go }) => {
      await page.clock.install();
      await go("page=setup&_tab=brand");
      await button(page, "Add competitor").click();
      await page.getByLabel("Name", { exact: true }).fill("Globex");
      await page.keyboard.press("Enter");
      const seen = () => page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
      await page.clock.fastForward(120_000);
      await seen();
      assert.equal(await page.getByText("A new version of the console").count(), 0);
      await page.route(/127.0.0.1:\d+\/$/, (route) => route.fulfill({ body: "another version" }));
      await page.clock.fastForward(120_000);
      await seen();
      await page.getByText("A new version of the console is available.").waitFor();
      await page.unrouteAll();
      await button(page, "Reload").click();
      await page.getByText("1 change not saved").waitFor();
    },

  "an edit that is made before what was saved is back is kept": async ({ page, go }) => {
    const add = async (name: string): Promise<void> => {
      await button(page, "Add competitor").click();
      await page.getByLabel("Name", { exact: true }).fill(name);
      await page.keyboard.press("Enter");
    };
    await go("page=setup&_tab=brand");
    await add("Globex");
    await button(page, "Review and save").click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("Globex").waitFor();
    const letGo = await holdBack(page, "**/v1/workspace/file");
    await button(page, "Save").click();
    await dialog.waitFor({ state: "detached" });
    await add("Initech");
    const fetched = page.waitForResponse(/workspace\/file$/);
    letGo();
    await (await fetched).finished();
    await page.getByText("1 change not saved").waitFor();
    for (const name of ["Globex", "Initech"])
      assert.equal(await button(page, name).count(), 1, name);
    await button(page, "Review and save").click();
    await dialog.getByText("Initech").waitFor();
    assert.equal(await dialog.getByText("Globex").count(), 0);
  },

  "values are shown in the unit of their own metric until the next are there": async ({
    service,
    accountId,
    page,
    go,
  }) => {
    const [prompt] = (await workspaceOf(service.services.control, accountId))?.prompts ?? [];
    const answer = { promptId: prompt?.id, provider: "OPENAI", citations: [] };
    await service.import(accountId, [
      { ...answer, answeredAt: "2026-11-02T08:00:00Z", text: "Acme." },
      { ...answer, answeredAt: "2026-11-02T09:00:00Z", text: "None." },
    ]);
    await go("period=7d");
    const drawn = () => page.getByRole("slider").getAttribute("aria-valuetext");
    assert.match((await drawn()) ?? "", /Acme 50\.0%/);
    const letGo = await holdBack(page, "**/v1/insights/series");
    await button(page, "Rank").click();
    await page.getByRole("heading", { name: "Rank" }).waitFor();
    assert.match((await drawn()) ?? "", /Acme 50\.0%/);
    letGo();
    await settled(page);
    assert.match((await drawn()) ?? "", /Acme 1\.00/);
  },

  "an answer whose text was removed is said to be without it, and what it named": async ({
    service,
    accountId,
    page,
    go,
  }) => {
    const [prompt] = (await workspaceOf(service.services.control, accountId))?.prompts ?? [];
    await service.import(accountId, [
      {
        promptId: prompt?.id,
        provider: "OPENAI",
        citations: [],
        answeredAt: "2026-09-02T08:00:00Z",
        text: "Acme.",
      },
    ]);
    await service.services.retention.removeDue();
    await go(`page=prompts&_open=${prompt?.id}`);
    await page.getByText("Mentioned, rank 1").click();
    const drawer = page.getByRole("dialog");
    await drawer.getByText("The text was removed for its age").waitFor();
    await drawer.getByText("Why is this counted?").click();
    await drawer.getByText("It is number 1 in the order of first mention").waitFor();
  },

  "a file that goes while it is imported does not hide what became of it": async ({
    service,
    accountId,
    page,
    go,
  }) => {
    const [prompt] = (await workspaceOf(service.services.control, accountId))?.prompts ?? [];
    const answer = { promptId: prompt?.id, provider: "OPENAI", text: "Acme.", citations: [] };
    const lines = [{ ...answer, answeredAt: "2026-11-02T08:00:00Z" }, { wrong: true }];
    const buffer = Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
    await go("page=setup&_tab=imports");
    await page.evaluate(`Blob.prototype.stream = () => {
    throw new DOMException("The file could not be read.", "NotReadableError");
  }`);
    await page.getByLabel("Files of answers").setInputFiles({
      name: "answers.ndjson",
      mimeType: "application/x-ndjson",
      buffer,
    });
    const card = page.getByRole("region", { name: "Import of answers.ndjson" });
    await card.getByRole("heading", { name: "Rejected lines" }).waitFor();
    assert.deepEqual(await card.locator("dd").allInnerTexts(), ["1", "0", "1", "0"]);
    assert.equal(await card.getByRole("alert").count(), 0);
  },

  "a file that cannot be fetched ends its page alone, and edits outlive a reload": async ({
    page,
    go,
  }) => {
    await go("page=setup&_tab=brand");
    await button(page, "Add competitor").click();
    await page.getByLabel("Name", { exact: true }).fill("Globex");
    await page.keyboard.press("Enter");
    await page.route("**/console/assets/page-*", (route) => route.abort());
    const pages = page.getByRole("navigation", { name: "Pages" });
    await pages.getByRole("link", { name: "Sources" }).click();
    await page.getByText("This page could not be fetched").waitFor();
    await page.unroute("**/console/assets/page-*");
    await button(page, "Try again").click();
    await page.getByRole("heading", { name: "Sources", level: 1 }).waitFor();
    // After an upgrade the files have other names, and the page names another script.
    await page.route("**/console/assets/page-*", (route) => route.fulfill({ status: 404 }));
    await page.route(/127.0.0.1:\d+\/$/, (route) => route.fulfill({ body: "another version" }));
    await pages.getByRole("link", { name: "Prompts" }).click();
    const load = button(page, "Load the new version");
    await load.waitFor();
    await page.unrouteAll();
    const dialogs: string[] = [];
    page.on("dialog", (dialog) => {
      dialogs.push(dialog.type());
      void dialog.accept();
    });
    await load.click();
    await page.getByRole("heading", { name: "Prompts", level: 1 }).waitFor();
    assert.deepEqual(dialogs, []);
    await pages.getByRole("link", { name: "Setup" }).click();
    await page.getByText("1 change not saved").waitFor();
    await go("page=setup&_tab=brand");
    await button(page, "Globex").waitFor();
    await button(page, "Discard").click();
    await go("page=setup&_tab=brand");
    assert.equal(await button(page, "Globex").count(), 0);
  },

  "an upload that is cut off is asked about, and listed under its name": async ({
    service,
    accountId,
    page,
    go,
  }) => {
    const [prompt] = (await workspaceOf(service.services.control, accountId))?.prompts ?? [];
    const answer = { promptId: prompt?.id, provider: "OPENAI", text: "Acme.", citations: [] };
    const line = JSON.stringify({ ...answer, answeredAt: "2026-11-02T08:00:00Z" });
    await go("page=setup&_tab=imports");
    const letGo = await holdBack(page, "**/v1/answers?*");
    await page.getByLabel("Files of answers").setInputFiles({
      name: "week-45.ndjson",
      mimeType: "application/x-ndjson",
      buffer: Buffer.from(line),
    });
    await page.getByRole("region", { name: "Import of week-45.ndjson" }).waitFor();
    const asked = page.waitForEvent("dialog");
    void page.evaluate("location.reload()").catch(() => undefined);
    const dialog = await asked;
    assert.equal(dialog.type(), "beforeunload");
    await dialog.dismiss();
    letGo();
    const row = page.getByRole("table", { name: "Imports" }).getByRole("row").nth(1);
    await row.getByText("week-45.ndjson").waitFor();
    await row.getByRole("button", { name: "Undo" }).click();
    await page.getByRole("heading", { name: "Undo the import of week-45.ndjson?" }).waitFor();
  },

  "a link whose code was cut leaves no empty page": async ({ page, origin }) => {
    const go = async (hash: string): Promise<void> => {
      await page.goto("about:blank");
      await page.goto(`${origin}/${hash}`);
    };
    await go("#sign-in=%zz");
    await settled(page);
    await page.evaluate("localStorage.clear()");
    await go("#sign-in=%zz");
    await page.getByRole("alert").getByText("print another link").waitFor();
    assert.equal(page.url(), `${origin}/`);
  },

  "Enter that an input method takes adds no half of a word, and runs no command": async ({
    page,
    go,
  }) => {
    const compose = (field: Locator) =>
      field.evaluate((input) => {
        const key = { key: "Enter", isComposing: true, bubbles: true, cancelable: true };
        input.dispatchEvent(new KeyboardEvent("keydown", key));
      });
    await go("page=setup&_tab=brand");
    await button(page, "Acme").click();
    const aliases = page.getByLabel("Aliases");
    await aliases.fill("あくめ");
    await compose(aliases);
    assert.equal(await aliases.inputValue(), "あくめ");
    await aliases.press("Enter");
    assert.equal(await aliases.inputValue(), "");
    await page.keyboard.press("Escape");
    await page.keyboard.press("Control+k");
    const search = page.getByRole("combobox");
    await search.fill("api keys");
    await compose(search);
    await search.press("Enter");
    await search.waitFor({ state: "detached" });
    await button(page, "Create key").waitFor();
  },

  "a workspace file that is not UTF-8 is refused rather than damaged": async ({ page, go }) => {
    await go("page=setup&_tab=brand");
    const choose = async (encoding: "latin1" | "utf8") => {
      const buffer = Buffer.from("brand: { name: Éterne }\n", encoding);
      const file = { name: "workspace.yaml", mimeType: "application/yaml", buffer };
      await page.getByLabel("Workspace file", { exact: true }).setInputFiles(file);
    };
    await choose("latin1");
    await page.getByRole("status").filter({ hasText: "workspace.yaml is not UTF-8" }).waitFor();
    assert.equal(await page.getByRole("dialog").count(), 0);
    await choose("utf8");
    await page.getByRole("heading", { name: "What workspace.yaml changes" }).waitFor();
  },
};

test("the console keeps what its reader does", async (t) => {
  const browser = await startBrowser(t, undefined, "what the console keeps");
  if (browser === null) return;
  const { service } = await startConsole({ keepTexts: "30d" });
  t.after(() => service.close());
  const origin = await service.listen();
  const { page } = await visit(browser, { origin });
  const stage = { service, origin, context: page.context() };
  for (const [name, run] of Object.entries(cases)) {
    await t.test(name, async () => {
      const kept = await keptPage(stage, name);
      await run(kept);
      await kept.page.close();
    });
  }
});
