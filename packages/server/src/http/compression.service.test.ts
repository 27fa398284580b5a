import assert from "node:assert/strict";
import { request } from "node:http";
import { buffer } from "node:stream/consumers";
import { test } from "node:test";
import { gunzipSync } from "node:zlib";
import { sampleRange, startSample } from "@sightline/test-kit/sample-account.ts";
import { ServiceError } from "../platform/service-error.ts";
import { acceptsGzip, gzippedReply } from "./content-coding.ts";

const path = "/v1/analytics/brands/mentions";
const short = { interval: "daily", filters: { timeRange: sampleRange } };
const year = { from: "2026-01-01T00:00:00Z", to: "2027-01-01T00:00:00Z" };
const long = { interval: "daily", filters: { timeRange: year } };

test("Accept-Encoding is read as RFC 9110 says", () => {
  for (const field of ["gzip", "br, gzip", "GZIP;q=0.5", "*", "br;q=1, *;q=0.1", "x-gzip"]) {
    assert.equal(acceptsGzip(field), true, field);
  }
  for (const field of [undefined, "", "br", "gzip;q=0", "*, gzip;q=0", "gzip;q=x", "identity"]) {
    assert.equal(acceptsGzip(field), false, field);
  }
});

test("a reply that is late while it is compressed is refused for being late", async () => {
  const late = new ServiceError("deadline_exceeded", "The request took too long.");
  const controller = new AbortController();
  const compressed = gzippedReply(Buffer.alloc(4_000_000, "text"), controller.signal);
  controller.abort(late);
  await assert.rejects(compressed, (error) => error === late);
});

test("a large reply is compressed for those who take it, and is the same reply", async (t) => {
  const { service, token } = await startSample(t);
  const url = await service.listen();
  const ask = (body: object, encodings?: string) =>
    new Promise<{ headers: Readonly<Record<string, unknown>>; bytes: Buffer }>((resolve, reject) =>
      request(
        `${url}${path}`,
        {
          method: "POST",
          headers: {
            authorization: `Bearer ${token}`,
            "content-type": "application/json",
            ...(encodings === undefined ? {} : { "accept-encoding": encodings }),
          },
        },
        (reply) => {
          buffer(reply).then((bytes) => resolve({ headers: reply.headers, bytes }), reject);
        },
      )
        .on("error", reject)
        .end(JSON.stringify(body)),
    );
  const plain = await ask(long);
  assert.equal(plain.headers["content-encoding"], undefined);
  assert.equal(plain.headers["vary"], "Accept-Encoding");
  for (let round = 0; round < 2; round++) {
    const compressed = await ask(long, "br, gzip");
    assert.equal(compressed.headers["content-encoding"], "gzip");
    assert.equal(compressed.headers["content-length"], String(compressed.bytes.length));
    assert.ok(compressed.bytes.length < plain.bytes.length / 4);
    assert.deepEqual(gunzipSync(compressed.bytes), plain.bytes);
  }
  const small = await ask(short, "gzip");
  assert.equal(small.headers["content-encoding"], undefined);
});

test("a kept reply is gone when the facts change", async (t) => {
  const { service, token, accountId } = await startSample(t);
  const ask = async () => (await service.post(path, { token, body: short })).body;
  const before = await ask();
  assert.equal(await ask(), before);
  const { values } = await service.services.metrics.replyCache.get();
  assert.equal(values.find(({ labels }) => labels.result === "hit")?.value, 1);
  await service.import(accountId, [
    {
      promptId: "11111111-0000-4000-8000-000000000001",
      provider: "GEMINI",
      answeredAt: "2026-01-06T08:00:00Z",
      text: "Acme.",
    },
  ]);
  assert.notEqual(await ask(), before);
});
