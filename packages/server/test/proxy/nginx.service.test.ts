import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { fromConsole } from "@sightline/test-kit/console-page.ts";
import { freePort } from "@sightline/test-kit/engines/free-port.ts";
import { ownCertificate } from "@sightline/test-kit/own-certificate.ts";
import { fiveQuestions } from "@sightline/test-kit/requests/five-questions.ts";
import { assertProblem } from "@sightline/test-kit/requests/problem-shape.ts";
import { corpusAnswer, corpusWorkspace } from "@sightline/test-kit/sample-corpus.ts";
import { TestService, temporaryFolder } from "@sightline/test-kit/test-service.ts";
import { root } from "../../../../build/folders.ts";
import { askFront } from "./front.ts";
import { hasNginx, startNginx, withInstead } from "./nginx.ts";

// The configurations that we give to others, run by the real nginx.

const read = (path: string) => readFileSync(join(root, path), "utf8");

/** deploy/cluster's, in front of these nodes. @returns its address. */
async function startCluster(t: TestContext, nodes: readonly [string, string]): Promise<string> {
  const port = await freePort();
  const [, http = ""] = /^http \{\n(.*)^\}/ms.exec(read("deploy/cluster/nginx.conf")) ?? [];
  let text = withInstead(http, "listen 8080;", `listen 127.0.0.1:${port};`);
  for (const [place, node] of nodes.entries()) {
    text = withInstead(text, `node-${place + 1}:8080`, new URL(node).host);
  }
  await startNginx(t, text, port);
  return `http://127.0.0.1:${port}`;
}

/** The guide's, in front of a service. @returns its address. */
async function startGuides(t: TestContext, service: string): Promise<string> {
  const port = await freePort();
  const [, block = ""] = /```nginx\n(.*?)```/s.exec(read("docs/guide/operations.md")) ?? [];
  const folder = temporaryFolder();
  const { key, cert } = ownCertificate(t, "sightline.example");
  for (const [name, pem] of Object.entries({ "cert.pem": cert, "key.pem": key })) {
    writeFileSync(join(folder, name), pem);
  }
  let text = withInstead(block, "listen 443 ssl;", `listen 127.0.0.1:${port} ssl;`);
  text = withInstead(text, "/etc/ssl/sightline", folder);
  text = withInstead(text, "http://127.0.0.1:8080", service);
  await startNginx(t, text, port);
  return `https://127.0.0.1:${port}`;
}

async function startBehindProxy(t: TestContext) {
  const settings = { trustedProxies: "127.0.0.1" };
  const service = await TestService.start({ settings });
  t.after(() => service.close());
  const accountId = await service.apply(corpusWorkspace);
  return { service, accountId, address: await service.listen() };
}

/** nginx refuses a body of over 1 MiB unless it is told otherwise, and ours did one of 2. */
const longerThanUsual = 2_500_000;

/** What people and programs do with the service, each through the proxy. */
async function assertAllPasses(
  front: string,
  { service, accountId }: Awaited<ReturnType<typeof startBehindProxy>>,
): Promise<void> {
  const token = await service.session(accountId, ["read", "import", "manage"]);
  const session = { authorization: `Bearer ${token}` };
  const json = { ...session, "content-type": "application/json" };
  const ndjson = { "content-type": "application/x-ndjson" };
  const question = fiveQuestions[0] ?? { path: "", body: {} };
  const asked = (body: string) =>
    askFront(front, { method: "POST", path: question.path, headers: json, body });
  assert.equal((await asked(JSON.stringify(question.body))).status, 200);
  assertProblem(await asked(" ".repeat(1_500_000)), "payload_too_large");

  const applied = (body: string) =>
    askFront(front, { method: "PUT", path: "/v1/workspace?dryRun=true", headers: json, body });
  const prompts = Array.from({ length: 13_000 }, (_, number) => {
    return `${number} ${"which seeds are best? ".repeat(9)}`;
  });
  const body = JSON.stringify({ ...corpusWorkspace, prompts });
  assert.ok(body.length > longerThanUsual);
  const dryRun = await applied(body);
  assert.equal(dryRun.status, 200, dryRun.body);
  assertProblem(await applied(" ".repeat(36_000_000)), "payload_too_large");

  const signedIn = await askFront(front, {
    method: "POST",
    path: "/console/sessions",
    // As a browser does where it sends no Sec-Fetch-Site: over http, to another machine.
    headers: { ...fromConsole, origin: front, "content-type": "application/json" },
    body: JSON.stringify({ key: await service.key(accountId, ["read", "import"]) }),
  });
  assert.equal(signedIn.status, 200, signedIn.body);
  const [cookie = ""] = (signedIn.headers["set-cookie"] as readonly string[]) ?? [];
  assert.equal(cookie.includes("; Secure"), front.startsWith("https:"), cookie);
  const page = { ...fromConsole, origin: front, cookie: cookie.split(";")[0] ?? "" };

  let answers = 0;
  const lines = () =>
    Array.from({ length: 100 }, () => {
      const answer = corpusAnswer(answers++);
      return `${JSON.stringify({ ...answer, text: `${answer.text} ${"more ".repeat(5_200)}` })}\n`;
    }).join("");
  const imports = [
    { path: "/v1/answers", headers: { ...session, ...ndjson } },
    { path: `/console/accounts/${accountId}/v1/answers`, headers: { ...page, ...ndjson } },
  ];
  for (const { path, headers } of imports) {
    const body = lines();
    assert.ok(body.length > longerThanUsual);
    const reply = await askFront(front, { method: "POST", path, headers, body });
    assert.equal(reply.status, 200, reply.body);
    assert.equal(reply.json<{ accepted: number }>().accepted, 100);
  }
  for (const path of ["/metrics", "/readyz"]) {
    const reply = await askFront(front, { method: "GET", path });
    assert.equal(reply.status, 404, path);
    assert.ok(!reply.body.includes("sightline"), path);
  }
}

