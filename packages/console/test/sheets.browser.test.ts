import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import type { DeclaredWorkspaceResponse, ListedImport } from "@sightline/client";
import type { SheetMapping } from "@sightline/sheets";
import { startBrowser } from "@sightline/test-kit/browser.ts";
import {
  type Cells,
  csvOf,
  elmoTables,
  peecColumns,
  peecRows,
} from "@sightline/test-kit/foreign-exports.ts";
import { serialOf, workbook } from "@sightline/test-kit/workbook-file.ts";
import type { Browser, Page } from "playwright-core";
import { brokenWords } from "./broken-words.ts";
import { type DemoService, startDemo } from "./demo-service.ts";
import { type Visitor, violationsAtBoth, visitSignedIn } from "./visitor.ts";

const fewAnswers = 30;

interface Stage {
  readonly browser: Browser;
  readonly demo: DemoService;
  readonly token: string;
  readonly visitor: Visitor;
  /** A prompt that is tracked. */
  readonly prompt: string;
}

const button = (page: Page, name: string | RegExp) =>
  page.getByRole("button", { name, exact: true });

async function asked<Reply>({ demo, token }: Stage, path: string): Promise<Reply> {
  const headers = { authorization: `Bearer ${token}` };
  const reply = await demo.service.request("GET", path, { headers });
  assert.equal(reply.status, 200, reply.body);
  return reply.json<Reply>();
}

async function newest(stage: Stage): Promise<ListedImport | undefined> {
  return (await asked<{ imports: ListedImport[] }>(stage, "/v1/imports")).imports[0];
}

async function drop({ visitor: { page, go } }: Stage, name: string, content: Buffer) {
  await go("?page=setup&_tab=imports");
  const files = page.getByLabel("Files of answers");
  await files.setInputFiles({ name, mimeType: "application/octet-stream", buffer: content });
  await page.getByRole("dialog", { name: `Import ${name}` }).waitFor();
}

/** Texts of a table's rows, their cells separated by bars. */
async function rowsOf(page: Page, caption: string): Promise<readonly string[]> {
  const rows = page.getByRole("table", { name: caption }).locator("tbody tr");
  const cells: string[][] = [];
  for (const row of await rows.all()) cells.push(await row.locator("td").allInnerTexts());
  return cells.map((each) => each.map((cell) => cell.trim()).join(" | "));
}

const german = (prompt: string) =>
  Buffer.from(
    "Woche 44\r\n" +
      "Frage;Anbieter;Datum;Antwort;Quellen;Thema\r\n" +
      `${prompt};ChatGPT;02.11.2026 09:30;"Für Größe: Tarnfell;\nsonst keine.";` +
      "https://globex.example/ https://acme.example/\r\n" +
      `${prompt};Google AI Mode;02.11.2026 09:30;Tarnfell.;\r\n` +
      `${prompt};Googel;02.11.2026 09:30;Tarnfell.;\r\n` +
      `${prompt};Claude;bald;Tarnfell.;\r\n` +
      "Welche Kiste?;Claude;02.11.2026 10:30;Tarnfell.;;Möbel\r\n" +
      "Welche Truhe?;Claude;02.11.2026 10:30;Tarnfell.;;Möbel\r\n" +
      "Welche Bank?;Claude;02.11.2026 10:30;Tarnfell.;;\r\n",
    "latin1",
  );

