import assert from "node:assert/strict";
import { after, test } from "node:test";
import { assertProblem } from "@sightline/test-kit/requests/problem-shape.ts";
import { newJobs, newSweep } from "@sightline/test-kit/sweeps.ts";
import { TestService } from "@sightline/test-kit/test-service.ts";
import { sweepById } from "../../store/sweep-reads.ts";
import { addSweep } from "../../store/sweep-store.ts";

const service = await TestService.start();
after(() => service.close());

test("a sweep of another account is an unknown one, and goes on", async () => {
  const own = await service.apply({ account: "Own", brand: "Acme" });
  const other = await service.apply({ account: "Other", brand: "Acme" });
  const { control, clock } = service.services;
  const sweep = newSweep(clock.now(), newJobs(1));
  await addSweep(control, other, sweep, clock.now());
  const token = await service.session(own, ["manage"]);
  const headers = { authorization: `Bearer ${token}` };
  for (const id of [sweep.id, "00000000-0000-4000-8000-000000000000", "x'--", "%00", "..%2f"]) {
    for (const method of ["GET", "DELETE"] as const) {
      const reply = await service.request(method, `/v1/collections/${id}`, { headers });
      assert.match(assertProblem(reply, "not_found").detail, /^The account has no collection "/);
    }
  }
  assert.equal((await sweepById(control, other, sweep.id, clock.now()))?.cancelledAt, null);
});
