import assert from "node:assert/strict";
import { test } from "node:test";
import { vendors } from "@sightline/contract";
import { standInCredentials, startStandIn } from "@sightline/stand-in";
import {
  checkCost,
  checkedAsks,
  checkFree,
  checkPaid,
  freeCheckOf,
  redactedReply,
  replyShape,
} from "./check-vendor.ts";
import { Credentials } from "./config.ts";
import { builtInPrices } from "./price-list.ts";
import { Prices } from "./prices.ts";
import { replyKeys } from "./vendors/reply-keys.ts";

const prices = new Prices(builtInPrices);
const standIn = await startStandIn();
test.after(() => standIn.close());
const credentials = new Credentials(standInCredentials);
const tools = { credentials, prices, standIn: standIn.url };

test("every vendor that is asked as a sweep asks it answers as its replies are read", async () => {
  const asks = checkedAsks(credentials);
  // The reader reads answers, and is asked no prompt.
  const asked = vendors.filter((vendor) => vendor !== "reader").toSorted();
  assert.deepEqual(asks.map(({ adapter }) => adapter.vendor).toSorted(), asked);
  for (const ask of asks) {
    const { vendor } = ask.adapter;
    const free = await checkFree(tools, ask.adapter);
    if (free !== null) {
      const { isKeyValid, isListed, fault } = free;
      assert.deepEqual(
        { isKeyValid, isListed, fault },
        { isKeyValid: true, isListed: true, fault: null },
      );
    }
    const paid = await checkPaid(tools, ask);
    const { missing, added, fault, status } = paid;
    assert.deepEqual(
      { missing, added, fault, status },
      { missing: [], added: [], fault: null, status: 200 },
      vendor,
    );
    assert.ok(paid.cited > 0 && (paid.costTold ?? paid.costComputed ?? 0) > 0, vendor);
    assert.doesNotMatch(JSON.stringify(paid.sample), /stand-in-/, vendor);
    const { expected, most } = checkCost(tools, ask, Date.now());
    assert.ok(expected > 0 && expected <= most, vendor);
  }
  assert.equal((await checkFree(tools, asks[1]?.adapter ?? assert.fail()))?.canSearch, true);
});

test("a wrong key, a renamed list and a retired model are reported", async (t) => {
  t.after(() => standIn.setFaults({}));
  const [openai] = checkedAsks(credentials, ["OPENAI"]);
  assert.ok(openai !== undefined);
  const wrong = { ...tools, credentials: new Credentials({ openai: "a-wrong-key-of-openai" }) };
  const refused = await checkFree(wrong, openai.adapter);
  assert.deepEqual([refused?.isKeyValid, refused?.status], [false, 401]);
  standIn.setFaults({ rates: { renamedList: 1 } });
  const renamed = await checkPaid(tools, openai);
  assert.deepEqual(renamed.missing.slice(0, 1), ["output[].content[].annotations"]);
  assert.equal(renamed.added.length, 1);
  assert.match(renamed.fault ?? "", /Keys that are read are missing\./);
  standIn.setFaults({ rates: { retiredModel: 1 } });
  const retired = await checkPaid(tools, openai);
  assert.equal(retired.status, 404);
  assert.match(retired.fault ?? "", /model/);
});

test("a list of models tells whether the model is there and may search", () => {
  const of = (body: unknown, model: string) =>
    freeCheckOf("anthropic", { status: 200, headers: {}, body: JSON.stringify(body) }, model);
  const search = (web_search: unknown) => ({ capabilities: { server_tools: { web_search } } });
  const data = [{ id: "a", ...search({ supported: false }) }, { id: "b" }];
  assert.equal(of({ data }, "a").fault, "The model a cannot search the web with this credential.");
  assert.deepEqual([of({ data }, "b").canSearch, of({ data }, "b").fault], [null, null]);
  assert.match(of({ data }, "c").fault ?? "", /^The model c is not listed\./);
  assert.equal(of([], "a").fault, "The list is not understood.");
});

test("keys are compared by path, and what names an account is taken out", () => {
  const known = { read: ["a[].b", "c"], known: new Set(["a[].b", "c", "d.e"]) };
  assert.deepEqual(replyShape([{ a: [{ b: 1, x: { y: 1 } }], d: null }], known), {
    missing: ["c"],
    added: ["a[].x"],
  });
  const reply = { id: "resp_1", user: null, output: [{ encrypted_content: "x", text: "kept" }] };
  assert.deepEqual(redactedReply(reply), {
    id: "redacted",
    user: null,
    output: [{ encrypted_content: "redacted", text: "kept" }],
  });
  for (const { read, known: all } of Object.values(replyKeys)) {
    for (const path of read)
      assert.ok(
        [...all].some((each) => each.startsWith(path)),
        path,
      );
  }
});
