import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { documentedVendors } from "./documented-replies.ts";
import { adapterOf, questionTo } from "./provider-samples.ts";

const pageOf = (vendor: string): string =>
  readFileSync(
    new URL(
      `../../../../docs/guide/collection-${vendor === "xai" ? "grok" : vendor}.md`,
      import.meta.url,
    ),
    "utf8",
  );

for (const vendor of documentedVendors) {
  test(`${vendor}: the guide shows the request that is sent, and where the key goes`, () => {
    const page = pageOf(vendor);
    const [, shown = ""] = /```json\n([\s\S]*?)```/.exec(page) ?? [];
    const { refusal, step } = adapterOf(vendor);
    const inGermany = questionTo(vendor, { region: "DE" });
    const question = refusal(inGermany) === null ? inGermany : questionTo(vendor);
    const first = step(question, []);
    assert.ok(first.kind === "send");
    const { host, path, body, withinMs } = first.request;
    assert.deepEqual(JSON.parse(shown), body);
    assert.ok(page.includes(`\`POST https://${host}${path}\``));
    assert.match(page, new RegExp(`reply\\s+may\\s+take\\s+${withinMs / 60_000}\\s+minutes`));
    assert.ok(page.includes(`\`SIGHTLINE_${vendor.toUpperCase()}_KEY\``));
    for (const section of ["What is asked", "What it costs", "Regions", "Terms to know"]) {
      assert.ok(page.includes(`\n## ${section}\n`), section);
    }
  });
}
