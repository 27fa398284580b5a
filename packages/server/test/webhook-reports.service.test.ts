import assert from "node:assert/strict";
import { test } from "node:test";
import { verifyWebhook } from "@sightline/client";
import type { CreatedHookResponse, ReportMadeEvent } from "@sightline/contract";
import { ServedSchemas } from "@sightline/test-kit/requests/served-schemas.ts";
import { corpusAnswer, corpusWorkspace } from "@sightline/test-kit/sample-corpus.ts";
import { TestService } from "@sightline/test-kit/test-service.ts";
import { startReceiver } from "@sightline/test-kit/webhook-receiver.ts";

const publicUrl = "https://sightline.example.com";

test("a report that was made is told to webhooks that ask for it, and to no others", async (t) => {
  const service = await TestService.start({ settings: { hooksToPrivate: "on", publicUrl } });
  t.after(() => service.close());
  const reports = [{ name: "Weekly", period: "last-week" }];
  const accountId = await service.apply({ ...corpusWorkspace, reports });
  await service.import(
    accountId,
    Array.from({ length: 40 }, (_, number) => corpusAnswer(number)),
  );
  const token = await service.session(accountId, ["read", "manage"]);
  const receiver = await startReceiver(t);
  const hooks: CreatedHookResponse[] = [];
  for (const events of [["report-made"], ["moved"]]) {
    const body = { url: `${receiver.url}/${events[0]}`, events };
    hooks.push((await service.post("/v1/hooks", { token, body })).json());
  }
  const period = { startDate: "2026-02-02", endDate: "2026-02-08" };
  const reply = await service.post("/v1/reports", { token, body: { report: "Weekly", period } });
  assert.equal(reply.status, 200, reply.body);
  const { id: reportId } = reply.json<{ readonly id: string }>();
  await service.services.webhooks.deliver();
  const [request, ...others] = receiver.received;
  assert.deepEqual([request?.path, others], ["/hook/report-made", []]);
  const now = service.clock.now();
  const secret = hooks[0]?.secret ?? "";
  const event = await verifyWebhook(request?.body ?? "", request?.headers ?? {}, { secret, now });
  (await ServedSchemas.of(service)).assertValid("ReportMadeEventDto", event);
  assert.deepEqual((event as ReportMadeEvent).data, {
    reportId,
    name: "Weekly",
    timeRange: { from: "2026-02-02T00:00:00.000Z", to: "2026-02-09T00:00:00.000Z" },
    address: `${publicUrl}/?account=${accountId}&page=reports&_report=${reportId}`,
  });
});
