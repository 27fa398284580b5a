import assert from "node:assert/strict";
import { once } from "node:events";
import { request } from "node:http";
import { test } from "node:test";
import { current, toolCall } from "@sightline/test-kit/mcp-messages.ts";
import { recordedLog } from "@sightline/test-kit/recorded-log.ts";
import { startSample } from "@sightline/test-kit/sample-account.ts";
import type { Facts } from "../questions/facts.ts";
import { serviceApp } from "../server.ts";

test("a client that hangs up ends what the tool asks, and that is not a fault", async (t) => {
  const { service, token } = await startSample(t);
  const { logger, lines } = recordedLog();
  const asked = new EventTarget();
  const { facts: served } = service.services;
  const facts: Facts = {
    version: (...asking) => served.version(...asking),
    sources: (...asking) => served.sources(...asking),
    sourceGaps: (...asking) => served.sourceGaps(...asking),
    summary: (...asking) => served.summary(...asking),
    changes: (...asking) => served.changes(...asking),
    citationLife: (...asking) => served.citationLife(...asking),
    searchQueries: (...asking) => served.searchQueries(...asking),
    presence: (...asking) => served.presence(...asking),
    plan: (...asking) => served.plan(...asking),
    timeSeries: (...asking) => served.timeSeries(...asking),
    coverage: (...asking) => served.coverage(...asking),
    evidence: (...asking) => served.evidence(...asking),
    labelSample: (...asking) => served.labelSample(...asking),
    quotes: (...asking) => served.quotes(...asking),
    answer: (...asking) => served.answer(...asking),
    /** An engine that works until it is interrupted. */
    countedSeries: (_accountId: string, _question: unknown, signal: AbortSignal) =>
      new Promise<never>((_resolve, reject) => {
        signal.addEventListener("abort", () => {
          asked.dispatchEvent(new Event("interrupted"));
          reject(signal.reason);
        });
        asked.dispatchEvent(new Event("asked"));
      }),
  };
  const app = serviceApp({ ...service.services, facts, logger });
  t.after(() => app.close());
  const url = await app.listen({ host: "127.0.0.1", port: 0 });
  const earlier = toolCall("time_series", { metric: "rank" });
  for (const message of [earlier, current(earlier)]) {
    const call = request(new URL("/mcp", url), {
      method: "POST",
      headers: {
        authorization: `Bearer ${token}`,
        "content-type": "application/json",
        "mcp-protocol-version": message === earlier ? "2025-06-18" : "2026-07-28",
        "mcp-method": "tools/call",
        "mcp-name": "time_series",
      },
    });
    call.on("error", () => undefined); // it hangs up
    const [working, interrupted] = [once(asked, "asked"), once(asked, "interrupted")];
    call.end(JSON.stringify(message));
    await working;
    call.destroy();
    await interrupted;
  }
  const headers = { authorization: `Bearer ${token}` };
  const goesOn = await app.inject({ method: "GET", url: "/v1/workspace", headers });
  assert.equal(goesOn.statusCode, 200);
  assert.deepEqual(
    lines.filter(({ level }) => Number(level) > 30),
    [],
  );
});
