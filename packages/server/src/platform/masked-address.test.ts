import assert from "node:assert/strict";
import { test } from "node:test";
import { maskedAddress } from "./masked-address.ts";

const addresses = {
  "postgres://db:5432/sightline": "postgres://db:5432/sightline",
  "postgres://user:secret@db/sightline": "postgres://***@db/sightline",
  "postgres://secret@db/sightline": "postgres://***@db/sightline",
  "postgres://db/sightline?password=secret": "postgres://db/sightline?***",
  "https://user:secret@a:8443/x, https://user:secret@b:8443/x":
    "https://***@a:8443/x,https://***@b:8443/x",
  "user:secret@db": "user:***",
  "postgres:secret@db": "postgres:***",
  "postgres://user:secret@db:port/x": "postgres:***",
  "postgres://user:sec,ret@db/x": "postgres:***,***",
  "postgres://user:12/secret@db:5432/x": "postgres:***",
  "rediss://user:12#secret@db": "rediss:***",
  secret: "***",
};

for (const [address, shown] of Object.entries(addresses)) {
  test(`shown of ${address}: ${shown}`, () => {
    assert.equal(maskedAddress(address), shown);
  });
}
