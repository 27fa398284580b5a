import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import { reportsPerDayMax } from "@sightline/contract";
import { assertProblem } from "@sightline/test-kit/requests/problem-shape.ts";
import { TestService } from "@sightline/test-kit/test-service.ts";
import { theService } from "../../../platform/actor.ts";
import { addReport } from "../../report-store.ts";

test("an account makes so many reports a day on request, and as many on the next", async (t) => {
  const service = await TestService.start();
  t.after(() => service.close());
  const reports = [{ name: "Weekly", period: "last-week" }];
  const accountId = await service.apply({ account: "Reporting often", brand: "Acme", reports });
  const token = await service.session(accountId, ["manage"]);
  const period = { startDate: "2026-05-25", endDate: "2026-05-31" };
  const { clock, services } = service;
  for (let made = 0; made < reportsPerDayMax; made++) {
    const report = {
      id: randomUUID(),
      name: "Weekly",
      period,
      compareWith: null,
      language: "en",
      madeAt: clock.now(),
      dueAt: null,
      actor: theService,
      numbers: {} as never,
      html: "<!doctype html>",
    } as const;
    await addReport(services.control, accountId, report, services.tellReport);
  }
  const body = { report: "Weekly" };
  const refused = await service.post("/v1/reports", { token, body });
  assertProblem(refused, "quota_exhausted");
  // Noon of the held clock's day.
  assert.equal(refused.headers["retry-after"], String(12 * 3_600));
  clock.advance(12 * 3_600_000);
  const next = await service.session(accountId, ["manage"]);
  assert.equal((await service.post("/v1/reports", { token: next, body })).status, 200);
});
