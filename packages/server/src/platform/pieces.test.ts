import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { Pieces } from "./pieces.ts";

test("stretches have all bytes in their order, and none is longer than it may be", () => {
  const arbitraryParts = fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 12 });
  const property = fc.property(arbitraryParts, fc.integer({ min: 1, max: 30 }), (bytes, most) => {
    const pieces = new Pieces(bytes.map((each) => Buffer.from(each)));
    const stretches = [...pieces.stretches(most)];
    assert.ok(Buffer.concat(stretches).equals(pieces.whole()));
    for (const { length } of stretches) assert.ok(length >= 1 && length <= most, `${length}`);
  });
  fc.assert(property, { numRuns: 500, seed: 20_260_101, endOnFailure: true });
});

test("a piece that is long enough is not copied", () => {
  const piece = Buffer.alloc(100);
  const [first] = new Pieces([piece]).stretches(100);
  assert.equal(first?.buffer, piece.buffer);
});
