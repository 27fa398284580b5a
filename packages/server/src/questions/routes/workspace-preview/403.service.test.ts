import { test } from "node:test";
import { assertProblem } from "@sightline/test-kit/requests/problem-shape.ts";
import { sharedSample } from "@sightline/test-kit/shared-sample.ts";

test("a key that reads or imports previews nothing", async () => {
  const { service, accountId } = await sharedSample();
  for (const scope of ["read", "import"] as const) {
    const token = await service.session(accountId, [scope]);
    const reply = await service.post("/v1/workspace/preview", { token, body: { brand: "Acme" } });
    assertProblem(reply, "scope_missing");
  }
});
