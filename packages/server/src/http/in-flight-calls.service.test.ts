import assert from "node:assert/strict";
import { once } from "node:events";
import { type IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import { after, test } from "node:test";
import { zstdCompressSync } from "node:zlib";
import { answersPath, keysPath, type Scope, workspacePath } from "@sightline/contract";
import { fromConsole } from "@sightline/test-kit/console-page.ts";
import { PersonPage } from "@sightline/test-kit/person-page.ts";
import { type CallHead, openCall } from "@sightline/test-kit/requests/open-call.ts";
import type { AfterHook } from "@sightline/test-kit/sample-account.ts";
import { TestService } from "@sightline/test-kit/test-service.ts";
import { until } from "@sightline/test-kit/until.ts";
import type { FastifyRequest } from "fastify";
import { workspaceOf } from "../accounts/account-store.ts";
import { changeRole } from "../people/memberships.ts";
import { nextTurn } from "../platform/turns.ts";
import { InFlightCalls } from "./in-flight-calls.ts";
import type { CallerKey } from "./operation.ts";

const service = await TestService.start();
after(() => service.close());
const url = await service.listen();
const prompt = "best hosting";
const ndjson = { method: "POST", path: answersPath, type: "application/x-ndjson" } as const;
const yaml = { method: "PUT", path: workspacePath, type: "application/yaml" } as const;

let accounts = 0;

/** A new account, with a session that may do this and one that manages its keys. */
async function newAccount(...scopes: readonly Scope[]) {
  const file = {
    account: { name: `Account ${accounts++}` },
    brand: { name: "Acme", domains: ["acme.com"] },
    prompts: [{ text: prompt, branded: false }],
  };
  const accountId = await service.apply(file);
  const manager = await service.session(accountId, ["manage"]);
  return { accountId, file, manager, token: await service.session(accountId, scopes) };
}

function line(sample: number): string {
  const answeredAt = "2026-01-15T09:00:00Z";
  const answer = { prompt, provider: "OPENAI", answeredAt, sample, text: "Take Acme." };
  return `${JSON.stringify(answer)}\n`;
}

async function revokeOthers(manager: string): Promise<void> {
  const headers = { authorization: `Bearer ${manager}` };
  const { keys } = (await service.request("GET", keysPath, { headers })).json<{
    keys: readonly { readonly keyId: string; readonly scopes: readonly Scope[] }[];
  }>();
  for (const { keyId, scopes } of keys) {
    if (scopes.includes("manage") && scopes.length === 1) continue;
    const { status } = await service.request("DELETE", `${keysPath}/${keyId}`, { headers });
    assert.equal(status, 200);
  }
}

/** A call whose head has come, as both of its ends see it. */
async function receivedCall(t: AfterHook, head: CallHead & { readonly first: string | Buffer }) {
  const received = once(service.app.server, "request") as Promise<[IncomingMessage]>;
  const call = await openCall(t, url, head);
  return { call, received: (await received)[0] };
}

test("bodies that trickle keep neither imports nor files of others out", async (t) => {
  for (let each = 0; each < 2; each++) {
    const { token } = await newAccount("import", "manage");
    for (const first of [line(0), '{"prompt'] as const) {
      await openCall(t, url, { ...ndjson, token, first });
    }
    await openCall(t, url, { ...yaml, token, first: "{" });
    await openCall(t, url, { ...yaml, token, first: "account:" });
  }
  const { token, file } = await newAccount("import", "manage");
  const imported = await openCall(t, url, { ...ndjson, token, first: line(0) });
  assert.equal((await imported.end(line(1))).body["accepted"], 2);
  const applied = await openCall(t, url, { ...yaml, token, first: JSON.stringify(file) });
  assert.equal((await applied.end()).status, 200);
});

test("an import ends when its key is revoked, and says what was accepted", async (t) => {
  const { accountId, token, manager } = await newAccount("import");
  const lines = (from: number, count: number) =>
    Array.from({ length: count }, (_, sample) => line(from + sample)).join("");
  const call = await openCall(t, url, { ...ndjson, token, first: lines(0, 600) });
  const { answers } = service.services;
  const recorded = async () => (await answers.end(accountId)).sequence;
  await until("the first batch is recorded", async () => ((await recorded()) >= 500 ? true : null));
  const before = await recorded();
  await revokeOthers(manager);
  const { status, body } = await call.reply; // without a further byte of the sender
  assert.deepEqual([status, body["code"]], [401, "session_invalid"]);
  assert.match(String(body["detail"]), new RegExp(`${before} answers were accepted before`));
  call.send(lines(600, 600));
  assert.equal(await recorded(), before);
});

test("a file whose key was revoked while it came is not applied", async (t) => {
  const { accountId, token, manager, file } = await newAccount("manage", "read");
  const text = JSON.stringify({ ...file, brand: { name: "Globex" } });
  const { call } = await receivedCall(t, { ...yaml, token, first: text.slice(0, 50) });
  // Its session is checked as soon as its head is there, and this one's after that.
  await service.request("GET", workspacePath, { headers: { authorization: `Bearer ${token}` } });
  await revokeOthers(manager);
  const { status, body } = await call.end(text.slice(50));
  assert.deepEqual([status, body["code"]], [401, "session_invalid"]);
  const workspace = await workspaceOf(service.services.control, accountId);
  assert.equal(workspace?.entities[0]?.name, "Acme");
});

test("imports whose thread dies fail, say no number, and give back their places", async (t) => {
  const { accountId, token } = await newAccount("import");
  const lines = Array.from({ length: 600 }, (_, sample) => line(sample)).join("");
  const calls = [];
  for (let each = 0; each < 2; each++) {
    calls.push(await openCall(t, url, { ...ndjson, token, first: lines }));
  }
  const { answers, imports } = service.services;
  const isRecorded = async () => ((await answers.end(accountId)).sequence >= 500 ? true : null);
  await until("the first batch is recorded", isRecorded);
  await imports.close();
  for (const { reply } of calls) {
    const { status, body } = await reply;
    assert.deepEqual([status, body["code"]], [500, "internal_error"]);
    assert.match(String(body["detail"]), /What was accepted before is recorded\./);
  }
  const next = await openCall(t, url, { ...ndjson, token, first: line(700) });
  assert.equal((await next.end()).body["accepted"], 1);
});

test("a call of the console ends with its key, whatever other cookies come with it", async () => {
  const { accountId } = await newAccount("read");
  const { keyRing, consoleSessions } = service.services;
  const cookies: string[] = [];
  const keys: CallerKey[] = [];
  for (const name of ["first", "second"]) {
    const { record } = await keyRing.create(accountId, { name, expiresAt: null });
    keys.push(record);
    const { token } = await consoleSessions.begin(record);
    cookies.push(`sightline-${accountId}=${token}`);
  }
  const [caller] = keys;
  assert.ok(caller);
  const headers = { cookie: cookies.join("; ") };
  const request = { headers, params: { accountId } } as FastifyRequest;
  const byCookie = service.services.callerKinds[1];
  assert.equal(await byCookie?.isStillGood(request, caller, "read"), true);
  await keyRing.revoke(caller.id);
  assert.equal(await byCookie?.isStillGood(request, caller, "read"), false);
});

test("a lower role ends the calls that it does not allow, and no others", async () => {
  const { accountId } = await newAccount("read");
  const person = { email: "ann@example.com", role: "manager" } as const;
  const { cookie, personId } = await PersonPage.join(service, accountId, person);
  const headers: IncomingHttpHeaders = { ...fromConsole, cookie };
  const request = { headers, params: { accountId } } as FastifyRequest;
  const { callerKinds, control } = service.services;
  const byCookie = callerKinds[1];
  const caller = await byCookie?.identify(request);
  assert.ok(byCookie && caller);
  const goOn = () =>
    Promise.all(
      (["read", "manage"] as const).map((each) => byCookie.isStillGood(request, caller, each)),
    );
  assert.deepEqual(await goOn(), [true, true]);
  await changeRole(control, accountId, { personId, role: "viewer", now: service.clock.now() });
  assert.deepEqual(await goOn(), [true, false]);
});

/** 128 KiB of line feeds in some 150 bytes, so many times: a body within the bounds. */
function blankLines(times: number): Buffer {
  const head = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0, 0x38]);
  const blockHead = (bytes: number, kind: number, isLast = 0) => {
    const three = Buffer.alloc(3);
    three.writeUIntLE((bytes << 3) | (kind << 1) | isLast, 0, 3);
    return three;
  };
  const feeds = Buffer.concat([blockHead(131_072, 1), Buffer.from("\n")]);
  const spread = Buffer.concat([blockHead(145, 0), Buffer.alloc(145, "\n")]);
  const blocks = Array.from({ length: times }, () => [feeds, spread]).flat();
  return Buffer.concat([head, ...blocks, blockHead(0, 0, 1)]);
}

