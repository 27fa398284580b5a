import assert from "node:assert/strict";
import { test } from "node:test";
import { InvalidOptionError } from "./errors.ts";
import { readOptions, type SightlineOptions } from "./options.ts";

const good: SightlineOptions = { baseUrl: "http://127.0.0.1:8080", key: "sl_secret" };

test("the base address keeps its path and loses the slash at its end", () => {
  const addresses: Readonly<Record<string, string>> = {
    "http://127.0.0.1:8080": "http://127.0.0.1:8080",
    "https://a.example/": "https://a.example",
    "https://a.example/sightline//": "https://a.example/sightline",
  };
  for (const [given, read] of Object.entries(addresses)) {
    assert.equal(readOptions({ ...good, baseUrl: given }).baseUrl, read);
  }
});

test("the browser's session may have an address relative to its page", (t) => {
  const options = { baseUrl: "/console/accounts/a", session: "cookie" } as const;
  assert.throws(() => readOptions(options), /Invalid baseUrl/);
  const page = { value: { href: "https://a.example/?b=c" }, configurable: true };
  Object.defineProperty(globalThis, "location", page);
  t.after(() => Reflect.deleteProperty(globalThis, "location"));
  assert.equal(readOptions(options).baseUrl, "https://a.example/console/accounts/a");
  assert.throws(() => readOptions({ ...good, baseUrl: "/a" }), /Invalid baseUrl/);
});

test("invalid options are rejected immediately, and no secret is shown", () => {
  const wrong: readonly (readonly [object, RegExp])[] = [
    [{ baseUrl: "127.0.0.1:8080" }, /baseUrl/],
    [{ baseUrl: "ftp://a.example" }, /baseUrl/],
    [{ baseUrl: "https://me:sl_secret@a.example" }, /baseUrl/],
    [{ baseUrl: "https://a.example/?a=sl_secret" }, /baseUrl/],
    [{ baseUrl: undefined }, /baseUrl/],
    [{ key: "" }, /^key is empty/],
    [{ key: "sl_secret\n" }, /line break/],
    [{ key: "sl_secretä" }, /^key/],
    [{ key: undefined }, /either key or session/],
    [{ session: "sl_secret" }, /either key or session/],
    [{ key: undefined, session: "sl_secret more" }, /^session/],
    [{ timeoutMs: 0 }, /timeoutMs must be .*, got 0\./],
    [{ timeoutMs: Number.NaN }, /timeoutMs/],
    [{ timeoutMs: 2 ** 31 }, /at most 2147483647/],
    [{ retriesMax: -1 }, /retriesMax must be .*, got -1\./],
    [{ retriesMax: 1.5 }, /retriesMax/],
  ];
  for (const [given, message] of wrong) {
    assert.throws(
      () => readOptions({ ...good, ...given } as SightlineOptions),
      (error) => {
        assert.ok(error instanceof InvalidOptionError);
        assert.match(error.message, message);
        assert.doesNotMatch(error.message, /sl_secret/);
        return true;
      },
    );
  }
});
