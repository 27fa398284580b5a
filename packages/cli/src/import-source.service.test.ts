import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { temporaryFolder } from "@sightline/test-kit/test-service.ts";
import { openSource } from "./import-source.ts";

test("a file tells its place, also when it has grown; a pipe has none", async (t) => {
  const folder = temporaryFolder();
  t.after(() => rmSync(folder, { recursive: true }));
  const [file, pipe] = [join(folder, "file"), join(folder, "pipe")];
  const places = async (name: string, write: () => unknown) => {
    const { chunks, placeText } = await openSource(name);
    const before = placeText();
    write();
    for await (const _ of chunks); // to its end
    return [before, placeText()];
  };
  writeFileSync(file, "four");
  assert.deepEqual(await places(file, () => undefined), ["0 %, ", "100 %, "]);
  assert.deepEqual(await places(file, () => writeFileSync(file, "ten letters")), [
    ...["0 %, ", "100 %, "],
  ]);
  assert.equal(spawnSync("mkfifo", [pipe]).status, 0);
  assert.deepEqual(await places(pipe, () => void writeFile(pipe, "some")), ["", ""]);
});