test("an import whose sender is gone ends, with its body complete", async (t) => {
  const { token } = await newAccount("import");
  const body = Buffer.concat([zstdCompressSync("provider,text\n"), blankLines(3_000)]);
  const csv = { ...ndjson, type: "text/csv", token };
  for (let each = 0; each < 2; each++) {
    const { call, received } = await receivedCall(t, { ...csv, first: body.subarray(0, 100) });
    void call.end(body.subarray(100));
    await until("its body is there", () => (received.complete ? true : null));
    call.hangUp();
  }
  // Both places of the account are free again.
  const next = await openCall(t, url, { ...ndjson, token, first: line(7) });
  const startedMs = performance.now();
  assert.equal((await next.end()).body["accepted"], 1);
  assert.ok(performance.now() - startedMs < 8_000, "it waited for those who are gone");
});

test("a body that stands for too much is refused, exactly", async (t) => {
  const { token } = await newAccount("import");
  const bomb = Buffer.concat([
    Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0, 0x38]),
    ...Array.from({ length: 2_000 }, () => Buffer.from([0x02, 0x00, 0x10, 0x0a])),
  ]);
  const call = await openCall(t, url, { ...ndjson, token, first: bomb });
  const { status, body } = await call.reply; // its end never comes
  assert.deepEqual([status, body["code"]], [400, "invalid_request"]);
  assert.equal(
    body["detail"],
    "/: cannot be read: after its first 64 MiB the content must be at most 1,000 times as long " +
      "as what it was compressed to, and it is longer. 0 answers were accepted before and are " +
      "recorded.",
  );
});

test("a caller who hung up before the call began is not looked after", async () => {
  const calls = new InFlightCalls();
  const reply = new ServerResponse(new IncomingMessage(new Socket()));
  reply.destroy();
  let looks = 0;
  const isGood = async () => {
    looks++;
    return true;
  };
  assert.equal(calls.begin(reply, isGood).aborted, true);
  await calls.endRevoked();
  assert.equal(looks, 0);
});

test("callers are looked up a few at a time, and by one look", async () => {
  const calls = new InFlightCalls();
  let [now, most, looks] = [0, 0, 0];
  const isGood = async () => {
    looks++;
    most = Math.max(most, ++now);
    await nextTurn();
    now--;
    return true;
  };
  for (let each = 0; each < 100; each++) {
    calls.begin(new ServerResponse(new IncomingMessage(new Socket())), isGood);
  }
  await Promise.all([calls.endRevoked(), calls.endRevoked()]);
  assert.deepEqual([looks, most], [100, 16]);
});