test("what the service takes passes deploy/cluster's nginx, errors as they are", async (t) => {
  if (!hasNginx(t)) return;
  const behind = await startBehindProxy(t);
  const front = await startCluster(t, [behind.address, behind.address]);
  await assertAllPasses(front, behind);
});

test("the same through the nginx of the guide, over https", async (t) => {
  if (!hasNginx(t)) return;
  const behind = await startBehindProxy(t);
  await assertAllPasses(await startGuides(t, behind.address), behind);
});

/** Nodes that take each request whole and end before they reply. */
async function startEndingNode(t: TestContext, onTaken: () => void): Promise<string> {
  const server = createServer((request) => {
    request.resume();
    request.on("end", () => {
      onTaken();
      request.socket.destroy();
    });
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  t.after(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const ofConsole = "/console/accounts/3f2a9c1e-5b7d-4e8a-9c0f-1d2e3f4a5b6c";
const repeated = [
  ...fiveQuestions.map(({ path }) => ["POST", path] as const),
  ...["/v1/insights/summary", "/v1/insights/sources", "/v1/insights/series", "/v1/evidence"].map(
    (path) => ["POST", path] as const,
  ),
  ["POST", `${ofConsole}/v1/insights/summary`],
  ["POST", "/mcp"],
  ["POST", "/v1/auth/accesskey/exchange"],
  ["GET", "/v1/workspace"],
  ["DELETE", "/v1/hooks/x"],
] as const;
const once = [
  ["POST", "/v1/collections"],
  ["POST", `${ofConsole}/v1/collections`],
  ["POST", "/v1/keys"],
  ["POST", "/v1/hooks"],
  ["POST", "/v1/hooks/x/test"],
  ["POST", "/v1/answers"],
  ["POST", "/v1/answers/delete"],
  ["POST", "/console/sessions"],
] as const;

test("a node that ends has its questions asked again, and nothing done twice", async (t) => {
  if (!hasNginx(t)) return;
  const expected = [
    ...repeated.map((each) => [...each, 2] as const),
    ...once.map((each) => [...each, 1] as const),
  ];
  for (const [method, path, times] of expected) {
    await t.test(`${method} ${path}`, async (ofOne) => {
      let taken = 0;
      const node = () => startEndingNode(ofOne, () => taken++);
      const front = await startCluster(ofOne, [await node(), await node()]);
      const headers = { "content-type": "application/json" };
      const body = method === "POST" ? { body: "{}" } : {};
      const reply = await askFront(front, { method, path, headers, ...body });
      assert.deepEqual([reply.status, taken], [502, times]);
    });
  }
});

test("what a node does not accept, the other one takes", async (t) => {
  if (!hasNginx(t)) return;
  const behind = await startBehindProxy(t);
  const gone = `http://127.0.0.1:${await freePort()}`;
  const token = await behind.service.session(behind.accountId, ["manage"]);
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  // The first request goes to the node that comes first.
  for (const nodes of [[gone, behind.address] as const, [behind.address, gone] as const]) {
    const front = await startCluster(t, nodes);
    for (let time = 0; time < 2; time++) {
      const asked = { method: "POST", path: "/v1/collections", headers, body: '{"dryRun":true}' };
      assert.equal((await askFront(front, asked)).status, 200);
    }
  }
});
