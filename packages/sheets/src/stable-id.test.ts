import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import fc from "fast-check";
import { stableId } from "./stable-id.ts";

const namespace = Buffer.from("5a0ba38e6d1f5f0c9d4e2f4f3a3f7c12", "hex");

/** UUIDv5 by another implementation of SHA-1. */
function expected(name: string): string {
  const bytes = createHash("sha1").update(namespace).update(name).digest().subarray(0, 16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x50;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

test("an id is a UUIDv5 of the columns and their cells, and a UUID alone stays", () => {
  const cell = fc.string({ unit: "grapheme", minLength: 1, maxLength: 200 });
  fc.assert(
    fc.property(fc.array(cell, { minLength: 2, maxLength: 4 }), (cells) => {
      const named = cells.map((each, place) => ({ name: `c${place}`, cell: each }));
      const name = named.map((each) => `${each.name}=${each.cell}`).join("\n");
      assert.equal(stableId(named), expected(name));
    }),
  );
  const uuid = "3F0C8F0E-5A0F-4A52-9D0A-0D5B6F1C2A11";
  assert.equal(stableId([{ name: "id", cell: uuid }]), uuid.toLowerCase());
  assert.equal(stableId([{ name: "id", cell: "7" }]), expected("id=7"));
  assert.equal(stableId([{ name: "id", cell: "" }]), null);
});
