import assert from "node:assert/strict";
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { temporaryFolder } from "@sightline/server/test/test-service.ts";
import { nameOf, readPages } from "./documents/blocks.ts";
import { checkPage } from "./documents/check-page.ts";
import { notRun, notRunEntry } from "./documents/not-run.ts";
import { serviceOf } from "./documents/page-shell.ts";
import { programLanguages, runPrograms } from "./documents/run-programs.ts";
import { type SharedServices, startShared } from "./documents/served-pages.ts";

const pages = readPages();
const start = pages.find(({ path }) => path === "docs/guide/start.md");

describe("snippets of the documents", { concurrency: 3 }, () => {
  const folder = temporaryFolder();
  let shared: SharedServices;
  before(async () => {
    assert.ok(start !== undefined);
    // What is compiled once serves all commands: starting them takes most of the time.
    process.env["NODE_COMPILE_CACHE"] = join(folder, "compiled");
    shared = await startShared(folder, start);
  });
  after(async () => {
    await shared.close();
    rmSync(folder, { recursive: true });
  });
  for (const [index, page] of pages.filter(({ blocks }) => blocks.length > 0).entries()) {
    test(page.path, async () => {
      const own = join(folder, String(index));
      mkdirSync(own);
      await checkPage(page, { folder: own, shared });
    });
  }
  test("programs in the pages", async () => {
    const programs = pages.flatMap((page) =>
      page.blocks
        .filter((block) => programLanguages.includes(block.language))
        .filter((block) => notRunEntry(block) === undefined)
        .map((block) => ({ block, service: serviceOf(page, shared) })),
    );
    await runPrograms(programs);
  });
});

test("what is listed as not run is there, and says why", (t) => {
  const blocks = pages.flatMap((page) => page.blocks);
  const found = blocks.filter((block) => notRunEntry(block) !== undefined);
  for (const block of found) t.diagnostic(`not run: ${nameOf(block)}`);
  const used = new Set(found.map(notRunEntry));
  assert.deepEqual(
    notRun.filter((entry) => !used.has(entry)),
    [],
  );
  for (const { reason } of notRun) assert.match(reason, /^\w.{10,}[^.]$/);
});
