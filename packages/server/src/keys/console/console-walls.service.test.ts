import assert from "node:assert/strict";
import { test } from "node:test";
import { scopes } from "@sightline/contract";
import { ConsolePage, fromConsole } from "@sightline/test-kit/console-page.ts";
import { assertProblem } from "@sightline/test-kit/requests/problem-shape.ts";
import { startSample } from "@sightline/test-kit/sample-account.ts";
import type { TestService } from "@sightline/test-kit/test-service.ts";
import type { KnownOperation } from "../../http/operation.ts";
import { operationsOf } from "../../server.ts";
import type { Services } from "../../services.ts";

type ApiRoute = KnownOperation<Services>;

const api = operationsOf(false).filter((route): route is ApiRoute => "scope" in route);

/** Requests that our pages never send, at http://sightline:8080. */
const foreign: readonly Readonly<Record<string, string>>[] = [
  {},
  { "sightline-console": "0" },
  { ...fromConsole, "sec-fetch-site": "cross-site" },
  { ...fromConsole, "sec-fetch-site": "same-site", origin: "http://sightline:8081" },
  { ...fromConsole, origin: "https://other.example" },
  { ...fromConsole, origin: "http://sightline:8081" },
  { ...fromConsole, origin: "https://sightline:8080" },
  { ...fromConsole, origin: "foo://sightline:8080" },
  { ...fromConsole, origin: "null" },
];
const own: readonly Readonly<Record<string, string>>[] = [
  { ...fromConsole },
  { ...fromConsole, "sec-fetch-site": "same-origin", origin: "http://sightline:8080" },
  { ...fromConsole, origin: "http://sightline:8080" },
];

/** Calls an operation as the console does, with a body of the right type. */
function ask(
  service: TestService,
  { method, path }: ApiRoute,
  { prefix, headers }: { prefix: string; headers: Readonly<Record<string, string>> },
) {
  const isStream = ["/v1/answers", "/v1/labels"].includes(path);
  const type = isStream ? "application/x-ndjson" : "application/json";
  const body = method === "POST" || method === "PUT" ? { body: "{}" } : {};
  const fields = { host: "sightline:8080", "content-type": type, ...headers };
  return service.request(method, `${prefix}${path}`, { headers: fields, ...body });
}

test("every operation wants the console's page, its cookie and its account", async (t) => {
  const { service, accountId } = await startSample(t, { corsOrigins: "https://other.example" });
  const other = "cccccccc-0000-4000-8000-000000000009";
  await service.apply({ account: { id: other, name: "Other" }, brand: { name: "Other" } });
  const page = await ConsolePage.open(service, accountId, scopes);
  const stolen = page.cookie.replace(accountId, other);
  assert.ok(api.length > 15);
  for (const route of api) {
    const prefix = `/console/accounts/${accountId}`;
    for (const each of foreign) {
      const reply = await ask(service, route, {
        prefix,
        headers: { ...each, cookie: page.cookie },
      });
      assertProblem(reply, "not_from_console");
      assert.equal(reply.headers["access-control-allow-origin"], undefined);
    }
    for (const each of own) {
      assertProblem(await ask(service, route, { prefix, headers: each }), "session_required");
      const headers = { ...each, cookie: page.cookie };
      const { status } = await ask(service, route, { prefix, headers });
      assert.ok(status !== 401 && status !== 403, `${route.path} ${status}`);
    }
    const headers = { ...fromConsole, cookie: `${page.cookie}; ${stolen}` };
    const walls = { prefix: `/console/accounts/${other}`, headers };
    assertProblem(await ask(service, route, walls), "session_invalid");
    assertProblem(await ask(service, route, { prefix: "", headers }), "session_required");
  }
});

test("signing in and out wants the console's page", async (t) => {
  const { service, accountId } = await startSample(t);
  const page = await ConsolePage.open(service, accountId);
  const key = await service.key(accountId);
  for (const each of foreign) {
    const headers = { host: "sightline:8080", ...each };
    const body = { key };
    const signedIn = await service.post("/console/sessions", { body, headers });
    assertProblem(signedIn, "not_from_console");
    for (const method of ["GET", "POST", "DELETE"] as const) {
      const fields = { ...headers, cookie: page.cookie };
      const path = `/console/accounts/${accountId}/session`;
      const reply = await service.request(method, path, { headers: fields });
      assertProblem(reply, "not_from_console");
    }
  }
  assert.equal((await page.request("GET", "/session")).status, 200);
});

test("a scope that the key lacks is lacking through the cookie too", async (t) => {
  const { service, accountId } = await startSample(t);
  const page = await ConsolePage.open(service, accountId, ["read"]);
  assertProblem(await page.request("GET", "/v1/keys"), "scope_missing");
});
