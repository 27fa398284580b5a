import assert from "node:assert/strict";
import { test } from "node:test";
import { ConfigError, readConfig } from "../config.ts";
import { originFault } from "./origins.ts";

const name = "SIGHTLINE_CORS_ORIGINS";

test("an origin is a scheme, a host and a port, written as write it", () => {
  for (const origin of [
    "https://app.example.com",
    "http://localhost:5173",
    "http://127.0.0.1",
    "http://[::1]:8080",
    "https://xn--bcher-kva.example",
  ]) {
    assert.equal(originFault(origin), null, origin);
  }
});

test("any other spelling is a fault that says what to write", () => {
  const scheme = "must begin with http:// or https://";
  const pattern = "patterns are not supported";
  const none = "invalid host or port";
  for (const [text, fault] of [
    ["https://app.example.com/", "write https://app.example.com"],
    ["https://app.example.com/app", "write https://app.example.com"],
    ["https://app.example.com?a", "write https://app.example.com"],
    ["https://app.example.com#a", "write https://app.example.com"],
    ["https://me@app.example.com", "write https://app.example.com"],
    ["https://app.example.com:443", "write https://app.example.com"],
    ["http://app.example.com:080", "write http://app.example.com"],
    ["HTTPS://App.example.com", "write https://app.example.com"],
    ["https://bücher.example", "write https://xn--bcher-kva.example"],
    ["http://[0:0::1]", "write http://[::1]"],
    ["https://app.example\n.com", "write https://app.example.com"],
    ["*", "list each origin"],
    ["https://*.example.com", pattern],
    ["https://*", pattern],
    ["null", scheme],
    ["app.example.com", scheme],
    ["//app.example.com", scheme],
    ["file:///index.html", scheme],
    ["chrome-extension://abcdefgh", scheme],
    ["https://", none],
    ["https://a b", none],
    ["https://app.example.com:70000", none],
    ["https://app.example.com https://b.example", none],
  ] as const) {
    assert.equal(originFault(text), fault, text);
  }
});

test("the setting is a list, empty unless it is given", () => {
  assert.deepEqual(readConfig({}, {}).corsOrigins, []);
  assert.deepEqual(readConfig({}, { [name]: "" }).corsOrigins, []);
  const both = "https://app.example.com, http://localhost:5173";
  assert.deepEqual(readConfig({}, { [name]: both }).corsOrigins, both.split(", "));
  const flag = { corsOrigins: "http://localhost" };
  assert.deepEqual(readConfig(flag, { [name]: both }).corsOrigins, ["http://localhost"]);
});

test("every wrong origin is named, and the faults of other settings too", () => {
  const origins = "https://a.example/,https://b.example,*";
  assert.throws(
    () => readConfig({ port: "x" }, { [name]: origins }),
    (error) => {
      assert.ok(error instanceof ConfigError);
      assert.deepEqual(
        error.faults.map((fault) => fault.split(". Expected: ")[0]),
        [
          '--port: invalid value "x"',
          `${name}: invalid value "https://a.example/" (write https://a.example)`,
          `${name}: invalid value "*" (list each origin)`,
        ],
      );
      return true;
    },
  );
});
