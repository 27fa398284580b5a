import assert from "node:assert/strict";
import type { LookupAddress } from "node:dns";
import type { LookupFunction } from "node:net";
import { test } from "node:test";
import { isPublicAddress, PrivateAddressError, publicLookup } from "./public-address.ts";

/** What a name server says, which is `addresses`. */
function lookupOf(...addresses: readonly string[]): LookupFunction {
  return (_hostname, _options, callback) =>
    callback(
      null,
      addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 })),
    );
}

function found(lookup: LookupFunction, all: boolean): Promise<string | LookupAddress[]> {
  return new Promise((resolve, reject) => {
    publicLookup(lookup)("example.com", { all }, (error, address) => {
      if (error === null) resolve(address);
      else reject(error);
    });
  });
}

test("a name leads to its public addresses alone", async () => {
  const mixed = lookupOf("127.0.0.1", "::ffff:10.0.0.1", "8.8.8.8", "fd00::1");
  assert.deepEqual(await found(mixed, true), [{ address: "8.8.8.8", family: 4 }]);
  assert.equal(await found(mixed, false), "8.8.8.8");
  for (const all of [true, false]) {
    for (const addresses of [["127.0.0.1"], ["::1", "169.254.169.254"], []]) {
      await assert.rejects(found(lookupOf(...addresses), all), PrivateAddressError);
    }
  }
  const failing: LookupFunction = (_hostname, _options, callback) =>
    callback(Object.assign(new Error("no"), { code: "ENOTFOUND" }), []);
  await assert.rejects(found(failing, true), { code: "ENOTFOUND" });
});

test("other texts are not public addresses", () => {
  for (const text of ["", "example.com", "8.8.8", "8.8.8.8/32", "fe80::1%eth0"]) {
    assert.equal(isPublicAddress(text), false, text);
  }
});
