import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import type {
  AppliedWorkspace,
  DeclaredWorkspaceResponse,
  ListedImport,
  ListedKey,
  WorkspaceResponse,
} from "@sightline/client";
import { insecureHost, startBrowser } from "@sightline/test-kit/browser.ts";
import type { Browser, Page } from "playwright-core";
import { brokenWords } from "./broken-words.ts";
import { type DemoService, startDemo } from "./demo-service.ts";
import { settled, signIn, type Visitor, violationsOf, visit, visitSignedIn } from "./visitor.ts";

/** Every so many-th of the demo's are enough to be counted, and no longer. */
const fewAnswers = 30;
const tabs = ["brand", "prompts", "imports", "keys", "hooks", "audit", "service"] as const;

/** What every case gets: one browser, one service, and a session of the API to compare with. */
interface Stage {
  readonly browser: Browser;
  readonly demo: DemoService;
  readonly token: string;
  /** Signed in, and may do everything; one for most cases, since each costs seconds. */
  readonly visitor: Visitor;
}

const button = (page: Page, name: string | RegExp) =>
  page.getByRole("button", { name, exact: true });

async function asked<Reply>(
  { demo, token }: Pick<Stage, "demo" | "token">,
  path: string,
): Promise<Reply> {
  const headers = { authorization: `Bearer ${token}` };
  const reply = await demo.service.request("GET", path, { headers });
  assert.equal(reply.status, 200, reply.body);
  return reply.json<Reply>();
}

const fileNow = (stage: Stage) => asked<DeclaredWorkspaceResponse>(stage, "/v1/workspace/file");

async function put({ demo, token }: Stage, query: string, file: object | string) {
  const isText = typeof file === "string";
  const reply = await demo.service.request("PUT", `/v1/workspace${query}`, {
    headers: {
      authorization: `Bearer ${token}`,
      "content-type": isText ? "application/yaml" : "application/json",
    },
    body: isText ? file : JSON.stringify(file),
  });
  assert.equal(reply.status, 200, reply.body);
  return reply.json<AppliedWorkspace>();
}

async function reviewAndSave(page: Page): Promise<void> {
  await button(page, "Review and save").click();
  await button(page, "Save").click();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await page.getByRole("region", { name: "Unsaved changes" }).waitFor({
    state: "detached",
  });
}

