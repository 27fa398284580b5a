import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { runInNewContext } from "node:vm";
import { root } from "./blocks.ts";
import type { AskedService } from "./served-pages.ts";

interface Collection {
  readonly info: { readonly schema: string };
  readonly auth: Bearer;
  readonly event: readonly { readonly listen: string; readonly script: Script }[];
  readonly variable: readonly { readonly key: string; readonly value: string }[];
  readonly item: readonly { readonly name: string; readonly request: CollectionRequest }[];
}

interface Script {
  readonly type: string;
  readonly exec: readonly string[];
}

interface Bearer {
  readonly type: "bearer";
  readonly bearer: readonly [{ readonly key: "token"; readonly value: string }];
}

interface CollectionRequest {
  readonly method: string;
  readonly header: readonly { readonly key: string; readonly value: string }[];
  readonly url: { readonly raw: string };
  readonly body?: { readonly mode: "raw"; readonly raw: string };
  readonly auth?: Bearer;
}

const schema = "https://schema.getpostman.com/json/collection/v2.1.0/collection.json";

/** Sends every request of the collection as Postman would, its script before each. */
export async function checkCollection(service: AskedService): Promise<void> {
  const file = join(root, "docs/postman/sightline.postman_collection.json");
  const collection: Collection = JSON.parse(readFileSync(file, "utf8"));
  assert.equal(collection.info.schema, schema);
  const secrets = collection.variable.filter(({ key }) => /key|session/.test(key));
  assert.deepEqual(new Set(secrets.map(({ value }) => value)), new Set([""]), "nothing is kept");
  const variables = new Map(collection.variable.map(({ key, value }) => [key, value]));
  variables.set("baseUrl", service.url).set("key", service.key);
  assert.deepEqual(
    collection.event.map(({ listen }) => listen),
    ["prerequest", "test"],
  );
  const [script = "", asserted = ""] = collection.event.map(({ script }) => script.exec.join("\n"));
  const exchanges: number[] = [];
  for (const { name, request } of collection.item) {
    exchanges.push(await runScript(script, request, variables));
    const reply = await send(request, collection.auth, variables);
    assert.deepEqual(failedTests(asserted, reply), [], `${name}: ${await reply.text()}`);
  }
  // The first request needs a session, the others use it.
  assert.deepEqual(exchanges, [1, ...exchanges.slice(1).fill(0)]);
  const until = Number(variables.get("sessionUntil")) - Date.now();
  assert.ok(until > 400_000 && until <= 480_000, `renewed in ${until} ms, of 600 s`);
  const [first] = collection.item;
  assert.ok(first !== undefined);
  variables.set("sessionUntil", String(Date.now() - 1));
  assert.equal(await runScript(script, first.request, variables), 1, "renewed in time");
  variables.set("sessionUntil", "").set("key", "sl_wrong");
  await assert.rejects(runScript(script, first.request, variables), /The exchange failed/);
  variables.set("session", "");
  const refused = await send(first.request, collection.auth, variables);
  assert.equal(refused.status, 401);
  assert.deepEqual(failedTests(asserted, refused), ["The status is 200"]);
}

function filled(text: string, variables: ReadonlyMap<string, string>): string {
  return text.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const value = variables.get(name);
    assert.ok(value !== undefined, `no variable ${name}`);
    return value;
  });
}

function send(
  { method, url, header, body, auth }: CollectionRequest,
  inherited: Bearer,
  variables: ReadonlyMap<string, string>,
): Promise<Response> {
  const token = filled((auth ?? inherited).bearer[0].value, variables);
  const headers = Object.fromEntries(header.map(({ key, value }) => [key, value]));
  return fetch(filled(url.raw, variables), {
    method,
    headers: { ...headers, authorization: `Bearer ${token}` },
    ...(body === undefined ? {} : { body: filled(body.raw, variables) }),
  });
}

/** Runs the script of tests on a reply. @returns the names of those that fail. */
function failedTests(script: string, { status, headers }: Response): readonly string[] {
  const failed: string[] = [];
  const to = {
    have: { status: (wanted: number) => assert.equal(status, wanted) },
    be: {
      get json() {
        return assert.match(headers.get("content-type") ?? "", /^application\/(problem\+)?json\b/);
      },
    },
  };
  const test = (name: string, run: () => unknown): void => {
    try {
      run();
    } catch {
      failed.push(name);
    }
  };
  runInNewContext(script, { pm: { test, response: { to } } });
  return failed;
}

/** What a script may ask for. */
interface SentRequest {
  readonly url: string;
  readonly method: string;
  readonly header: Readonly<Record<string, string>>;
}

/** What a script gets back. */
type Replied = (error: Error | null, reply: { code: number; json: () => unknown } | null) => void;

/** Runs the script with as much of `pm` as it uses. @returns how many requests it sent. */
async function runScript(
  script: string,
  { url }: CollectionRequest,
  variables: Map<string, string>,
): Promise<number> {
  const sent: Promise<void>[] = [];
  const read = { get: (name: string) => variables.get(name) };
  const pm = {
    request: { url: { toString: () => filled(url.raw, variables) } },
    variables: read,
    collectionVariables: {
      ...read,
      set: (name: string, value: string) => void variables.set(name, value),
    },
    sendRequest: ({ url: address, method, header }: SentRequest, replied: Replied) => {
      const asked = fetch(address, { method, headers: header }).then(async (reply) => {
        const value: unknown = await reply.json();
        replied(null, { code: reply.status, json: () => value });
      });
      sent.push(asked);
    },
  };
  runInNewContext(script, { pm, atob });
  await Promise.all(sent);
  return sent.length;
}
