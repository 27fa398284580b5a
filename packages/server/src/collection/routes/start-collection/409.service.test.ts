import assert from "node:assert/strict";
import { after, test } from "node:test";
import { assertProblem } from "@sightline/test-kit/requests/problem-shape.ts";
import { TestService } from "@sightline/test-kit/test-service.ts";
import { sweepsOf } from "../../store/sweep-reads.ts";

const service = await TestService.start();
after(() => service.close());

test("without any credential nothing is planned, and the reply says what to set", async () => {
  const collection = { providers: ["OPENAI", "COPILOT"] };
  const file = { account: "Off", brand: "Acme", prompts: ["seeds"], collection };
  const accountId = await service.apply(file);
  const token = await service.session(accountId, ["manage"]);
  const reply = await service.post("/v1/collections", { token, body: {} });
  assert.equal(
    assertProblem(reply, "collection_off").detail,
    "No process that collects has a credential of openai. Set SIGHTLINE_OPENAI_KEY. " +
      "No process that collects has a credential of cloro. Set SIGHTLINE_CLORO_KEY.",
  );
  assert.deepEqual(
    await sweepsOf(service.services.control, accountId, 10, service.clock.now()),
    [],
  );
});
