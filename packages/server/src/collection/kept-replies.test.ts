import assert from "node:assert/strict";
import { test } from "node:test";
import { zstdCompressSync } from "node:zlib";
import fc from "fast-check";
import {
  firstPaid,
  isDamage,
  type KeptExchange,
  packed,
  paidOf,
  unpacked,
} from "./kept-replies.ts";

const sampleExchange = {
  request: { method: "POST" as const, host: "api.example.com", path: "/", isPaid: true },
  reply: { status: 200, headers: {}, body: "{}" },
  at: 1,
};
const exchange = fc.record(
  {
    request: fc.record(
      {
        method: fc.constantFrom("GET" as const, "POST" as const),
        host: fc.constant("api.example.com"),
        path: fc.string(),
        isPaid: fc.boolean(),
      },
      { noNullPrototype: true },
    ),
    reply: fc.record(
      { status: fc.nat(), headers: fc.constant({}), body: fc.string() },
      { noNullPrototype: true },
    ),
    at: fc.nat(),
    attempt: fc.nat({ max: 4 }),
  },
  { noNullPrototype: true },
);
const exchanges = fc.array(exchange, { maxLength: 12 });

test("packed exchanges unpack to the same", async () => {
  const property = fc.asyncProperty(exchanges, async (kept: readonly KeptExchange[]) => {
    assert.deepEqual(await unpacked(await packed(kept)), kept);
  });
  await fc.assert(property, { numRuns: 50 });
});

test("damaged bytes are told from a machine that could not unpack them", async () => {
  const whole = await packed([{ ...sampleExchange, attempt: 0 }]);
  const damaged = [whole.subarray(0, -3), whole.map((byte, at) => (at === 6 ? ~byte : byte))];
  const others = [new Uint8Array(), Buffer.from("[]"), zstdCompressSync("[{")];
  for (const body of [...damaged, ...others]) assert.equal(await unpacked(body), null);
  const failures = ["ZSTD_error_memory_allocation", "ERR_MEMORY_ALLOCATION_FAILED", "EIO"];
  for (const code of failures) assert.equal(isDamage(Object.assign(new Error(), { code })), false);
  assert.equal(isDamage(new RangeError("Array buffer allocation failed")), false);
});

test("the first paid exchanges end right before the next paid one", () => {
  const property = fc.property(exchanges, fc.nat({ max: 8 }), (kept, paid) => {
    const first = firstPaid(kept, paid);
    assert.deepEqual(first, kept.slice(0, first.length));
    assert.equal(paidOf(first), Math.min(paid, paidOf(kept)));
    const next = kept[first.length];
    assert.ok(next === undefined || next.request.isPaid);
  });
  fc.assert(property);
});
