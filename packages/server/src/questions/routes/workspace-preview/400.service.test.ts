import assert from "node:assert/strict";
import { test } from "node:test";
import { assertProblem } from "@sightline/test-kit/requests/problem-shape.ts";
import { sharedSample } from "@sightline/test-kit/shared-sample.ts";

const refused: Readonly<Record<string, readonly [body: object, ...faults: readonly string[]]>> = {
  "no brand": [{}, "/brand missing"],
  "prompts, which stay as they are": [{ brand: "Acme", prompts: [] }, "/prompts unknown_field"],
  "an alias as a number": [{ brand: { name: "Acme", aliases: [1] } }, "/brand wrong_type"],
  "a name of two entities": [
    { brand: "Acme", competitors: [{ name: "Globex", aliases: ["acme"] }] },
    "/competitors/0 excluded",
  ],
};

test("a preview refuses what a workspace file refuses, at its place", async () => {
  const { service, accountId } = await sharedSample();
  const token = await service.session(accountId, ["manage"]);
  for (const [what, [body, ...faults]] of Object.entries(refused)) {
    const reply = await service.post("/v1/workspace/preview", { token, body });
    const { errors = [] } = assertProblem(reply, "invalid_request");
    assert.deepEqual(
      errors.map(({ path, code }) => `${path} ${code}`),
      faults,
      what,
    );
  }
});
