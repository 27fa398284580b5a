import assert from "node:assert/strict";
import { test } from "node:test";
import { type Report, type ReportsResponse, reportsResponseSchema } from "@sightline/contract";
import { sharedService } from "@sightline/test-kit/shared-sample.ts";

test("reports are listed by page, newest first, and by name", async () => {
  const service = await sharedService();
  const reports = ["Weekly", "Monthly"].map((name) => ({ name, period: "last-week" }));
  const accountId = await service.apply({
    account: { name: "Reporting lists" },
    brand: "Acme",
    reports,
  });
  const token = await service.session(accountId, ["read", "manage"]);
  const headers = { authorization: `Bearer ${token}` };
  const made: Report[] = [];
  for (const [place, report] of ["Weekly", "Monthly", "Weekly", "Weekly"].entries()) {
    const startDate = `2026-04-0${place + 1}`;
    const body = { report, period: { startDate, endDate: "2026-04-28" } };
    made.push((await service.post("/v1/reports", { token, body })).json<Report>());
  }
  const list = async (query: string) => {
    const reply = await service.request("GET", `/v1/reports${query}`, { headers });
    assert.equal(reply.status, 200, reply.body);
    return reportsResponseSchema.parse(reply.json<ReportsResponse>());
  };
  // The clock stands still: reports of one instant are in the order of their ids.
  const order = made.toSorted((a, b) => (a.id < b.id ? 1 : -1));
  assert.deepEqual(await list(""), { reports: order, nextCursor: null });
  const first = await list("?limit=3");
  assert.deepEqual(first.reports, order.slice(0, 3));
  const rest = await list(`?limit=3&cursor=${first.nextCursor}`);
  assert.deepEqual(rest, { reports: order.slice(3), nextCursor: null });
  const weekly = await list("?name=Weekly");
  assert.deepEqual(
    weekly.reports,
    order.filter(({ name }) => name === "Weekly"),
  );
});
