import assert from "node:assert/strict";
import { test } from "node:test";
import { assertProblem } from "@sightline/test-kit/requests/problem-shape.ts";
import { sharedService } from "@sightline/test-kit/shared-sample.ts";

const report = "Yearly report";
const period = (startDate: string, endDate: string) => ({ report, period: { startDate, endDate } });

/** Bodies, and the fault of each. */
const faulty: readonly (readonly [body: object, fault: string])[] = [
  [{}, "/report missing is required and must be a string."],
  [{ report: " " }, "/report wrong_format must be a non-empty text."],
  [
    { report, period: { startDate: "2026-02-30", endDate: "2026-03-01" } },
    '/period/startDate wrong_format must be a date such as 2026-01-31, got "2026-02-30".',
  ],
  [
    period("2026-02-02", "2026-02-01"),
    '/period/endDate wrong_order must be on or after startDate 2026-02-02, got "2026-02-01".',
  ],
  [period("2000-01-01", "2026-01-01"), "/period too_large must have at most 3660 days, got 9498."],
  [
    period("2024-01-01", "2026-01-02"),
    "/period not_allowed 2023-01-01 to before 2025-01-03 overlaps 2024-01-01 to before " +
      "2026-01-03, so the same answers would count on both sides. Use a range that starts at " +
      "2021-12-29 or before, or at 2026-01-03 or after.",
  ],
  [
    { report, language: "de" },
    '/language unknown_field "language" is not a known field. Known fields: report, period.',
  ],
];

test("a faulty request is refused with what it must be, and nothing is made", async () => {
  const service = await sharedService();
  const accountId = await service.apply({
    account: { name: "Reporting nothing" },
    brand: "Acme",
    reports: [{ name: report, period: "last-month", compare: "year" }],
  });
  const token = await service.session(accountId, ["read", "manage"]);
  for (const [body, fault] of faulty) {
    const reply = await service.post("/v1/reports", { token, body });
    const { errors = [] } = assertProblem(reply, "invalid_request");
    assert.equal(errors.map((each) => `${each.path} ${each.code} ${each.message}`).join(), fault);
  }
  const headers = { authorization: `Bearer ${token}` };
  const list = await service.request("GET", "/v1/reports", { headers });
  assert.deepEqual(list.json(), { reports: [], nextCursor: null });
});

test("a name that the workspace does not declare is not found", async () => {
  const service = await sharedService();
  const file = { account: { name: "Reporting others" }, brand: "Acme" };
  const reports = [{ name: report, period: "last-month" }];
  const token = await service.session(await service.apply({ ...file, reports }), ["manage"]);
  const body = { report: "Weekly" };
  const refused = assertProblem(await service.post("/v1/reports", { token, body }), "not_found");
  assert.equal(
    refused.detail,
    'The workspace declares no report "Weekly". It declares "Yearly report".',
  );
});