const cases: Readonly<Record<string, (stage: Stage) => Promise<void>>> = {
  "an edit shows what the dry run says, and is what the service then tracks": async (stage) => {
    const { page, go, faults, foreign } = stage.visitor;
    const before = await fileNow(stage);
    const puts: string[] = [];
    page.on("request", (request) => {
      if (request.method() === "PUT") puts.push(new URL(request.url()).search);
    });
    await go("?page=setup");
    await button(page, "Osierline").click();
    await page.getByLabel("Aliases").fill("Osier Line");
    await page.keyboard.press("Enter");
    await page.getByLabel("Not a mention").fill("osier basket");
    await page.keyboard.press("Enter");
    await button(page, "Done").click();
    await page.getByText("not “osier basket”").waitFor();
    await page.getByRole("link", { name: "Topics and prompts" }).click();
    const [first] = before.prompts;
    await button(page, `Remove ${first?.text}`).click();
    const dryRun = await put(stage, "?dryRun=true", {
      ...before,
      prompts: before.prompts.slice(1),
    });
    assert.ok(dryRun.answersNoLongerCounted > 1);
    await button(page, "Review and save").click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText(`${dryRun.answersNoLongerCounted} answers stop counting`).waitFor();
    const listed = await dialog.getByRole("listitem").allInnerTexts();
    assert.deepEqual(
      listed.map((each) => each.replace(/\s+/, " ")),
      ["competitor Osierline\nalias added: Osier Line", `prompt ${first?.text}`],
    );
    await button(page, "Save").click();
    await dialog.waitFor({ state: "detached" });
    const after = await fileNow(stage);
    const osierline = after.competitors.find(({ name }) => name === "Osierline");
    assert.deepEqual(osierline?.aliases, [
      { name: "Osier", caseSensitive: true },
      { name: "Osier Line", caseSensitive: false },
    ]);
    assert.deepEqual(osierline?.except, ["osier basket"]);
    assert.deepEqual(after.prompts, before.prompts.slice(1));
    // A dry run of what is saved by now would be refused: its tag is the one from before.
    assert.deepEqual(puts, ["?dryRun=true", ""]);
    assert.deepEqual([faults, foreign], [[], []]);
    await put(stage, "", before);
  },

  "nothing is offered until it is known which part of Setup it is": async (stage) => {
    const { page } = stage.visitor;
    const { promise: isReleased, resolve: release } = Promise.withResolvers<void>();
    await page.route("**/v1/workspace", async (route) => {
      await isReleased;
      await route.continue();
    });
    const file = page.waitForResponse("**/v1/workspace/file");
    await page.goto(`${stage.demo.origin}/?page=setup`);
    await (await file).finished();
    await page.evaluate(`new Promise((drawn) =>
      requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(drawn))))`);
    assert.deepEqual(await page.getByRole("main").getByRole("button").allInnerTexts(), []);
    release();
    await button(page, "Add competitor").click();
    await page.getByLabel("Name", { exact: true }).waitFor();
    await page.unroute("**/v1/workspace");
  },

  "what somebody else saved meanwhile is kept, and one's edits too": async (stage) => {
    const { page, go } = stage.visitor;
    const before = await fileNow(stage);
    await go("?page=setup");
    await button(page, "Quillmarsh").click();
    await page.getByLabel("Name", { exact: true }).fill("Quillmarsh & Co");
    await page.keyboard.press("Enter");
    const [, ...others] = before.competitors;
    await put(stage, "", { ...before, competitors: [...others, { name: "Nordkvist" }] });
    await button(page, "Review and save").click();
    await page.getByText("The workspace was changed in the meantime").waitFor();
    await button(page, "Load it and keep my edits").click();
    await page.getByRole("dialog").getByText("Quillmarsh & Co").waitFor();
    await button(page, "Save").click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    const names = (await fileNow(stage)).competitors.map(({ name }) => name);
    const expected = [...others.map(({ name }) => name), "Nordkvist"]
      .map((name) => (name === "Quillmarsh" ? "Quillmarsh & Co" : name))
      .toSorted();
    assert.deepEqual(names.toSorted(), expected);
    await put(stage, "", before);
  },

  "a name that two have is refused where it stands, and nothing is saved": async (stage) => {
    const { page, go } = stage.visitor;
    const before = await fileNow(stage);
    await go("?page=setup");
    await button(page, "Add competitor").click();
    await page.getByLabel("Name", { exact: true }).fill("ridgeloom");
    await page.keyboard.press("Enter");
    await button(page, "Review and save").click();
    await page.getByRole("alert").getByText("is already the name of").waitFor();
    assert.equal(await button(page, "Save").isDisabled(), true);
    await button(page, "Keep editing").click();
    await button(page, "Discard").click();
    assert.equal(await button(page, "ridgeloom").count(), 0);
    assert.deepEqual(await fileNow(stage), before);
  },

  "the file that is downloaded is what is tracked; one that is uploaded is shown first": async (
    stage,
  ) => {
    const { page, go } = stage.visitor;
    await go("?page=setup");
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      button(page, "Download").click(),
    ]);
    const text = readFileSync(await download.path(), "utf8");
    const { created, updated, retired } = await put(stage, "?dryRun=true", text);
    assert.deepEqual([created, updated, retired], [0, 0, 0]);
    const changed = `${text}  - { text: "Which stove boils fastest?" }\n`;
    await page.getByLabel("Workspace file").setInputFiles({
      name: "workspace.yaml",
      mimeType: "application/yaml",
      buffer: Buffer.from(changed),
    });
    await page.getByRole("dialog").getByText("Which stove boils fastest?").waitFor();
    await button(page, "Save").click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    const texts = (await fileNow(stage)).prompts.map((each) => each.text);
    assert.ok(texts.includes("Which stove boils fastest?"));
  },

  "a file of answers is imported, its rejected lines are named, and it is undone": async (
    stage,
  ) => {
    const { page, go } = stage.visitor;
    const line = { prompt: "Which stove boils fastest?", provider: "OPENAI", text: "Tarnfell." };
    const lines = [
      { ...line, answeredAt: "2026-10-30T08:00:00Z" },
      { ...line, answeredAt: "yesterday" },
      { ...line, answeredAt: "2026-10-30T09:00:00Z" },
    ];
    const text = lines.map((each) => JSON.stringify(each)).join("\n");
    await go("?page=setup&_tab=imports");
    const files = page.getByLabel("Files of answers");
    await files.setInputFiles([
      { name: "a.ndjson", mimeType: "application/x-ndjson", buffer: Buffer.from(text) },
      { name: "b.ndjson.gz", mimeType: "application/gzip", buffer: gzipSync(text) },
    ]);
    const first = page.getByRole("region", { name: "Import of a.ndjson" });
    await first.getByRole("cell", { name: JSON.stringify(lines[1]) }).waitFor();
    const second = page.getByRole("region", { name: "Import of b.ndjson.gz" });
    await second.getByText("Rejected lines").first().waitFor();
    const counts = async (region: typeof first) => region.locator("dd").allInnerTexts();
    assert.deepEqual(
      [await counts(first), await counts(second)],
      [
        ["2", "0", "1", "0"],
        ["0", "2", "1", "0"],
      ],
    );
    const { imports } = await asked<{ imports: ListedImport[] }>(stage, "/v1/imports");
    const imported = imports.find(({ accepted }) => accepted === 2);
    await page.getByRole("row").filter({ hasText: "a.ndjson" }).getByRole("button").click();
    await button(page, "Remove 2 answers").click();
    await page.getByText(/^undone /).waitFor();
    const later = await asked<{ imports: ListedImport[] }>(stage, "/v1/imports");
    assert.notEqual(later.imports.find(({ id }) => id === imported?.id)?.undoneAt, null);
  },

  "a key is shown once, does what it may, and ends when it is revoked": async (stage) => {
    const { page, go } = stage.visitor;
    const { service } = stage.demo;
    await go("?page=setup&_tab=keys");
    await button(page, "Create key").click();
    await page.getByLabel("Name", { exact: true }).fill("dashboard");
    await page.keyboard.press("Enter");
    const secret = (await page.locator("[data-secret]").textContent()) ?? "";
    // Shown this once: Escape alone does not take it away.
    await page.keyboard.press("Escape");
    await page.getByRole("alert").getByText("Have you kept it?").waitFor();
    await button(page, /^Copy/).click();
    await page.getByRole("status").getByText("Copied.", { exact: true }).waitFor();
    await button(page, "I have kept it").click();
    await button(page, "Create key").click();
    await page.getByLabel("Name", { exact: true }).press("Control+v");
    assert.equal(await page.getByLabel("Name", { exact: true }).inputValue(), secret);
    await page.keyboard.press("Escape");
    assert.ok(secret.length > 40 && !(await page.content()).includes(secret));
    const exchange = () => service.post("/v1/auth/accesskey/exchange", { token: secret });
    assert.equal((await exchange()).status, 200);
    const { keys } = await asked<{ keys: ListedKey[] }>(stage, "/v1/keys");
    assert.deepEqual(keys.find(({ name }) => name === "dashboard")?.scopes, ["read"]);
    await page.getByRole("columnheader", { name: "Calls today" }).waitFor();
    await button(page, "Revoke dashboard").click();
    await page.getByRole("dialog").getByRole("button", { name: "Revoke", exact: true }).click();
    await button(page, "Revoke dashboard").waitFor({ state: "detached" });
    assert.equal((await exchange()).status, 401);
  },

  "several keys are created from a list, kept as a file, and revoked together": async (stage) => {
    const { page, go } = stage.visitor;
    const { service } = stage.demo;
    await go("?page=setup&_tab=keys");
    await button(page, "Create several").click();
    await page.getByLabel("Names, one on each line").fill("lot a\n\n lot b \nlot a\nlot c");
    await button(page, "Create 3 keys").click();
    const dialog = page.getByRole("dialog", { name: "3 new keys" });
    await dialog.locator("[data-secret]").nth(2).waitFor();
    const secrets = await dialog.locator("[data-secret]").allTextContents();
    await page.keyboard.press("Escape");
    await dialog.getByRole("alert").getByText("Have you kept them?").waitFor();
    const saving = page.waitForEvent("download");
    await button(page, "Save as a file").click();
    const kept = readFileSync(await (await saving).path(), "utf8").replace("\ufeff", "");
    const [head, ...lines] = kept.trimEnd().split("\r\n");
    assert.equal(head, "name,key id,key,scopes,expires at");
    assert.deepEqual(
      lines.map((line) => line.split(",").filter((_, place) => place !== 1 && place !== 4)),
      ["lot a", "lot b", "lot c"].map((name, place) => [name, secrets[place], "read"]),
    );
    await button(page, "Copy all").click();
    await page.getByRole("status").getByText("Copied.", { exact: true }).waitFor();
    await button(page, "I have kept them").click();
    await dialog.waitFor({ state: "detached" });
    const exchanged = () =>
      Promise.all(secrets.map((token) => service.post("/v1/auth/accesskey/exchange", { token })));
    assert.deepEqual(
      (await exchanged()).map(({ status }) => status),
      [200, 200, 200],
    );
    await page.getByLabel("Select lot a").check();
    await page.getByLabel("Select lot c").check();
    await page.getByText("2 keys selected").waitFor();
    await button(page, "Revoke selected").click();
    await button(page, "Revoke 2 keys").click();
    await page.getByLabel("Select lot a").waitFor({ state: "detached" });
    assert.deepEqual(
      (await exchanged()).map(({ status }) => status),
      [401, 200, 401],
    );
  },

  "topics are pasted and merged, prompts paused and saved as CSV": async (stage) => {
    const { page, go } = stage.visitor;
    const before = await fileNow(stage);
    const [{ text: first = "", topic = "" } = {}] = before.prompts;
    await go("?page=setup&_tab=prompts");
    await button(page, "Add topics").click();
    const names = page.getByLabel("Names, one on each line");
    await names.fill(`Bulk one\n${topic.toUpperCase()}\nBulk two\nbulk one`);
    await page.getByText("2 lines left out").waitFor();
    await button(page, "Add 2 topics").click();
    await button(page, "Edit several").click();
    const dialog = page.getByRole("dialog", { name: "Edit several topics" });
    await dialog.getByRole("checkbox", { name: new RegExp(`^${topic} `) }).check();
    await dialog.getByRole("checkbox", { name: /^Bulk two/ }).check();
    await dialog.getByLabel("What happens to them").selectOption("Merge into Bulk one");
    await button(page, "Merge 2 topics").click();
    await page.getByLabel(`Select ${first}`).check();
    await page.getByLabel("Tags for the selected prompts").fill("buying");
    await button(page, "Add tags").click();
    await page.getByLabel(`Select ${first}`).check();
    await button(page, "Pause").click();
    const saving = page.waitForEvent("download");
    await button(page, "CSV").click();
    await page.getByRole("menuitem", { name: "CSV", exact: true }).click();
    const file = await saving;
    assert.match(file.suggestedFilename(), /^[\p{L}\p{N}-]+-prompts\.csv$/u);
    const [head, line = ""] = readFileSync(await file.path(), "utf8").split("\r\n");
    assert.equal(head, "\ufeffprompt,topic,tags,branded,paused");
    assert.ok(line.endsWith(",Bulk one,buying,,true"), line);
    await reviewAndSave(page);
    const after = await fileNow(stage);
    assert.ok(!after.topics.some(({ name }) => name === topic || name === "Bulk two"));
    const merged = after.prompts.filter((each) => each.topic === "Bulk one");
    const wanted = before.prompts.filter((each) => each.topic === topic);
    assert.deepEqual(
      merged.map(({ id }) => id),
      wanted.map(({ id }) => id),
    );
    const { paused, tags } = after.prompts.find(({ text }) => text === first) ?? {};
    assert.deepEqual([paused, tags], [true, ["buying"]]);
    await put(stage, "", before);
  },

  "a webhook is added, its secret shown once, and deleted": async (stage) => {
    const { page, go } = stage.visitor;
    await go("?page=setup&_tab=hooks");
    await button(page, "Add webhook").click();
    await page.getByLabel("Address").fill("https://10.0.0.1/x");
    await page.keyboard.press("Enter");
    await page.getByRole("alert").getByText("must not lead to a private address").waitFor();
    await page.getByLabel("Address").fill("https://hooks.example.com/sightline");
    await page.keyboard.press("Enter");
    const secret = (await page.locator("[data-secret]").textContent()) ?? "";
    assert.match(secret, /^whsec_/);
    await button(page, "I have kept it").click();
    await page
      .getByRole("cell", { name: /^https:\/\/hooks\.example\.com\/sightline by / })
      .waitFor();
    await button(page, "Deliveries").click();
    await page.getByText("Nothing was sent yet").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: /^Delete / }).click();
    await button(page, "Delete").click();
    await page.getByText("No webhooks yet").waitFor();
  },

  "the audit log says who changed what, with before and after": async (stage) => {
    const { page, go } = stage.visitor;
    const name = "a key that the log tells of";
    await stage.demo.service.key(stage.demo.accountId);
    await go("?page=setup&_tab=keys");
    await button(page, "Create key").click();
    await page.getByLabel("Name").fill(name);
    await page.keyboard.press("Enter");
    await button(page, "I have kept it").click();
    await go("?page=setup&_tab=audit");
    const table = page.getByRole("table", { name: "Audit log, newest first" });
    const row = table.locator("tbody tr").filter({ hasText: name });
    await row.getByRole("button", { name: "created a key" }).click();
    const after = table.locator("figure").filter({ hasText: "After" });
    assert.match((await after.textContent()) ?? "", /"scopes": "read/);
    await page.getByLabel("Which changes").selectOption("workspace.applied");
    await table.getByRole("button", { name: "changed what is tracked" }).first().waitFor();
    await row.waitFor({ state: "detached" });
    await page.getByLabel("Which changes").selectOption("account.deleted");
    await page.getByText("No such entries").waitFor();
    await page.getByLabel("Which changes").selectOption("");
    const saving = page.waitForEvent("download");
    await button(page, "NDJSON").click();
    const [first = ""] = readFileSync(await (await saving).path(), "utf8").split("\n");
    assert.equal((JSON.parse(first) as { sequence: number }).sequence, 1);
  },

  "a session that may only read sees what is tracked, and what it lacks": async (stage) => {
    const { demo } = stage;
    const { page, go } = await visit(stage.browser, demo);
    await page.goto(demo.origin);
    await signIn(page, await demo.service.key(demo.accountId, ["read"]));
    for (const [tab, what] of Object.entries({
      brand: "Changing what is tracked",
      imports: "Importing answers and listing imports",
      keys: "Listing and creating keys",
      hooks: "Listing and creating webhooks",
      audit: "Reading the audit log",
    })) {
      await go(`?page=setup&_tab=${tab}`);
      await page.getByText(`${what} needs a key with the scope`).waitFor();
    }
    await go("?page=setup");
    await page.getByRole("cell", { name: "Ridgeloom", exact: true }).waitFor();
    assert.equal(
      await page
        .locator("main")
        .getByRole("button", { name: /^Remove|Add/ })
        .count(),
      0,
    );
    await page.context().close();
  },

  "an empty account is led from the brand to numbers": async (stage) => {
    const { demo } = stage;
    const id = await demo.service.apply({ account: { name: "Acme" }, brand: { name: "Acme" } });
    const { page } = await visit(stage.browser, demo);
    await page.goto(demo.origin);
    await signIn(page, await demo.service.key(id, ["read", "import", "manage"]));
    await page.getByRole("link", { name: "Setup" }).click();
    assert.equal(await button(page, "Try sample answers").isDisabled(), true);
    assert.equal(await button(page, "Ask providers").isDisabled(), true);
    await button(page, "Names and domains").click();
    await page.getByLabel("Domains").fill("acme.example,");
    await button(page, "Done").click();
    await button(page, "Add competitor").click();
    await page.getByLabel("Name", { exact: true }).fill("Globex");
    await page.keyboard.press("Enter");
    await button(page, "Add prompts").click();
    await page.getByLabel("Prompts, one per line").fill("Which anvil?\n\nWhich rope?");
    await button(page, "Add 2 prompts").click();
    await reviewAndSave(page);
    await button(page, "Ask providers").click();
    await page.getByRole("dialog").getByText("No provider is declared").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("link", { name: "First steps" }).click();
    await button(page, "Try sample answers").click();
    await button(page, "See the overview").click();
    await demo.service.settle(id);
    await page.reload();
    await settled(page);
    const token = await demo.service.session(id);
    const { answers } = await asked<WorkspaceResponse>({ ...stage, token }, "/v1/workspace");
    assert.equal(answers.count, 2 * 3 * 12);
    await page
      .locator('li[data-metric="mentions"]')
      .getByText(`${answers.count} answers`)
      .waitFor();
    const notice = page.getByRole("complementary", { name: "Sample answers" });
    await notice.getByText(`These numbers include ${answers.count} sample answers.`).waitFor();
    assert.deepEqual(await violationsOf(page), []);
    await button(page, "Remove them").click();
    await notice.waitFor({ state: "detached" });
    await demo.service.settle(id);
    const after = await asked<WorkspaceResponse>({ ...stage, token }, "/v1/workspace");
    assert.deepEqual(after.answers, { count: 0, first: null, last: null });
    await page.reload();
    // The same steps as in Setup, in the same state.
    await page.getByRole("heading", { name: "Name the brand: Acme" }).waitFor();
    await button(page, "Try sample answers").waitFor();
    await page.context().close();
  },

  "prompts are pasted with their topics, and changed many at a time": async (stage) => {
    const { page, go } = stage.visitor;
    await go("?page=setup&_tab=prompts");
    const before = await fileNow(stage);
    await button(page, "Add prompts").click();
    const dialog = page.getByRole("dialog");
    const first = before.prompts[0]?.text ?? "";
    await dialog
      .getByLabel("Prompts, one per line")
      .fill(
        `1. Which basket is light?\tBaskets\n2. Which basket is wide?\tBaskets\n3. ${first}\tx`,
      );
    await dialog
      .getByText("1 line skipped: the prompt exists already.", { exact: false })
      .waitFor();
    await button(page, "Add 2 prompts").click();
    await page.getByLabel("Search prompts").fill("which basket");
    await page.getByLabel("Select Which basket is wide?").check();
    await page.getByLabel("Topic of the selected prompts").selectOption("No topic");
    await reviewAndSave(page);
    const after = await fileNow(stage);
    assert.deepEqual(
      after.prompts.filter(({ text }) => text.includes("basket")).map((each) => each.topic),
      ["Baskets", undefined],
    );
    assert.equal(after.prompts.length, before.prompts.length + 2);
    await page.getByLabel("Select all 2 prompts").check();
    await page.getByText("2 prompts selected").waitFor();
    await button(page, "Remove").click();
    await reviewAndSave(page);
    assert.deepEqual((await fileNow(stage)).prompts, before.prompts);
    await put(stage, "", before);
  },

  "axe finds nothing on any section, in both themes, and a phone shows all": async (stage) => {
    const { page, go, turnTo } = stage.visitor;
    await page.setViewportSize({ width: 360, height: 800 });
    const found: Record<string, readonly unknown[]> = {};
    await go("?page=setup");
    for (const tab of tabs) {
      await turnTo(`?page=setup&_tab=${tab}`);
      found[tab] = await violationsOf(page);
      assert.equal(await page.evaluate("document.documentElement.scrollWidth"), 360, tab);
      assert.deepEqual(await brokenWords(page), [], tab);
    }
    // The button at the end of a row is not cut, on the smallest phone and beside the list.
    await turnTo("?page=setup&_tab=keys");
    for (const width of [320, 900]) {
      await page.setViewportSize({ width, height: 800 });
      const cut = await page.locator("main table").evaluate(({ parentElement: frame }) => {
        return (frame?.scrollWidth ?? 0) - (frame?.clientWidth ?? 0);
      });
      assert.equal(cut, 0, `at ${width} px`);
    }
    await page.setViewportSize({ width: 360, height: 800 });
    await turnTo("?page=setup");
    await button(page, "Osierline").click();
    found["form"] = await violationsOf(page);
    const nothing = Object.fromEntries(Object.keys(found).map((name) => [name, []]));
    assert.deepEqual(found, nothing);
  },
};

test("the console's setup in a browser", async (t) => {
  const browser = await startBrowser(t, undefined, "the console");
  if (browser === null) return;
  const { origin, ...started } = await startDemo(fewAnswers);
  t.after(() => started.service.close());
  // As most who try it on a server of theirs see it: over http, by the server's name.
  const demo = { ...started, origin: origin.replace("127.0.0.1", insecureHost) };
  const token = await demo.service.session(demo.accountId, ["read", "import", "manage"]);
  const visitor = await visitSignedIn(browser, demo);
  assert.equal(await visitor.page.evaluate("isSecureContext"), false);
  for (const [name, run] of Object.entries(cases)) {
    await t.test(name, () => run({ browser, demo, token, visitor }));
  }
});
