import assert from "node:assert/strict";
import { connect } from "node:net";
import { after, test } from "node:test";
import { gzipSync, zstdCompressSync } from "node:zlib";
import { answersPath, type ImportAnswersResponse } from "@sightline/contract";
import { TestService } from "@sightline/test-kit/test-service.ts";
import { until } from "@sightline/test-kit/until.ts";
import { importsOf } from "../../import-store.ts";

const service = await TestService.start();
after(() => service.close());
const prompt = "best hosting";

/** A new account, and a session that may do this. */
async function account(...scopes: readonly ("read" | "import" | "manage")[]) {
  const accountId = await service.apply({
    account: { name: `Account ${Math.random()}` },
    brand: { name: "Acme", domains: ["acme.com"] },
    prompts: [{ text: prompt, branded: false }],
  });
  const { key } = await service.services.keyRing.create(accountId, {
    name: "test",
    expiresAt: null,
    scopes,
  });
  const reply = await service.post("/v1/auth/accesskey/exchange", { token: key });
  return { accountId, token: reply.json<{ sessionJwt: string }>().sessionJwt };
}

function line(sample: number, text = "Take Acme."): string {
  const answeredAt = "2026-01-15T09:00:00Z";
  return `${JSON.stringify({ prompt, provider: "OPENAI", answeredAt, sample, text })}\n`;
}

async function send(token: string, body: string | Buffer, headers: Record<string, string> = {}) {
  return sendTo(answersPath, body, { authorization: `Bearer ${token}`, ...headers });
}

async function sendTo(path: string, body: string | Buffer, headers: Record<string, string>) {
  const all = { "content-type": "application/x-ndjson", ...headers };
  const reply = await service.request("POST", path, { body, headers: all });
  return { status: reply.status, body: reply.json<ImportAnswersResponse>() };
}

test("answers are recorded and count, and the same body again changes nothing", async () => {
  const { accountId, token } = await account("read", "import");
  const body = [line(0), line(1), line(2, "Nothing.")].join("");
  const first = await send(token, body);
  assert.equal(first.status, 200);
  const { importId, ...counts } = first.body;
  assert.match(importId, /^[0-9a-f-]{36}$/);
  const none = { rejected: 0, warnings: 0, errors: [] };
  assert.deepEqual(counts, { accepted: 3, duplicates: 0, ...none });
  const { importId: other, ...again } = (await send(token, body)).body;
  assert.notEqual(other, importId);
  assert.deepEqual(again, { accepted: 0, duplicates: 3, ...none });
  await service.settle(accountId);
  const timeRange = { from: "2026-01-15T00:00:00Z", to: "2026-01-16T00:00:00Z" };
  const asked = { interval: "daily", filters: { timeRange } };
  const reply = await service.post("/v1/analytics/brands/mentions", { token, body: asked });
  const { series } = reply.json<{ series: { data: { value: number }[] }[] }>();
  assert.equal(series[0]?.data[0]?.value, 2 / 3);
});

test("gzip and zstd are undone, said or not", async () => {
  const { token } = await account("import");
  const bodies = [gzipSync(line(0)), zstdCompressSync(line(1))];
  assert.equal((await send(token, bodies[0] ?? "")).body.accepted, 1);
  assert.equal((await send(token, bodies[1] ?? "")).body.accepted, 1);
  const said = await send(token, bodies[0] ?? "", { "content-encoding": "gzip" });
  assert.equal(said.body.duplicates, 1);
});

test("CSV is recorded as the lines that it means", async () => {
  const { token } = await account("import");
  const rows = [
    "sample,prompt,provider,answeredAt,text,region",
    `0,${prompt},OPENAI,2026-01-15T09:00:00Z,Take Acme.,`,
    `1,${prompt},openai,2026-01-15T09:00:00Z,"Two\nlines",`,
    "",
    `2,${prompt},OPENAI,2026-01-15T09:00:00Z,"Take ""Acme"".",us`,
  ];
  const type = { "content-type": "text/csv; charset=utf-8" };
  const { body, status } = await send(token, gzipSync(rows.join("\r\n")), type);
  assert.deepEqual([status, body.accepted, body.rejected], [200, 2, 1]);
  assert.deepEqual(
    body.errors.map(({ line: number, path }) => `${number} ${path}`),
    ["3 /provider"],
  );
  // The same answer in the other format is the same answer.
  assert.equal((await send(token, line(0))).body.duplicates, 1);
});

