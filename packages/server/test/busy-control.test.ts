import assert from "node:assert/strict";
import { test } from "node:test";
import { openSqlite } from "../src/platform/sqlite.ts";
import { sampleRange, startSample } from "./sample-account.ts";

const body = { interval: "daily", filters: { timeRange: sampleRange } };

test("while another process writes control for long, callers are served as ever", async (t) => {
  const { service, accountId } = await startSample(t, { rateLimit: "off", dailyQuota: "9" });
  const key = await service.key(accountId);
  const { control, limits, folder } = service.services;
  const other = openSqlite(folder.control);
  other.exec("begin immediate");
  const started = performance.now();
  const exchanged = await service.post("/v1/auth/accesskey/exchange", { token: key });
  assert.equal(exchanged.status, 200);
  const { sessionJwt, keyId } = exchanged.json<{ sessionJwt: string; keyId: string }>();
  const asked = await service.post("/v1/analytics/brands/rank", { token: sessionJwt, body });
  assert.equal(asked.status, 200);
  await assert.rejects(limits.save(), /locked|busy/);
  assert.ok(performance.now() - started < 5_000, "nobody waited for the other's end");

  other.exec("rollback");
  other.close();
  await limits.save();
  const day = Math.floor(service.clock.now() / 86_400_000);
  assert.equal(await control.usage(keyId, day), 2);
});
