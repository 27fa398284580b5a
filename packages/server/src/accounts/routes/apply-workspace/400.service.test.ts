import assert from "node:assert/strict";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { assertProblem } from "@sightline/test-kit/requests/problem-shape.ts";
import { sharedService } from "@sightline/test-kit/shared-sample.ts";
import { workspaceOf } from "../../account-store.ts";
import { workspaceBytesMax } from "../../workspace-file/parse-yaml.ts";

const service = await sharedService();
const accountId = await service.apply({ account: { name: "Acme" }, brand: { name: "Acme" } });
const other = await service.apply({ account: { name: "Other" }, brand: { name: "Other" } });
const json = { "content-type": "application/json" };
const yaml = { "content-type": "application/yaml" };
const good = '{"account":"Acme","brand":"Acme"}';

async function send(
  body: string | Buffer,
  headers: Readonly<Record<string, string>>,
  { query = "", scope = "manage" }: { query?: string; scope?: "read" | "manage" } = {},
) {
  const authorization = `Bearer ${await service.session(accountId, [scope])}`;
  const all = { authorization, ...headers };
  return service.request("PUT", `/v1/workspace${query}`, { body, headers: all });
}

async function faultsOf(...sent: Parameters<typeof send>): Promise<readonly string[]> {
  const { errors = [] } = assertProblem(await send(...sent), "invalid_request");
  return errors.map(({ path, code, message }) => `${path} ${code} ${message}`);
}

test("faults of fields are named by pointers, those of the text by lines", async () => {
  const faulty = { account: "Acme", brand: { name: "Acme", alias: [] }, topics: "Storage" };
  assert.deepEqual(await faultsOf(JSON.stringify(faulty), json), [
    '/brand/alias unknown_field "alias" is not a known field. Did you mean aliases?',
    '/topics wrong_type must be a list, got "Storage". Write ["Storage"]',
  ]);
  assert.deepEqual(await faultsOf("account: Acme\nbrand: Acme\nbrand: B\n", yaml), [
    ' wrong_format Line 3: The field "brand" is given twice. Give each field once.',
  ]);
  const twice = "account: A\nbrand: A\nprompts: [a, a]\n";
  const [twin = ""] = await faultsOf(twice, yaml);
  assert.equal(twin, '/prompts/1 excluded "a" is already the text of /prompts/0.');
});

test("the id of another account is refused", async () => {
  const body = JSON.stringify({ account: { id: other, name: "Acme" }, brand: "Acme" });
  const form = `must be left out, or ${accountId}, the account that the file is applied to.`;
  assert.deepEqual(await faultsOf(body, json), [`/account/id not_allowed ${form}`]);
});

test("a body that is not what it says", async () => {
  for (const body of ["", "{", "account: A\nbrand: B\n", '{"brand":"a","brand":"b"}']) {
    assertProblem(await send(body, json), "malformed_json");
  }
  const latin1 = Buffer.from("account: Müller\nbrand: M\n", "latin1");
  assertProblem(await send(latin1, yaml), "malformed_json");
  const deep = "[".repeat(100_000);
  assert.match((await faultsOf(deep, json))[0] ?? "", /nested at most 32 levels/);
  assert.match((await faultsOf(deep, yaml))[0] ?? "", /more than 32 deep/);
});

test("a query parameter that is not known would be a change that nobody wanted", async () => {
  for (const [query, code] of [
    ["?dryrun=true", "unknown_field"],
    ["?dryRun=1", "not_allowed"],
    ["?dryRun", "not_allowed"],
    ["?dryRun=true&dryRun=false", "not_allowed"],
    ["?__proto__=1", "unknown_field"],
  ] as const) {
    const { errors } = assertProblem(await send(good, json, { query }), "invalid_request");
    assert.deepEqual([errors?.length, errors?.[0]?.code], [1, code], query);
  }
});

test("another type, a coding and too many bytes", async () => {
  assertProblem(await send(good, { "content-type": "text/plain" }), "unsupported_media_type");
  assertProblem(await send(good, { "content-type": "text/yaml" }), "unsupported_media_type");
  const coded = await send(gzipSync(good), { ...json, "content-encoding": "gzip" });
  assertProblem(coded, "unsupported_media_type");
  assert.equal(coded.headers["accept-encoding"], "identity");
  const large = Buffer.alloc(workspaceBytesMax + 1, " ");
  const { detail } = assertProblem(await send(large, json), "payload_too_large");
  assert.equal(detail, `The body must be at most ${workspaceBytesMax} bytes.`);
});

test("more values than a file may have are refused before they are made", async () => {
  const items = (item: string, count: number) => `prompts: [${`${item},`.repeat(count)}]\n`;
  const most = "must have at most 2000000 values";
  for (const text of [items("{}", 1_000_000), `prompts:\n${"- {a: {}}\n".repeat(500_000)}`]) {
    const [fault = ""] = await faultsOf(`account: A\nbrand: A\n${text}`, yaml);
    assert.ok(fault.includes(`A file ${most}. In YAML, each line, hyphen and`), fault);
  }
  const [fault = ""] = await faultsOf(`{"prompts":[${"[],".repeat(1_000_001)}[]]}`, json);
  assert.ok(fault.includes(most), fault);
});

test("who may not is told before the body is read", async () => {
  assertProblem(await send("{", json, { query: "?x", scope: "read" }), "scope_missing");
  const headers = { ...json, authorization: "Bearer x" };
  const reply = await service.request("PUT", "/v1/workspace", { body: "{", headers });
  assertProblem(reply, "session_invalid");
});

test("after all of these the workspace is as it was", async () => {
  const { control } = service.services;
  assert.equal((await workspaceOf(control, accountId))?.entities[0]?.name, "Acme");
  assert.equal((await workspaceOf(control, other))?.entities[0]?.name, "Other");
});
