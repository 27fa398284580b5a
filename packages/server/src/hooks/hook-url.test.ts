import assert from "node:assert/strict";
import { test } from "node:test";
import { hookUrlFault } from "./hook-url.ts";

/** Hosts on this machine, in a private network, or reserved, in every spelling. */
const privateHosts = [
  ...["127.0.0.1", "127.1", "127.255.255.254", "2130706433", "0x7f000001", "0x7f.1", "0177.0.0.1"],
  ...["017700000001", "127.0.0.1.", "0", "0.0.0.0", "10.0.0.1", "10.1", "167772161", "0xa.1"],
  ...["172.16.0.1", "172.31.255.255", "192.168.1.1", "0300.0250.1.1", "3232235777"],
  ...["169.254.169.254", "2852039166", "0xA9FEA9FE", "100.64.0.1", "100.100.100.200"],
  ...["192.0.0.1", "192.0.2.1", "198.18.0.1", "198.51.100.1", "203.0.113.1", "192.88.99.1"],
  ...["224.0.0.1", "239.255.255.250", "240.0.0.1", "255.255.255.255", "１２７.０.０.１"],
  ...["localhost", "LOCALHOST", "localhost.", "a.localhost", "a.b.localhost."],
  ...["[::1]", "[::]", "[0:0:0:0:0:0:0:1]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]"],
  ...["[::ffff:10.0.0.1]", "[::ffff:a9fe:a9fe]", "[::127.0.0.1]", "[::ffff:0:127.0.0.1]"],
  ...["[64:ff9b::7f00:1]", "[64:ff9b:1::1]", "[2002:7f00:1::]", "[2001:0:7f00:1::]"],
  ...["[fe80::1]", "[febf::1]", "[fc00::1]", "[fd00:ec2::254]", "[ff02::1]", "[fec0::1]"],
  ...["[2001:db8::1]", "[3fff::1]", "[100::1]", "[::ffff:8.8.8.8]"],
];
const publicHosts = [
  ...["8.8.8.8", "1.1.1.1", "172.15.255.255", "172.32.0.1", "100.63.255.255", "134744072"],
  ...["[2606:4700:4700::1111]", "[2a00:1450:4001:80b::200e]", "example.com", "localhost.com"],
  "mylocalhost",
];

test("private hosts are refused, however they are written; others are taken", () => {
  for (const host of privateHosts) {
    const fault = hookUrlFault(`https://${host}/hook`, false);
    assert.equal(
      fault,
      "must not lead to a private address, unless --hooks-to-private is on",
      host,
    );
    assert.equal(hookUrlFault(`http://${host}:8080/hook`, true), null, host);
  }
  for (const host of publicHosts) {
    assert.equal(hookUrlFault(`https://${host}:8443/hook?a=b`, false), null, host);
  }
});

test("an address is https, without a password and a fragment", () => {
  const faults: readonly (readonly [string, string | null])[] = [
    ["http://example.com/", "must be an absolute https:// URL"],
    ["ftp://example.com/", "must be an absolute https:// URL"],
    ["file:///etc/passwd", "must be an absolute https:// URL"],
    ["example.com/hook", "must be an absolute https:// URL"],
    ["https://", "must be an absolute https:// URL"],
    ["https://me:secret@example.com/", "must not have a name or a password"],
    ["https://example.com/#part", "must not have a fragment (#)"],
    [
      `https://example.com/${"ü".repeat(400)}`,
      "must have at most 2048 characters when it is encoded",
    ],
    ["HTTPS://Example.com", null],
  ];
  for (const [url, fault] of faults) assert.equal(hookUrlFault(url, false), fault, url);
  const ofBoth = "must be an absolute https:// or http:// URL";
  assert.equal(hookUrlFault("gopher://127.0.0.1/", true), ofBoth);
});
