import assert from "node:assert/strict";
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { temporaryFolder } from "@sightline/test-kit/test-service.ts";
import { nameOf, type Page, readPages, root } from "./documents/blocks.ts";
import { checkCollection } from "./documents/check-collection.ts";
import { checkDashboard } from "./documents/check-dashboard.ts";
import { checkPage } from "./documents/check-page.ts";
import { notRun, notRunEntry } from "./documents/not-run.ts";
import { notebookProgram } from "./documents/notebook-program.ts";
import { serviceOf } from "./documents/page-shell.ts";
import { programsOf, runPrograms } from "./documents/run-programs.ts";
import { type SharedServices, startShared } from "./documents/served-pages.ts";
import { hasTool } from "./documents/tools.ts";

const pages = readPages();
const start = pages.find(({ path }) => path === "docs/guide/start.md");

describe("snippets of the documents", { concurrency: 3 }, () => {
  const folder = temporaryFolder();
  let shared: SharedServices;
  before(async () => {
    assert.ok(start !== undefined);
    shared = await startShared(folder, start);
  });
  after(async () => {
    await shared.close();
    rmSync(folder, { recursive: true });
  });
  for (const [index, page] of pages.filter(({ blocks }) => blocks.length > 0).entries()) {
    test(page.path, async (t) => {
      const uses = (tool: string) =>
        page.blocks.some(({ text }) => new RegExp(`^${tool} `, "m").test(text));
      if (["jq", "python3"].some((tool) => uses(tool) && !hasTool(t, tool))) return;
      const own = join(folder, String(index));
      mkdirSync(own);
      await checkPage(page, { folder: own, shared });
    });
  }
  test("programs in the pages, and the notebook", async (t) => {
    const programs = [...pages.flatMap(programsOf), notebookProgram()].filter(
      ({ language }) => language !== "python" || hasTool(t, "python3"),
    );
    const asked = programs.map((block) => ({
      block,
      service: serviceOf({ path: block.page }, shared),
    }));
    await runPrograms(asked);
  });
  test("Grafana's dashboard", async (t) => {
    if (hasTool(t, "jq")) await checkDashboard(shared.demo);
  });
  test("the Postman collection", () => checkCollection(shared.demo));
});

test("the examples by hand of the metrics are about the answers of the first guide", () => {
  const [, file = ""] = /answers\.ndjson <<'END'\n([\s\S]*?)^END$/m.exec(textOf(start)) ?? [];
  const answers = file
    .trim()
    .split("\n")
    .map((line) => answerRow(JSON.parse(line)));
  // The page of what is said shows texts in place of those answers.
  const metrics = pages.filter(({ path }) => /^docs\/metrics\/(?!portrayal)/.test(path));
  assert.equal(metrics.length, 5); // the four and their counts
  for (const { path } of metrics) {
    const rows = readFileSync(join(root, path), "utf8").matchAll(/^\| \d \| (.+) \|$/gm);
    assert.deepEqual(
      [...rows].map(([, row]) => row),
      answers,
      path,
    );
  }
});

/** An answer as the metrics' tables show it. */
function answerRow({ provider, region, answeredAt, text, citations }: Answer): string {
  const day = `${Number(answeredAt.slice(8, 10))} January, ${answeredAt.slice(11, 16)}`;
  const who = [provider, region, day].filter((part) => part !== undefined).join(", ");
  const urls = (citations ?? []).map(({ url }) => `\`${url.replace("https://", "")}\``);
  return [who, text, urls.join(", ") || "none"].join(" | ");
}

interface Answer {
  readonly provider: string;
  readonly region?: string;
  readonly answeredAt: string;
  readonly text: string;
  readonly citations?: readonly { readonly url: string }[];
}

function textOf(page: Page | undefined): string {
  return (page?.blocks ?? []).map(({ text }) => text).join("");
}

test("what is listed as not run is there, and says why", (t) => {
  const blocks = pages.flatMap((page) => page.blocks);
  const found = blocks.filter((block) => notRunEntry(block) !== undefined);
  for (const block of found) t.diagnostic(`not run: ${nameOf(block)}`);
  const used = new Set(found.map(notRunEntry));
  const paths = new Set(pages.map(({ path }) => path));
  assert.deepEqual(
    notRun.filter((entry) => paths.has(entry.page) && !used.has(entry)),
    [],
  );
  for (const { reason } of notRun) assert.match(reason, /^\w.{10,}[^.]$/);
});
