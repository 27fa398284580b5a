import { randomUUID } from "node:crypto";
import { test } from "node:test";
import type { Report } from "@sightline/contract";
import { assertProblem } from "@sightline/test-kit/requests/problem-shape.ts";
import { sharedService } from "@sightline/test-kit/shared-sample.ts";

test("a report of another account is as unknown as one that never was", async () => {
  const service = await sharedService();
  const reports = [{ name: "Weekly", period: "last-week" }];
  const own = { account: { name: "Reporting its own" }, brand: "Acme", reports };
  const owner = await service.session(await service.apply(own), ["manage"]);
  const body = { report: "Weekly" };
  const made = (await service.post("/v1/reports", { token: owner, body })).json<Report>();
  const other = await service.apply({ account: { name: "Reporting another" }, brand: "Acme" });
  const headers = { authorization: `Bearer ${await service.session(other)}` };
  for (const id of [made.id, randomUUID(), "none"]) {
    for (const path of [`/v1/reports/${id}`, `/v1/reports/${id}/html`]) {
      assertProblem(await service.request("GET", path, { headers }), "not_found");
    }
  }
});
