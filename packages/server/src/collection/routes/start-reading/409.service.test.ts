import assert from "node:assert/strict";
import { test } from "node:test";
import { assertProblem } from "@sightline/test-kit/requests/problem-shape.ts";
import { sharedService } from "@sightline/test-kit/shared-sample.ts";

const filters = { timeRange: { from: "2026-01-01T00:00:00Z", to: "2026-02-01T00:00:00Z" } };

test("without a configured model nothing is read, and the reply says what to set", async () => {
  const service = await sharedService();
  const file = { account: "No reader", brand: "Acme", prompts: ["A?"] };
  const token = await service.session(await service.apply(file), ["manage"]);
  for (const body of [{ filters }, { filters, dryRun: true }]) {
    const reply = await service.post("/v1/readings", { token, body });
    assert.equal(
      assertProblem(reply, "collection_off").detail,
      "No model is configured that reads answers. Set SIGHTLINE_READER_URL and " +
        "SIGHTLINE_READER_MODEL.",
    );
  }
});

test("a key that may not manage is refused, and a body that is none", async () => {
  const service = await sharedService();
  const accountId = await service.apply({ account: "Readers", brand: "Acme", prompts: ["A?"] });
  const token = await service.session(accountId, ["read"]);
  assertProblem(await service.post("/v1/readings", { token, body: { filters } }), "scope_missing");
  const manage = await service.session(accountId, ["manage"]);
  for (const body of [{}, { filters, dryRun: "yes" }, { filters, samples: 2 }]) {
    const reply = await service.post("/v1/readings", { token: manage, body });
    assertProblem(reply, "invalid_request");
  }
});
