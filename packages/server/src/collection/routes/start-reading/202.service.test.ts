import assert from "node:assert/strict";
import { after, test } from "node:test";
import type { ListedCollection, StartedReading } from "@sightline/contract";
import { catchUp } from "@sightline/test-kit/collection/collecting.ts";
import { assertProblem } from "@sightline/test-kit/requests/problem-shape.ts";
import { ServedSchemas } from "@sightline/test-kit/requests/served-schemas.ts";
import { TestService } from "@sightline/test-kit/test-service.ts";
import { saveCollectorReport } from "../../store/collector-reports.ts";

const service = await TestService.start({
  settings: {
    collect: "off",
    readerUrl: "https://reader.example/v1",
    readerModel: "reader-1",
    readerPrice: "0.2/0.8",
  },
});
after(() => service.close());
const accountId = await service.apply({ account: "Read", brand: "Acme", prompts: ["A?"] });
await service.import(accountId, [
  { prompt: "A?", provider: "OPENAI", answeredAt: "2026-01-02T08:00:00Z", text: "Acme is fast." },
  { prompt: "A?", provider: "GROK", answeredAt: "2026-01-02T08:00:00Z", text: "Nobody." },
]);
catchUp(service.clock);
const token = await service.session(accountId, ["manage"]);
const filters = { timeRange: { from: "2026-01-01T00:00:00Z", to: "2026-02-01T00:00:00Z" } };

async function read(body: object, status: number): Promise<StartedReading> {
  const reply = await service.post("/v1/readings", { token, body });
  assert.equal(reply.status, status, reply.body);
  (await ServedSchemas.of(service)).assertValid("StartedReadingDto", reply.json());
  return reply.json<StartedReading>();
}

test("a reading is estimated, refused without a credential, and planned with one", async () => {
  const { id, model, answers, nothingToRead, dollars } = await read({ filters, dryRun: true }, 200);
  assert.deepEqual(
    { id, model, answers, nothingToRead },
    {
      id: null,
      model: "reader-1",
      answers: 1,
      nothingToRead: 1,
    },
  );
  assert.ok((dollars ?? 0) > 0);
  const refused = await service.post("/v1/readings", { token, body: { filters } });
  assert.match(assertProblem(refused, "collection_off").detail, /SIGHTLINE_READER_KEY/);

  const counts = { requests: 0, failed: 0, medianMs: null, lastError: null };
  const ready = { vendor: "reader", state: "ready", until: null, reason: null, ...counts };
  const { control, clock } = service.services;
  await saveCollectorReport(control, "a", JSON.stringify([ready]), clock.now());
  const started = await read({ filters }, 202);
  const reply = await service.request("GET", `/v1/collections/${started.id}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  const { parts } = reply.json<ListedCollection>();
  assert.deepEqual(
    parts.map(({ vendor, provider, queued }) => ({ vendor, provider, queued })),
    [{ vendor: "reader", provider: "OPENAI", queued: started.requests }],
  );
  const again = await read({ filters }, 200);
  assert.deepEqual([again.id, again.alreadyRead], [null, 1], "it is being read");
});
