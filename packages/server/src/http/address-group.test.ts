import assert from "node:assert/strict";
import { test } from "node:test";
import { addressGroup } from "./callers.ts";

test("an IPv4 address, or the /64 of an IPv6 one", () => {
  const groups = {
    "192.0.2.7": "192.0.2.7",
    "::ffff:192.0.2.7": "192.0.2.7",
    "2001:db8:1:2:3:4:5:6": "2001:db8:1:2::/64",
    "2001:0DB8:0001:0002::9": "2001:db8:1:2::/64",
    "2001:db8::9": "2001:db8:0:0::/64",
    "fe80::1%eth0": "fe80:0:0:0::/64",
    "::1": "0:0:0:0::/64",
  };
  for (const [address, group] of Object.entries(groups)) assert.equal(addressGroup(address), group);
});
