import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { Agent, request } from "node:http";
import { after, test } from "node:test";
import { gzipSync } from "node:zlib";
import { answersPath } from "@sightline/contract";
import { assertProblem } from "@sightline/test-kit/requests/problem-shape.ts";
import { TestService } from "@sightline/test-kit/test-service.ts";
import { importsOf } from "../../import-store.ts";

const service = await TestService.start();
after(() => service.close());
const accountId = await service.apply({ account: { name: "Acme" }, brand: { name: "Acme" } });

async function token(scope: "read" | "import"): Promise<string> {
  const properties = { name: "test", expiresAt: null, scopes: [scope] };
  const { key } = await service.services.keyRing.create(accountId, properties);
  const reply = await service.post("/v1/auth/accesskey/exchange", { token: key });
  return reply.json<{ sessionJwt: string }>().sessionJwt;
}

const importing = await token("import");

function send(body: string | Buffer, headers: Record<string, string>) {
  return service.request("POST", answersPath, {
    body,
    headers: { "content-type": "application/x-ndjson", ...headers },
  });
}

test("nobody records without a session, nor with one that only reads", async () => {
  assertProblem(await send("", {}), "session_required");
  assertProblem(await send("", { authorization: "Bearer x" }), "session_invalid");
  const reading = { authorization: `Bearer ${await token("read")}` };
  assertProblem(await send("", reading), "scope_missing");
});

test("a source that a list cannot show is refused, and nothing is recorded", async () => {
  const headers = {
    authorization: `Bearer ${importing}`,
    "content-type": "application/x-ndjson",
  };
  const names = ["", "x".repeat(256), "a%00b", "a%0Ab", "a%E2%80%AEb", "a&source=b"];
  for (const name of names) {
    const path = `${answersPath}?source=${name}`;
    const reply = await service.request("POST", path, { body: "{}\n", headers });
    assert.match(assertProblem(reply, "invalid_request").detail, /parameter source/);
  }
  assert.deepEqual(await importsOf(service.services.control, accountId), []);
});

test("another content type and a coding that is not undone are refused first", async () => {
  assertProblem(await send("", { "content-type": "application/json" }), "unsupported_media_type");
  assertProblem(await send("", { "content-encoding": "br" }), "unsupported_media_type");
});

test("damaged compression says what was recorded before it", async () => {
  const whole = gzipSync("{}\n".repeat(1_000));
  const headers = { authorization: `Bearer ${importing}` };
  const reply = await send(whole.subarray(0, whole.length - 9), headers);
  const { detail } = assertProblem(reply, "invalid_request");
  assert.match(detail, /cannot be read.*0 answers were accepted/);
});

test("an import that failed amid its body leaves the connection usable", async (t) => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  t.after(() => agent.destroy());
  const url = await service.listen();
  const post = (body: Buffer) =>
    new Promise<number | undefined>((resolve, reject) => {
      const headers = {
        authorization: `Bearer ${importing}`,
        "content-type": "application/x-ndjson",
      };
      const sent = request(`${url}${answersPath}`, { method: "POST", headers, agent });
      sent.on("error", reject).on("response", (reply) => {
        reply.resume().on("end", () => resolve(reply.statusCode));
      });
      sent.end(body);
    });
  const gzipBeginning = gzipSync("{}").subarray(0, 10);
  assert.equal(await post(Buffer.concat([gzipBeginning, randomBytes(8_000_000)])), 400);
  assert.equal(await post(Buffer.from("")), 200);
});

test("CSV without a header is refused, and says what was expected", async () => {
  const headers = { authorization: `Bearer ${importing}`, "content-type": "text/csv" };
  for (const [body, fault] of [
    ["provder,text\n", /"provder" is not a known column\. Did you mean provider\?/],
    ["text,answeredAt\n", /The column "provider" is missing/],
    ['provider,"text\n', /A quoted cell is not closed/],
  ] as const) {
    const { detail } = assertProblem(await send(body, headers), "invalid_request");
    assert.match(detail, fault);
    assert.match(detail, /0 answers were accepted/);
  }
});

test("an empty body records nothing", async () => {
  const reply = await send("", { authorization: `Bearer ${importing}` });
  assert.equal(reply.status, 200);
  assert.equal(reply.json<{ accepted: number }>().accepted, 0);
});
