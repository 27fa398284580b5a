import assert from "node:assert/strict";
import { test } from "node:test";
import { type ReaderSettings, readReader } from "./reader-config.ts";

const good = { readerUrl: "https://llm.example/v1/", readerModel: "reader-1" };
const faultsOf = (settings: ReaderSettings) => readReader(settings).faults.join("\n");

test("without an address there is no reader; with one its place, price and bounds are read", () => {
  assert.deepEqual(readReader({}), { reader: null, faults: [] });
  assert.deepEqual(readReader({ ...good, readerPrice: "0.15/0.6" }).reader, {
    endpoint: { host: "llm.example", port: 443, isPlain: false, toPrivate: false },
    path: "/v1",
    model: "reader-1",
    price: { input: 0.15, output: 0.6 },
    parameters: { temperature: 0, max_tokens: 4_000 },
    outputTokensMax: 4_000,
  });
  const own = { ...good, readerParameters: '{"max_completion_tokens":900}' };
  assert.equal(readReader(own).reader?.outputTokensMax, 900);
  assert.equal(readReader(good).reader?.price, null);
});

test("a private address and clear text need the operator's setting", () => {
  const local = { ...good, readerUrl: "http://127.0.0.1:11434/v1" };
  assert.match(faultsOf(local), /http:\/\/ needs SIGHTLINE_READER_TO_PRIVATE=on/);
  for (const host of ["127.0.0.1", "10.0.0.1", "169.254.169.254", "localhost"]) {
    assert.match(faultsOf({ ...good, readerUrl: `https://${host}/v1` }), /private address/);
  }
  const allowed = readReader({ ...local, readerToPrivate: "on" }).reader;
  const endpoint = { host: "127.0.0.1", port: 11_434, isPlain: true, toPrivate: true };
  assert.deepEqual(allowed?.endpoint, endpoint);
});

test("what is wrong is said, with the variable's name", () => {
  const cases: readonly (readonly [ReaderSettings, RegExp])[] = [
    [{ readerModel: "reader-1" }, /without SIGHTLINE_READER_URL/],
    [{ readerUrl: good.readerUrl }, /SIGHTLINE_READER_MODEL/],
    [{ ...good, readerUrl: "llm.example" }, /SIGHTLINE_READER_URL: must be an absolute/],
    [{ ...good, readerUrl: "https://me:secret@llm.example" }, /no name, password/],
    [{ ...good, readerUrl: "https://llm.example/v1?key=a" }, /query/],
    [{ ...good, readerUrl: "https://[2606:4700::1]/v1" }, /IPv4/],
    [{ ...good, readerPrice: "cheap" }, /SIGHTLINE_READER_PRICE: must be dollars/],
    [{ ...good, readerPrice: "1" }, /0\.15\/0\.60/],
    [{ ...good, readerParameters: "{" }, /SIGHTLINE_READER_PARAMETERS: must be a JSON object/],
    [{ ...good, readerParameters: '{"temperature":0}' }, /must have max_tokens/],
    [{ ...good, readerParameters: '{"max_tokens":0}' }, /1 to 32000/],
    [{ ...good, readerParameters: '{"max_tokens":9,"messages":[]}' }, /must not contain messages/],
  ];
  for (const [settings, message] of cases) assert.match(faultsOf(settings), message);
  assert.doesNotMatch(faultsOf({ ...good, readerUrl: "https://me:secret@llm.example" }), /secret/);
});
