import assert from "node:assert/strict";
import { PassThrough } from "node:stream";
import { test } from "node:test";
import { type Output, processIo } from "../command-io.ts";
import { progressLine } from "./progress-line.ts";

function written(isTTY: boolean, TERM: string, prints?: { readonly isTTY: boolean }): string {
  const stream = new PassThrough();
  const stderr: Output = Object.assign(stream, { isTTY, columns: 20 });
  const stdout: Output = Object.assign(new PassThrough(), { isTTY: prints?.isTTY ?? isTTY });
  const io = { ...processIo, stdout, stderr, environment: { TERM } };
  const line = progressLine(io, prints !== undefined);
  line.end();
  line.update("answers.ndjson: 10 %");
  line.update("done");
  line.end();
  line.end();
  return String(stream.read() ?? "");
}

test("a line is written over, cut to one row, and taken away once", () => {
  const clear = "\r\u001b[K";
  assert.equal(written(true, "xterm"), `${clear}answers.ndjson: 10…${clear}done${clear}`);
});

test("nothing is written between the lines of work that prints to the same terminal", () => {
  assert.equal(written(true, "xterm", { isTTY: true }), "");
  assert.notEqual(written(true, "xterm", { isTTY: false }), "");
});

test("nothing is written where no line can be written over", () => {
  assert.equal(written(false, "xterm"), "");
  assert.equal(written(true, "dumb"), "");
});
