import assert from "node:assert/strict";
import { Writable } from "node:stream";
import { test } from "node:test";
import type { Output } from "../command-io.ts";
import { canRedraw, styled, terminalOf } from "./terminal.ts";

const pipe: Output = new Writable();
const screen: Output = Object.assign(new Writable(), { isTTY: true, columns: 100 });

test("the width: COLUMNS, else the terminal's, else 80; bounded", () => {
  const width = (stream: Output, COLUMNS?: string) => terminalOf(stream, { COLUMNS }).width;
  assert.equal(width(screen), 100);
  assert.equal(width(pipe), 80);
  assert.equal(width(screen, "60"), 60);
  assert.equal(width(pipe, "60"), 60);
  for (const wrong of ["", "0", "-5", "wide", "1e3"]) assert.equal(width(screen, wrong), 100);
  assert.equal(width(screen, "3"), 20);
  assert.equal(width(Object.assign(new Writable(), { isTTY: true, columns: 0 })), 80);
  assert.equal(width(screen, "100000"), 500);
});

/** Environment, and whether a terminal and a pipe are written to in colour. */
const colours: readonly (readonly [Record<string, string>, boolean, boolean])[] = [
  [{ TERM: "xterm" }, true, false],
  [{}, true, false],
  [{ TERM: "dumb" }, false, false],
  [{ NO_COLOR: "1" }, false, false],
  [{ NO_COLOR: "" }, true, false],
  [{ FORCE_COLOR: "1" }, true, true],
  [{ FORCE_COLOR: "" }, true, true],
  [{ FORCE_COLOR: "0" }, false, false],
  [{ FORCE_COLOR: "false" }, false, false],
  [{ FORCE_COLOR: "1", TERM: "dumb" }, true, true],
  [{ FORCE_COLOR: "1", NO_COLOR: "1" }, false, false],
];

for (const [environment, onScreen, inPipe] of colours) {
  test(`colour with ${JSON.stringify(environment)}`, () => {
    assert.equal(terminalOf(screen, environment).colour, onScreen);
    assert.equal(terminalOf(pipe, environment).colour, inPipe);
  });
}

test("a style is written where there is colour alone", () => {
  const plain = { width: 80, colour: false, isTerminal: true };
  assert.equal(styled(plain, "red", "a"), "a");
  assert.equal(styled({ ...plain, colour: true }, "red", "a"), "\u001b[31ma\u001b[39m");
  assert.equal(styled({ ...plain, colour: true }, undefined, "a"), "a");
});

test("lines are written over on a terminal that can, and nowhere else", () => {
  assert.equal(canRedraw(screen, { TERM: "xterm" }), true);
  assert.equal(canRedraw(screen, { TERM: "dumb" }), false);
  assert.equal(canRedraw(pipe, { TERM: "xterm" }), false);
});