test("rejected lines are named with their faults, and stop no other line", async () => {
  const { token } = await account("import");
  const body = `${line(0)}\nnonsense\n{"provider":"openai"}\n${line(1)}${line(1, "Other.")}`;
  const { body: counts } = await send(token, body);
  assert.deepEqual([counts.accepted, counts.rejected], [2, 3]);
  assert.deepEqual(
    counts.errors.map(({ line: number, path }) => `${number} ${path}`),
    ["3 ", "4 /provider", "4 /answeredAt", "6 "],
  );
});

test("of many rejected lines a hundred are named", async () => {
  const { token } = await account("import");
  const { body } = await send(token, "[]\n".repeat(250));
  assert.deepEqual([body.rejected, body.errors.length], [250, 100]);
});

test("the list of imports shows what the sender calls the import", async () => {
  const { accountId, token } = await account("import");
  const name = `Köln & Umgebung 👩‍🔬${"🔬".repeat(229)}.ndjson`; // 255 characters
  const authorization = `Bearer ${token}`;
  await sendTo(`${answersPath}?source=${encodeURIComponent(name)}`, line(0), { authorization });
  service.clock.advance(1_000);
  await send(token, line(1));
  const imports = await importsOf(service.services.control, accountId);
  assert.deepEqual(
    imports.map(({ source }) => source),
    ["http", name],
  );
});

test("the workspace counts sample answers until their import is undone", async () => {
  const { accountId, token } = await account("import", "read", "manage");
  const samples = async () => {
    await service.settle(accountId);
    const reply = await service.request("GET", "/v1/workspace", { headers: { authorization } });
    return reply.json<{
      answers: { count: number; samples?: { count: number; importIds: string[] } };
    }>().answers;
  };
  const authorization = `Bearer ${token}`;
  const sampled = `${answersPath}?source=sample%20answers`;
  await send(token, line(0));
  assert.deepEqual((await samples()).samples, undefined);
  const { body } = await sendTo(sampled, line(1) + line(2), { authorization });
  const { count, samples: counted } = await samples();
  assert.deepEqual([count, counted], [3, { count: 2, importIds: [body.importId] }]);
  const undo = `/v1/imports/${body.importId}`;
  await service.request("DELETE", undo, { headers: { authorization } });
  assert.deepEqual((await samples()).samples, undefined);
});

test("what was recorded before a connection broke stays, as an incomplete import", async () => {
  const { accountId, token } = await account("import");
  const url = new URL(await service.listen());
  const socket = connect(Number(url.port), url.hostname);
  const head = `POST ${answersPath} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${token}\r\n`;
  const fields = "Content-Type: application/x-ndjson\r\nContent-Length: 9000000\r\n\r\n";
  const lines = Array.from({ length: 600 }, (_, sample) => line(sample)).join("");
  socket.write(`${head}${fields}${lines}`);
  const { answers } = service.services;
  await until("the first batch is recorded", async () =>
    (await answers.end(accountId)).sequence >= 500 ? true : null,
  );
  const listed = async () => (await importsOf(service.services.control, accountId))[0];
  assert.equal((await listed())?.state, "running");
  socket.destroy();
  await until("the import has ended", async () =>
    (await listed())?.state === "incomplete" ? true : null,
  );
  const { body } = await send(token, lines);
  assert.equal(body.accepted + body.duplicates, 600);
  assert.ok(body.duplicates >= 500);
  const states = await importsOf(service.services.control, accountId);
  assert.deepEqual(new Set(states.map(({ state }) => state)), new Set(["incomplete", "complete"]));
});
