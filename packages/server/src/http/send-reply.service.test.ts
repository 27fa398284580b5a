import assert from "node:assert/strict";
import { test } from "node:test";
import { hangUp } from "@sightline/test-kit/requests/hang-up.ts";
import { rawReply, rawRequest } from "@sightline/test-kit/requests/raw-request.ts";
import { sampleRange, startSample } from "@sightline/test-kit/sample-account.ts";
import { sharedSample } from "@sightline/test-kit/shared-sample.ts";

const path = "/v1/analytics/brands/mentions";

/** More than ten years by day: three entities' points are some 600 kB, of which 3 days count. */
const years = { from: "2020-01-01T00:00:00Z", to: "2030-12-01T00:00:00Z" } as const;

function head(token: string, range: object, field = ""): string {
  const body = JSON.stringify({ interval: "daily", filters: { timeRange: range } });
  const fields = [
    "Host: sightline",
    "Content-Type: application/json",
    `Authorization: Bearer ${token}`,
    `Content-Length: ${body.length}`,
  ];
  return `POST ${path} HTTP/1.1\r\n${fields.join("\r\n")}\r\n${field}\r\n${body}`;
}

interface Series {
  readonly series: readonly {
    readonly id: string;
    readonly data: readonly { readonly timestamp: string; readonly value: number | null }[];
  }[];
}

/** The points that are not null. */
function counted(body: string) {
  return (JSON.parse(body) as Series).series.map(({ id, data }) => ({
    id,
    points: data.filter(({ value }) => value !== null),
  }));
}

test("large replies come whole, in their order, also faster than they are read", async (t) => {
  const { service, token } = await startSample(t);
  const url = await service.listen();
  const close = "Connection: close\r\n";
  const [short] = await rawRequest(url, head(token, sampleRange, close));
  const asked = Array.from({ length: 30 }, (_, each) =>
    head(token, each % 3 ? years : sampleRange),
  );
  const replies = await rawRequest(url, [...asked, head(token, years, close)].join(""));
  assert.equal(replies.length, 31);
  let bytes = 0;
  for (const { status, headers, body } of replies) {
    assert.equal(status, 200);
    assert.equal(headers["transfer-encoding"], undefined);
    assert.deepEqual(counted(body), counted(short?.body ?? ""));
    bytes += body.length;
  }
  assert.ok(bytes > 10_000_000, `${bytes} bytes`); // no kernel buffers this much
});

test("a client that hangs up within a large reply does not fail the service", async (t) => {
  const { service, token } = await sharedSample();
  const bytes = head(token, years).repeat(30);
  const { url, lines } = await hangUp(t, service.services, { bytes, at: "reply" });
  const reply = await rawReply(url, head(token, years, "Connection: close\r\n"));
  assert.equal(reply.status, 200);
  const refused = lines.filter(({ level, status }) => Number(level) >= 40 || Number(status) >= 500);
  assert.deepEqual(refused, []);
});
