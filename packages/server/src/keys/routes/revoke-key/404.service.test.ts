import assert from "node:assert/strict";
import { after, test } from "node:test";
import { assertProblem } from "@sightline/test-kit/requests/problem-shape.ts";
import { TestService } from "@sightline/test-kit/test-service.ts";
import { keyById } from "../../key-store.ts";

const service = await TestService.start();
after(() => service.close());
const ids: string[] = [];
for (const name of ["One", "Two"]) {
  ids.push(await service.apply({ account: { name }, brand: { name } }));
}
const [one = "", two = ""] = ids;
const headers = { authorization: `Bearer ${await service.session(one, ["manage"])}` };
const hidden = { requestId: "", detail: "" };

test("a key of another account is an unknown one, and stays good", async () => {
  const { keyId } = await service.services.keyRing.create(two, { name: "", expiresAt: null });
  const problems = [];
  for (const id of [keyId, "AAAAAAAAAAAAAAAA"]) {
    const reply = await service.request("DELETE", `/v1/keys/${id}`, { headers });
    const problem = assertProblem(reply, "not_found");
    assert.equal(problem.detail, `No key of this account has the id "${id}".`);
    problems.push({ ...problem, ...hidden });
  }
  assert.deepEqual(problems[0], problems[1]);
  assert.equal((await keyById(service.services.control, keyId))?.revokedAt, null);
});

test("ids that are none are not found either", async () => {
  for (const id of ["%00", "x'--", "%F0%9F%A6%8A", "..%2f", "__proto__", "a".repeat(190)]) {
    const reply = await service.request("DELETE", `/v1/keys/${id}`, { headers });
    assertProblem(reply, "not_found");
  }
});
