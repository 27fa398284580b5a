import assert from "node:assert/strict";
import { test } from "node:test";
import { type AuditResponse, auditResponseSchema, scopes } from "@sightline/contract";
import { corpusAnswer, corpusWorkspace } from "@sightline/test-kit/sample-corpus.ts";
import { sharedService } from "@sightline/test-kit/shared-sample.ts";

type Entry = AuditResponse["entries"][number];

/** A service with an account of its own, and what asks it as a key with every scope. */
async function startAccount(name: string) {
  const service = await sharedService();
  const workspace = { ...corpusWorkspace, account: { name } };
  const accountId = await service.apply(workspace);
  const token = await service.session(accountId, scopes);
  const send = async (method: "GET" | "POST" | "PUT" | "DELETE", path: string, body?: object) => {
    const isLines = path === "/v1/answers" || path === "/v1/labels";
    const type = isLines ? "application/x-ndjson" : "application/json";
    const headers = { authorization: `Bearer ${token}`, "content-type": type };
    const text = body === undefined ? {} : { body: `${JSON.stringify(body)}\n` };
    const reply = await service.request(method, path, { headers, ...text });
    assert.ok(reply.status < 300, `${method} ${path}: ${reply.status} ${reply.body}`);
    return reply;
  };
  const log = async (query = ""): Promise<AuditResponse> => {
    const reply = (await send("GET", `/v1/audit${query}`)).json<AuditResponse>();
    return auditResponseSchema.parse(reply);
  };
  return { service, accountId, workspace, send, log };
}

test("every change by a key is in the log, with the key and its request", async () => {
  const { send, log, workspace } = await startAccount("Audited");
  const expected: (readonly [action: Entry["action"], subject: string | null, id: unknown])[] = [];
  const changed = async (
    action: Entry["action"],
    subject: (reply: Record<string, string>) => string | null | undefined,
    ...[method, path, body]: Parameters<typeof send>
  ) => {
    const reply = await send(method, path, body);
    const json = reply.json<Record<string, string>>();
    expected.push([action, subject(json) ?? null, reply.headers["x-request-id"]]);
    return json;
  };
  const none = () => null;
  const answer = { ...corpusAnswer(1), id: "5e0c2f0a-7d2e-5b57-9a3a-3d6c8f2b1a4d" };
  await changed("workspace.applied", none, "PUT", "/v1/workspace", {
    ...workspace,
    prompts: [...workspace.prompts, "Which seeds are new?"],
  });
  const key = await changed("key.created", (made) => made["keyId"], "POST", "/v1/keys", {
    name: "for a board",
  });
  await changed("key.revoked", () => key["keyId"], "DELETE", `/v1/keys/${key["keyId"]}`);
  const hook = await changed("webhook.created", (made) => made["id"], "POST", "/v1/hooks", {
    url: "https://hooks.example.com/sightline",
  });
  await changed("webhook.deleted", () => hook["id"], "DELETE", `/v1/hooks/${hook["id"]}`);
  const credentials = "/v1/collection/credentials/openai";
  await changed("credential.stored", () => "openai", "PUT", credentials, {
    credential: "sk-a-key-of-the-vendor",
  });
  await changed("credential.deleted", () => "openai", "DELETE", credentials);
  const imported = await changed(
    "answers.imported",
    (made) => made["importId"],
    "POST",
    "/v1/answers",
    answer,
  );
  const { brand } = (await send("GET", "/v1/workspace")).json<{ brand: { id: string } }>();
  await changed("labels.stored", none, "POST", "/v1/labels", {
    answerId: answer.id,
    entityId: brand.id,
    metric: "mentions",
    value: true,
    labeller: "ann",
  });
  await changed("labels.removed", none, "DELETE", "/v1/labels?labeller=ann");
  const undo = `/v1/imports/${imported["importId"]}`;
  await changed("import.undone", () => imported["importId"], "DELETE", undo);
  await send("POST", "/v1/answers", answer);
  await changed("answers.removed", none, "POST", "/v1/answers/delete", {
    ids: [answer.id],
    dryRun: false,
  });
  const { entries } = await log();
  const byKey = entries.filter(({ actor }) => actor.kind === "key").toReversed();
  const [{ actor } = { actor: null }] = byKey;
  assert.equal(actor?.name, "test");
  const said = new Map(byKey.map(({ sequence, ...entry }) => [entry.actor.requestId, entry]));
  for (const [action, subject, requestId] of expected) {
    const entry = said.get(String(requestId));
    assert.deepEqual([entry?.action, entry?.subject], [action, subject], action);
  }
  assert.equal(byKey.length, expected.length + 1, "the second import, and no other");
  const text = JSON.stringify(entries);
  for (const secret of ["sk-a-key-of-the-vendor", key["key"], hook["secret"]]) {
    assert.ok(secret !== undefined && !text.includes(secret), "a secret is in the log");
  }
  const [applied] = byKey;
  const items = applied?.after?.["items"] as readonly { readonly text?: string }[];
  assert.deepEqual(
    items.map(({ text }) => text),
    ["Which seeds are new?"],
  );
});

test("pages follow each other, newest first; filters narrow them", async () => {
  const { send, log } = await startAccount("Audited by page");
  for (const name of ["one", "two", "three"]) await send("POST", "/v1/keys", { name });
  const whole = (await log()).entries;
  const paged: Entry[] = [];
  for (let cursor: string | null = ""; cursor !== null; ) {
    const after: string = cursor === "" ? "" : `&cursor=${cursor}`;
    const page: AuditResponse = await log(`?limit=2${after}`);
    paged.push(...page.entries);
    cursor = page.nextCursor;
  }
  assert.deepEqual(paged, whole);
  assert.deepEqual(
    whole.map(({ sequence }) => sequence),
    whole.map((_, place) => whole.length - place),
  );
  const created = (await log("?action=key.created")).entries;
  assert.equal(created.length, 4, "the test's own and three");
  const [last] = created;
  assert.deepEqual((await log(`?subject=${last?.subject}`)).entries, [last]);
  const own = await log(`?actorId=${last?.actor.id}&from=${last?.at}&to=2100-01-01T00:00:00Z`);
  assert.equal(own.entries.length, 3);
});

test("a log is its account's alone, and needs the scope manage", async () => {
  const [one, other] = [await startAccount("Audited one"), await startAccount("Audited other")];
  await one.send("POST", "/v1/keys", { name: "a secret project" });
  assert.equal(JSON.stringify(await other.log()).includes("a secret project"), false);
  const token = await one.service.session(one.accountId, ["read", "import"]);
  const headers = { authorization: `Bearer ${token}` };
  assert.equal((await one.service.request("GET", "/v1/audit", { headers })).status, 403);
});
