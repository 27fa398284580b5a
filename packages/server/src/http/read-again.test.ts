import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { ConsoleFiles } from "../pages/console-files.ts";
import { Documents } from "../pages/documents.ts";

test("a file that could not be read once does not take the console away", async (context) => {
  const folder = await temporaryFolder(context);
  const files = new ConsoleFiles(folder);
  await mkdir(join(folder, "assets"));
  await writeFile(join(folder, "index.html"), "<!doctype html>");
  await unreadableFor(join(folder, "assets", "app.js"), () => files.page());
  assert.ok(await files.page());
  assert.ok(await files.asset("app.js"));
});

test("a file that could not be read once does not take the documents away", async (context) => {
  const folder = await temporaryFolder(context);
  const documents = new Documents({ pages: folder, apiPage: folder, console: folder }, false);
  await mkdir(join(folder, "guide"));
  await unreadableFor(join(folder, "guide", "start.md"), () => documents.page("/docs/guide/start"));
  assert.ok(await documents.page("/docs/guide/start"));
  assert.ok(await documents.apiPage());
});

/** A folder in the file's place fails its reading, as a lack of open files would. */
async function unreadableFor(file: string, read: () => Promise<unknown>): Promise<void> {
  await mkdir(file);
  await assert.rejects(read(), { code: "EISDIR" });
  await rm(file, { recursive: true });
  await writeFile(file, "# Start\n");
}

async function temporaryFolder(context: { after(run: () => Promise<void>): void }) {
  const folder = await mkdtemp(join(tmpdir(), "sightline-"));
  context.after(() => rm(folder, { recursive: true }));
  return folder;
}
