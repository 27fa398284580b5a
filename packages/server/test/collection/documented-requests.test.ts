import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { adapterOf, questionTo } from "@sightline/test-kit/collection/provider-samples.ts";
import { documentedVendors } from "./documented-replies.ts";

const page = readFileSync(
  new URL("../../../../docs/guide/collection-providers.md", import.meta.url),
  "utf8",
);

for (const vendor of documentedVendors) {
  test(`${vendor}: the guide shows the request that is sent, and where the key goes`, () => {
    const heading = new RegExp(`^## ${vendor === "xai" ? "grok" : vendor}$`, "im");
    const [, part = ""] = page.split(heading);
    const [, shown = ""] = /```json\n([\s\S]*?)```/.exec(part) ?? [];
    const { refusal, step } = adapterOf(vendor);
    const inGermany = questionTo(vendor, { region: "DE" });
    const question = refusal(inGermany) === null ? inGermany : questionTo(vendor);
    const first = step(question, []);
    assert.ok(first.kind === "send");
    const { host, path, body, withinMs } = first.request;
    assert.deepEqual(JSON.parse(shown), body);
    const key = `| \`SIGHTLINE_${vendor.toUpperCase()}_KEY\` |`;
    const line = page.split("\n").find((each) => each.includes(key)) ?? "";
    const time = `| ${withinMs / 60_000} minutes |`;
    for (const said of [`| \`POST https://${host}${path}\` |`, time]) {
      assert.ok(line.includes(said), said);
    }
    assert.equal(/\| any country \|$/.test(line), question === inGermany);
    assert.match(part.split("\n## ", 1)[0] ?? "", /terms/i);
  });
}