const cases: Readonly<Record<string, (stage: Stage) => Promise<void>>> = {
  "a German Excel's file is asked about, mended and imported": async (stage) => {
    const { page, faults, foreign } = stage.visitor;
    const name = "Woche 44.csv";
    await drop(stage, name, german(stage.prompt));
    const dialog = page.getByRole("dialog");
    // The bytes prove no encoding: what the cells are shown in is not chosen for their reader.
    const encoding = dialog.getByLabel("Encoding");
    await dialog.getByText("shown as Western European (Windows-1252)").waitFor();
    assert.equal(await encoding.inputValue(), "");
    await button(page, "Next").click();
    await dialog.getByText("Choose these first: the encoding.").waitFor();
    await encoding.selectOption("windows-1252");
    await dialog.getByText("The cells below are shown as").waitFor({ state: "detached" });
    assert.equal(await dialog.getByLabel("Separator").inputValue(), ";");
    assert.equal(await dialog.getByLabel("Names of columns").inputValue(), "2");
    assert.equal(await dialog.getByLabel("What Antwort is").inputValue(), "text");
    await dialog.getByText("Für Größe: Tarnfell;").waitFor();
    await button(page, "Next").click();
    // Nothing is chosen for its reader.
    const zone = dialog.getByLabel("Which time zone is “02.11.2026 09:30” in?");
    const googel = dialog.getByLabel("Which provider is “Googel”?");
    await zone.waitFor();
    assert.deepEqual([await zone.inputValue(), await googel.inputValue()], ["", ""]);
    await button(page, "Next").click();
    await dialog
      .getByText("Choose these first: the order of dates, the time zone, “Googel”.")
      .waitFor();
    await dialog.getByLabel("Which day is “02.11.2026 09:30”?").selectOption("dmy");
    await zone.selectOption("Europe/Berlin");
    await googel.selectOption("GEMINI");
    await button(page, "Next").click();
    await dialog.getByText("6 answers can be imported, 1 row cannot.").waitFor();
    const at = "2 Nov 2026, 08:30";
    const text = "Für Größe: Tarnfell; sonst keine.";
    // The column that matters least has no place: what it says stands below the prompt.
    const country = "\nCountry\n–";
    assert.deepEqual(await rowsOf(page, "The first answers as they will be read"), [
      `3 | ${stage.prompt}${country} | ChatGPT | ${at} | – | ${text} | 2`,
      `4 | ${stage.prompt}${country} | Google AI Mode | ${at} | – | Tarnfell. | 0`,
      `5 | ${stage.prompt}${country} | Gemini | ${at} | – | Tarnfell. | 0`,
      ...["7 | Welche Kiste?", "8 | Welche Truhe?", "9 | Welche Bank?"].map(
        (row) => `${row}${country} | Claude | 2 Nov 2026, 09:30 | – | Tarnfell. | 0`,
      ),
    ]);
    // An answer can be looked at again, and changed.
    await button(page, "Back").click();
    assert.equal(await zone.inputValue(), "Europe/Berlin");
    await button(page, "Next").click();
    await dialog.getByLabel("Row 6, Datum").fill("02.11.2026 11:30");
    await dialog.getByLabel("Tracked prompt for Welche Kiste?").fill(stage.prompt);
    await button(page, "Check again").click();
    await dialog.getByText("7 answers can be imported, 0 rows cannot.").waitFor();
    // The others are tracked in one step, with the topic of the file.
    await dialog.getByLabel("Add Welche Bank?").uncheck();
    await button(page, "Add 1 prompt …").click();
    const review = page.getByRole("dialog", { name: "Prompts to track" });
    await review.getByText("Welche Truhe?").waitFor();
    assert.deepEqual(await review.locator("li").allInnerTexts(), [
      ...["topic\nMöbel", "prompt\nWelche Truhe?"],
    ]);
    await button(page, "Save").click();
    await review.waitFor({ state: "detached" });
    await dialog.getByLabel("Add Welche Truhe?").waitFor({ state: "detached" });
    await button(page, "Import 7 answers").click();
    const card = page.getByRole("region", { name: `Import of ${name}` });
    await card.getByText("Accepted").waitFor();
    assert.deepEqual(await card.locator("dd").allInnerTexts(), ["6", "0", "1", "0"]);
    const { source, accepted, rejected } = (await newest(stage)) ?? {};
    assert.deepEqual([source, accepted, rejected], [name, 6, 1]);
    assert.deepEqual([faults, foreign], [[], []]);
  },

  "a workbook is mapped by keyboard, and its faults have its rows": async (stage) => {
    const { page } = stage.visitor;
    const answered = { serial: serialOf("2026-11-03T09:30:00") };
    const rows = [
      ["Question", "Who", "When", "Said"],
      [stage.prompt, "Perplexity", answered, "Tarnfell & Söhne"],
      ["Never asked?", "Perplexity", answered, "Tarnfell"],
    ];
    const sheets = [
      { name: "Notes", rows: [["x"]] },
      { name: "Answers", rows },
    ];
    await drop(stage, "answers.xlsx", Buffer.from(workbook(sheets)));
    const dialog = page.getByRole("dialog");
    const chosen = async (label: string, keys: readonly string[]) => {
      await dialog.getByLabel(label).focus();
      for (const key of keys) await page.keyboard.press(key);
    };
    assert.equal(await dialog.getByLabel("Sheet").inputValue(), "");
    await chosen("Sheet", ["A"]);
    await dialog.getByRole("cell", { name: "Who", exact: true }).waitFor();
    assert.equal(await dialog.getByLabel("What Who is").inputValue(), "provider");
    assert.equal(await dialog.getByLabel("What Question is").inputValue(), "prompt");
    assert.equal(await dialog.getByLabel("What When is").inputValue(), "answeredAt");
    await button(page, "Next").focus();
    await page.keyboard.press("Enter");
    await dialog
      .getByText("Choose these first: the row that names the columns, the answer.")
      .waitFor();
    await chosen("Names of columns", ["R"]);
    assert.equal(await dialog.getByLabel("Names of columns").inputValue(), "1");
    await chosen("What Said is", ["A", "n", "s"]);
    assert.equal(await dialog.getByLabel("What Said is").inputValue(), "text");
    await button(page, "Next").focus();
    await page.keyboard.press("Enter");
    await chosen("Which time zone is “2026-11-03T09:30:00” in?", ["U", "T", "C"]);
    await button(page, "Next").focus();
    await page.keyboard.press("Enter");
    await button(page, "Import 2 answers").waitFor();
    assert.equal(await page.evaluate("document.activeElement.dataset.title"), "true");
    await button(page, "Import 2 answers").focus();
    await page.keyboard.press("Enter");
    const card = page.getByRole("region", { name: "Import of answers.xlsx" });
    await card.getByRole("columnheader", { name: "Row" }).waitFor();
    assert.match((await rowsOf(page, "Rejected lines"))[0] ?? "", /^3 \| prompt /);
    assert.deepEqual(await card.locator("dd").allInnerTexts(), ["1", "0", "1", "0"]);
  },

  "which day a date is, and what a row is, is asked of the reader": async (stage) => {
    const { page } = stage.visitor;
    const row = (url: string) => `${stage.prompt}\tGrok\t03/04/2026 9:30 AM\tx\t${url}\n`;
    const urls = ["https://globex.example/a", "https://globex.example/b"];
    const text = `prompt\tprovider\tdate\ttext\turl\n${urls.map(row).join("")}`;
    await drop(stage, "sources.tsv", Buffer.from(text, "utf16le"));
    const dialog = page.getByRole("dialog");
    assert.equal(await dialog.getByLabel("Encoding").inputValue(), "utf-16le");
    await button(page, "Next").click();
    await dialog.getByLabel("What are rows 2 and 3?").selectOption("Sources of one answer");
    const order = dialog.getByLabel("Which day is “03/04/2026 9:30 AM”?");
    assert.deepEqual(await order.locator("option").allInnerTexts(), [
      ...["Choose …", "3 Apr 2026 (day first)", "4 Mar 2026 (month first)"],
    ]);
    await order.selectOption("mdy");
    await dialog.getByLabel(/time zone/).selectOption("UTC");
    await button(page, "Next").click();
    await dialog.getByText("1 answer can be imported, 0 rows cannot.").waitFor();
    assert.deepEqual(await rowsOf(page, "The first answers as they will be read"), [
      `2 | ${stage.prompt} | Grok | 4 Mar 2026, 09:30 | – | x | 2`,
    ]);
    const saving = page.waitForEvent("download");
    await button(page, "Save the mapping").click();
    const { columns, dateOrder, rowIs } = JSON.parse(
      readFileSync(await (await saving).path(), "utf8"),
    ) as SheetMapping;
    assert.deepEqual([columns.citations, dateOrder, rowIs], ["E", "mdy", "citation"]);
    // What is cut off is sent again, as it was mapped.
    await page.route("**/v1/answers?*", (route) => route.abort());
    await button(page, "Import 1 answer").click();
    const card = page.getByRole("region", { name: "Import of sources.tsv" });
    await card.getByText("The connection was lost.").waitFor();
    await page.unroute("**/v1/answers?*");
    await button(page, "Send again").click();
    await card.getByText("Accepted").waitFor();
    assert.deepEqual(await card.locator("dd").allInnerTexts(), ["1", "0", "0", "0"]);
  },

  "tables of an export are one import, with the tags of prompts that are added": async (stage) => {
    const { page, go } = stage.visitor;
    await go("?page=setup&_tab=imports");
    const files = Object.entries(elmoTables).map(([name, rows]: [string, readonly Cells[]]) => ({
      name: `${name}.csv`,
      mimeType: "text/csv",
      buffer: Buffer.from(csvOf(Object.keys(rows[0] ?? {}), rows)),
    }));
    await page.getByLabel("Files of answers").setInputFiles(files);
    const dialog = page.getByRole("dialog", { name: "Import prompt_runs.csv and 4 more" });
    await dialog.getByText("This is an export of Elmo: its columns are filled in.").waitFor();
    await button(page, "Next").click();
    await dialog.getByText("1 answer can be imported, 0 rows cannot.").waitFor();
    const added = await rowsOf(page, "Prompts that are not tracked");
    assert.match(added.join(), /What is the best anvil\?.*\ba\b/s);
    await button(page, "Add 1 prompt …").click();
    await button(page, "Save").click();
    await page.getByRole("table", { name: "Prompts that are not tracked" }).waitFor({
      state: "detached",
    });
    await button(page, "Import 1 answer").click();
    const card = page.getByRole("region", { name: "Import of prompt_runs.csv and 4 more" });
    await card.getByText("Accepted").waitFor();
    assert.deepEqual(await card.locator("dd").allInnerTexts(), ["1", "0", "0", "0"]);
    const { prompts } = await asked<DeclaredWorkspaceResponse>(stage, "/v1/workspace/file");
    const own = prompts.find(({ text }) => text === "What is the best anvil?");
    assert.deepEqual(own?.tags, ["a"]);
  },

  "an export without answers has prompts to track, and a database is the command's": async (
    stage,
  ) => {
    const { page } = stage.visitor;
    await drop(stage, "peec.csv", Buffer.from(csvOf(peecColumns, peecRows)));
    const dialog = page.getByRole("dialog", { name: "Import peec.csv" });
    await dialog.getByText("This export of Peec has no answers.").waitFor();
    const [row] = await rowsOf(page, "Prompts that are not tracked");
    assert.match(row ?? "", /Which hammer\?.*Hammers/s);
    assert.deepEqual(await violationsAtBoth(page), []);
    await button(page, "Add 1 prompt …").click();
    await button(page, "Save").click();
    await dialog.getByText("2 prompts of it, 2 tracked.").waitFor();
    await button(page, "Close").last().click();
    await dialog.waitFor({ state: "detached" });
    const { prompts } = await asked<DeclaredWorkspaceResponse>(stage, "/v1/workspace/file");
    const own = prompts.find(({ text }) => text === "Which hammer?");
    assert.deepEqual([own?.topic, own?.paused], ["Hammers", true]);
    await drop(stage, "canonry.db", Buffer.from("SQLite format 3\0"));
    await page.getByText("is a database of SQLite, which browsers do not read.").waitFor();
    await button(page, "Cancel").click();
  },

  "closing asks, in words too where the tab is closed": async (stage) => {
    const { page } = stage.visitor;
    await drop(stage, "a.tsv", Buffer.from("prompt\tprovider\tdate\ttext\n"));
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Separator").waitFor();
    await page.keyboard.press("Escape");
    await dialog.getByText("Close without importing? What you said").waitFor();
    await button(page, "Keep it open").click();
    const asks = page.waitForEvent("dialog");
    const reload = page.reload().catch(() => undefined);
    const leaving = await asks;
    assert.equal(leaving.type(), "beforeunload");
    await leaving.accept();
    await reload;
    await drop(stage, "a.tsv", Buffer.from("prompt\tprovider\tdate\ttext\n"));
    await dialog.getByLabel("Separator").waitFor();
    await button(page, "Close").click();
    await button(page, "Close without importing").click();
    await dialog.waitFor({ state: "detached" });
  },

  "a file that is none is refused in words, and Sightline's own CSV is not asked about": async (
    stage,
  ) => {
    const { page, go } = stage.visitor;
    await drop(stage, "old.xls", Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0, 0]));
    await page.getByText("This is a workbook of Excel 97 (.xls)").waitFor();
    await button(page, "Cancel").click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    const own = `prompt,provider,answeredAt,text\n${stage.prompt},GROK,2026-11-01T08:00:00Z,x\n`;
    await go("?page=setup&_tab=imports");
    const file = { name: "own.csv", mimeType: "text/csv", buffer: Buffer.from(own) };
    await page.getByLabel("Files of answers").setInputFiles(file);
    await page.getByRole("region", { name: "Import of own.csv" }).getByText("Accepted").waitFor();
  },

  "axe finds nothing on any step, and a phone shows all": async (stage) => {
    const { page } = stage.visitor;
    await page.setViewportSize({ width: 360, height: 800 });
    const found: Record<string, readonly unknown[]> = {};
    await drop(stage, "Woche 44.csv", german(stage.prompt));
    const dialog = page.getByRole("dialog");
    const look = async (step: string) => {
      found[step] = [...(await violationsAtBoth(page)), ...(await brokenWords(page))];
      assert.equal(await page.evaluate("document.documentElement.scrollWidth"), 360, step);
    };
    await dialog.getByLabel("What Antwort is").waitFor();
    await look("columns");
    await dialog.getByLabel("Encoding").selectOption("windows-1252");
    await button(page, "Next").click();
    await dialog.getByLabel(/Which day/).selectOption("dmy");
    await dialog.getByLabel(/time zone/).selectOption("UTC");
    await dialog.getByLabel(/Googel/).selectOption("none");
    await look("questions");
    await button(page, "Next").click();
    await dialog.getByText("5 answers can be imported, 2 rows cannot.").waitFor();
    await look("check");
    assert.deepEqual(found, { columns: [], questions: [], check: [] });
  },
};

test("spreadsheets in a browser", async (t) => {
  const browser = await startBrowser(t, undefined, "spreadsheets in the console");
  if (browser === null) return;
  const demo = await startDemo(fewAnswers);
  t.after(() => demo.service.close());
  const token = await demo.service.session(demo.accountId, ["read", "import", "manage"]);
  const visitor = await visitSignedIn(browser, demo);
  const headers = { authorization: `Bearer ${token}` };
  const reply = await demo.service.request("GET", "/v1/workspace/file", { headers });
  const { text: prompt = "" } = reply.json<DeclaredWorkspaceResponse>().prompts[0] ?? {};
  for (const [name, run] of Object.entries(cases)) {
    await t.test(name, () => run({ browser, demo, token, visitor, prompt }));
  }
});
