import assert from "node:assert/strict";
import { after, test } from "node:test";
import type { LinksResponse, ReportsResponse } from "@sightline/contract";
import { ConsolePage, cookieOf, fromConsole } from "@sightline/test-kit/console-page.ts";
import { migratedClickhouseUrl } from "@sightline/test-kit/engines/migrated-clickhouse.ts";
import { migratedPostgresUrl } from "@sightline/test-kit/engines/migrated-postgres.ts";
import { fiveQuestions } from "@sightline/test-kit/requests/five-questions.ts";
import {
  sampleAnswerId,
  sampleAnswers,
  sampleIds,
  sampleRange,
  sampleWorkspace,
} from "@sightline/test-kit/sample-account.ts";
import { newJobs, newSweep } from "@sightline/test-kit/sweeps.ts";
import {
  type RequestOptions,
  TestService,
  type TestServiceOptions,
} from "@sightline/test-kit/test-service.ts";
import { firstRunCode } from "../src/accounts/first-run/link.ts";
import { addSweep } from "../src/collection/store/sweep-store.ts";
import type { Operation } from "../src/http/operation.ts";
import { createSignInLink } from "../src/people/sign-in-links.ts";
import { operationsOf } from "../src/server.ts";

type Method = Operation<never>["method"];

/** Fields that threads write by the machine's clock. */
const timePattern = /("(?:durationMs|createdAt|startedAt|undoneAt|lastImport)":)(?:\d+|"[^"]*")/g;

/** What is asked of one service, and what it replied. */
class Asked {
  readonly service: TestService;
  readonly #token: string;
  readonly #drawn = new Map<string, number>();
  /** By operation, "METHOD /path/:parameter": each status and body. */
  readonly replies: Record<string, string[]> = {};

  constructor(service: TestService, token: string) {
    this.service = service;
    this.#token = token;
  }

  /** Asks one operation. `values` stand for the parameters of its path, in order. */
  async ask<Body = unknown>(
    operation: `${Method} ${string}`,
    { values = [], query = "", body, headers }: Request = {},
  ): Promise<Body> {
    const [method = "", path = ""] = operation.split(" ");
    const rest = [...values];
    const reply = await this.service.request(
      method as Method,
      path.replaceAll(/:\w+/g, () => rest.shift() ?? "none") + query,
      {
        headers: {
          authorization: `Bearer ${this.#token}`,
          ...(body === undefined ? {} : { "content-type": "application/json" }),
          ...headers,
        },
        ...(body === undefined || typeof body === "string" ? {} : { body: JSON.stringify(body) }),
        ...(typeof body === "string" ? { body } : {}),
      },
    );
    this.note(operation, reply);
    return JSON.parse(reply.body || "{}") as Body;
  }

  note(operation: string, { status, body }: { readonly status: number; readonly body: string }) {
    this.replies[operation] ??= [];
    this.replies[operation].push(`${status} ${this.#withoutChance(body)}`);
  }

  /** A body without keys, tokens and the machine's time; ids are numbered as they come. */
  #withoutChance(body: string): string {
    return body
      .replaceAll(/\beyJ[\w.-]+/g, "<token>")
      .replaceAll(/\b(whsec|sk|sl|key)_[\w+/=.-]+/g, "<secret>")
      .replaceAll(/("(?:keyId|kid|x|y|n|hash|subject|address)":)"[^"]*"/g, '$1"<drawn>"')
      .replaceAll(/("actor":\{"kind":"key","id":)"[^"]*"/g, '$1"<drawn>"')
      .replaceAll(/("requestId":)"[^"]*"/g, '$1"<drawn>"')
      .replaceAll(/msg_[0-9a-f]{32}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, (id) => {
        const known = this.#drawn.get(id) ?? this.#drawn.size;
        this.#drawn.set(id, known);
        return `<id ${known}>`;
      })
      .replaceAll(timePattern, "$1<time>");
  }
}

interface Request {
  readonly values?: readonly string[];
  readonly query?: string;
  /** A text is sent as it is. */
  readonly body?: object | string;
  readonly headers?: RequestOptions["headers"];
}

async function startOn(settings: TestServiceOptions["settings"]): Promise<TestService> {
  const service = await TestService.start({ settings: { ...settings, hooksToPrivate: "on" } });
  after(() => service.close());
  return service;
}

/** Every operation's reply, asked once of an account with the sample. */
async function repliesOf(service: TestService): Promise<Asked["replies"]> {
  const accountId = await service.apply(sampleWorkspace);
  const token = await service.session(accountId, [
    "read",
    "import",
    "manage",
    "accounts",
    "people",
  ]);
  const asked = new Asked(service, token);
  await correct(asked);
  await service.settle(accountId);
  await service.readNames(accountId);
  await question(asked, accountId);
  await manage(asked);
  await share(asked);
  await collect(asked, accountId);
  await signIn(asked, accountId);
  await readPages(asked);
  return asked.replies;
}

async function correct(asked: Asked): Promise<void> {
  const headers = { "content-type": "application/x-ndjson" };
  const body = sampleAnswers.map((answer) => `${JSON.stringify(answer)}\n`).join("");
  await asked.ask("POST /v1/answers", { body, headers });
  asked.service.clock.advance(1_000);
  const [first] = sampleAnswers;
  const other = `${JSON.stringify({ ...first, sample: 1 })}\n`;
  await asked.ask("POST /v1/answers", { body: other, headers });
  const listed = await asked.ask<{ imports: readonly { id: string; accepted: number }[] }>(
    "GET /v1/imports",
  );
  const small = listed.imports.find(({ accepted }) => accepted === 1);
  await asked.ask("DELETE /v1/imports/:importId", { values: [small?.id ?? ""] });
  const filters = { timeRange: sampleRange, providers: ["GROK"] };
  await asked.ask("POST /v1/answers/delete", { body: { filters, dryRun: true } });
}

async function question(asked: Asked, accountId: string): Promise<void> {
  const filters = { timeRange: sampleRange };
  for (const { path, body } of fiveQuestions) {
    await asked.ask(`POST ${path}`, { body: { ...body, filters } });
  }
  const interval = "daily";
  const series = { metric: "mentions", interval, filters, include: ["marks"] };
  await asked.ask("POST /v1/insights/series", { body: series });
  for (const groupBy of ["topic", "model", "surface"]) {
    await asked.ask("POST /v1/insights/summary", { body: { groupBy, filters } });
  }
  await asked.ask("POST /v1/insights/sources", {
    body: { groupBy: "domain", limit: 10, offset: 0, filters, include: ["classes"] },
  });
  const kinds = { sourceClasses: ["other", "code"], forms: ["other", "review"] };
  await asked.ask("POST /v1/insights/sources", {
    body: { groupBy: "url", limit: 10, offset: 0, filters, ...kinds },
  });
  const compare = { filters: { ...filters, providers: ["OPENAI"] } };
  const change = { entityId: sampleIds.acme, metric: "visibility", limit: 10, filters, compare };
  for (const by of ["prompt", "domain"]) {
    await asked.ask("POST /v1/insights/changes", { body: { ...change, by } });
  }
  const plan = { entityId: sampleIds.acme, metric: "mentions", filters };
  await asked.ask("POST /v1/insights/plan", { body: plan });
  const presence = { entityId: sampleIds.acme, filters, compare };
  await asked.ask("POST /v1/insights/presence", { body: presence });
  for (const by of ["class", "provider", "domain", "page"]) {
    await asked.ask("POST /v1/insights/citation-life", { body: { by, filters } });
  }
  await asked.ask("POST /v1/insights/queries", { body: { filters } });
  await asked.ask("POST /v1/insights/names", { body: { filters } });
  await asked.ask("POST /v1/insights/claims", { body: { filters } });
  for (const role of ["both", "mentionedOnly", "citedOnly"]) {
    for (const entity of [{}, { entityId: sampleIds.acme }]) {
      await asked.ask("POST /v1/evidence", { body: { role, filters, ...entity } });
    }
  }
  await asked.ask("POST /v1/evidence", { body: { role: "any", filters } });
  await asked.ask("GET /v1/answers/:id", { values: [sampleAnswerId(accountId, 0)] });
  await label(asked, accountId);
  await asked.ask("GET /v1/workspace");
  const brand = { name: "Acme", aliases: ["good"], domains: ["example.org"] };
  await asked.ask("POST /v1/workspace/preview", { body: { brand } });
  const file = await asked.ask<object>("GET /v1/workspace/file");
  const reports = [{ name: "Weekly", period: "last-week", evidence: true }];
  await asked.ask("PUT /v1/workspace", { body: { ...file, reports } });
}

async function label(asked: Asked, accountId: string): Promise<void> {
  const headers = { "content-type": "application/x-ndjson" };
  const of = { entityId: sampleIds.acme, metric: "mentions", labelledAt: "2026-01-09T00:00:00Z" };
  const labels = [0, 1, 2, 3].flatMap((index) => {
    const answerId = sampleAnswerId(accountId, index);
    return ["ann", "bea"].map((labeller) => ({ ...of, answerId, labeller, value: index > 0 }));
  });
  const body = labels.map((each) => `${JSON.stringify(each)}\n`).join("");
  await asked.ask("POST /v1/labels", { body, headers });
  await asked.ask("DELETE /v1/labels", { query: "?labeller=bea" });
  await asked.ask("GET /v1/labels", { query: "?limit=3" });
  const filters = { timeRange: sampleRange };
  for (const metric of ["mentions", "praised"]) {
    const sample = { entityId: sampleIds.acme, metric, limit: 30, filters };
    await asked.ask("POST /v1/labels/sample", { body: sample });
  }
  const include = ["extraction"];
  for (const groupBy of ["none", "prompt"]) {
    await asked.ask("POST /v1/insights/summary", { body: { groupBy, filters, include } });
  }
}

async function manage(asked: Asked): Promise<void> {
  const report = await asked.ask<{ id: string }>("POST /v1/reports", {
    body: {
      report: "Weekly",
      period: { startDate: "2026-01-05", endDate: "2026-01-11" },
    },
  });
  await asked.ask("GET /v1/reports");
  await asked.ask("GET /v1/reports/:reportId", { values: [report.id] });
  await asked.ask("GET /v1/reports/:reportId/html", { values: [report.id] });
  await asked.ask("GET /v1/audit", { query: "?limit=3&action=key.created" });
  asked.service.clock.advance(1_000);
  await asked.ask("POST /v1/accounts", { body: { account: "Globex", brand: "Globex" } });
  const created = await asked.ask<{ key: string; keyId: string }>("POST /v1/keys", {
    body: { name: "second", scopes: ["read"] },
  });
  const headers = { authorization: `Bearer ${created.key}` };
  await asked.ask("POST /v1/auth/accesskey/exchange", { headers });
  await asked.ask("GET /v1/keys");
  await asked.ask("DELETE /v1/keys/:keyId", { values: [created.keyId] });
  const { invitationId } = await asked.ask<{ invitationId: string }>(
    "POST /v1/people/invitations",
    {
      body: { email: "ann@example.com", role: "viewer" },
    },
  );
  await asked.ask("GET /v1/people");
  await asked.ask("DELETE /v1/people/invitations/:invitationId", { values: [invitationId] });
  const personId = await joined(asked);
  const named = { values: [personId] };
  await asked.ask("PUT /v1/people/:personId", { ...named, body: { role: "analyst" } });
  await asked.ask("DELETE /v1/people/:personId", named);
  // Nobody listens there: the delivery fails immediately.
  const { id } = await asked.ask<{ id: string }>("POST /v1/hooks", {
    body: {
      url: "http://127.0.0.1:1/",
      form: "slack",
      thresholds: [{ metric: "rank", above: 2, filters: { branded: false } }],
    },
  });
  await asked.ask("GET /v1/hooks");
  await asked.ask("POST /v1/hooks/:id/test", { values: [id] });
  await asked.ask("GET /v1/hooks/:id/deliveries", { values: [id] });
  await asked.ask("DELETE /v1/hooks/:id", { values: [id] });
}

async function share(asked: Asked): Promise<void> {
  const view = { page: "overview", period: "all" };
  const { reports } = await asked.ask<ReportsResponse>("GET /v1/reports");
  for (const [kind, rest] of [
    ["view", ""],
    ["csv", "/csv"],
    ["image", "/image.svg"],
    ["report", ""],
  ] as const) {
    asked.service.clock.advance(1_000); // the newest is listed first
    const shows = kind === "report" ? { reportId: reports[0]?.id } : { view };
    const body = { name: "board", kind, ...shows };
    const { address } = await asked.ask<{ address: string }>("POST /v1/links", { body });
    const [token = ""] = /[\w-]{22}/.exec(address) ?? [];
    const shown = await asked.service.request("GET", `/share/${token}${rest}`);
    assert.equal(shown.status, 200, shown.body);
    asked.note(`GET /share/:token${rest}`, shown);
    if (kind !== "view") continue;
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    const sent = { headers, body: "password=none" };
    asked.note("POST /share/:token", await asked.service.request("POST", `/share/${token}`, sent));
  }
  const { links } = await asked.ask<LinksResponse>("GET /v1/links");
  await asked.ask("DELETE /v1/links/:linkId", { values: [links[0]?.linkId ?? ""] });
}

/** Somebody accepts an invitation, looks at all accounts, and signs out and in again. */
async function joined(asked: Asked): Promise<string> {
  const { service } = asked;
  const headers = fromConsole;
  await asked.ask("GET /console/sign-in", { headers });
  const body = { email: "bea@example.com", role: "viewer" };
  const { address } = await asked.ask<{ address: string }>("POST /v1/people/invitations", { body });
  const code = address.slice(address.indexOf("=") + 1);
  await asked.ask("POST /console/person/invitation", { body: { code }, headers });
  const accept = "/console/person/invitation/accept";
  const reply = await service.post(accept, { body: { code, name: "Bea" }, headers });
  asked.note(`POST ${accept}`, reply);
  const own = { headers: { ...headers, cookie: cookieOf(reply).pair } };
  await asked.ask("GET /console/person", own);
  await asked.ask("GET /console/person/board", own);
  await asked.ask("DELETE /console/person", own);
  const { id } = reply.json<{ person: { id: string } }>().person;
  const link = await createSignInLink(service.services.control, id, service.clock.now());
  await asked.ask("POST /console/person/links", { body: { email: "bea@example.com" }, headers });
  await asked.ask("POST /console/person/sessions", { body: { code: link }, headers });
  return id;
}

async function collect(asked: Asked, accountId: string): Promise<void> {
  const { control, clock } = asked.service.services;
  const sweep = newSweep(clock.now(), newJobs(3));
  await addSweep(control, accountId, sweep, clock.now());
  // Nobody collects: a new one is not begun, and its price is told.
  await asked.ask("POST /v1/collections", { body: { dryRun: true } });
  await asked.ask("POST /v1/readings", {
    body: { filters: { timeRange: sampleRange }, dryRun: true },
  });
  await asked.ask("GET /v1/collections");
  await asked.ask("GET /v1/collections/:id", { values: [sweep.id] });
  await asked.ask("DELETE /v1/collections/:id", { values: [sweep.id] });
  const credential = "a-key-of-nobody";
  const named = { values: ["perplexity"] };
  await asked.ask("PUT /v1/collection/credentials/:vendor", { ...named, body: { credential } });
  await asked.ask("GET /v1/collection/credentials");
  // The vendor has nothing that is free to be asked.
  await asked.ask("POST /v1/collection/credentials/:vendor/test", { ...named, body: {} });
  await asked.ask("DELETE /v1/collection/credentials/:vendor", named);
}

async function signIn(asked: Asked, accountId: string): Promise<void> {
  const headers = fromConsole;
  await asked.ask("GET /console/first-run", { headers });
  // There is an account: no link is valid.
  const link = firstRunCode(asked.service.services.keyRing, asked.service.clock.now());
  const body = { code: link };
  await asked.ask("POST /console/first-run", { body, headers });
  const first = { code: link, workspace: { account: "Globex", brand: "Globex" } };
  await asked.ask("POST /console/first-run/account", { body: first, headers });
  const page = await ConsolePage.open(asked.service, accountId);
  asked.note("POST /console/sessions", page.signedIn);
  for (const method of ["GET", "POST", "DELETE"] as const) {
    const operation = `${method} /console/accounts/:accountId/session`;
    asked.note(operation, await page.request(method, "/session"));
  }
}

/** What nobody needs a key for, whatever it is: a page that is not there is one, too. */
async function readPages(asked: Asked): Promise<void> {
  for (const { kind, method, path } of operationsOf(true)) {
    if (kind !== "open") continue;
    const reply = await asked.service.request(method, path.replace(/:\w+/, "not_found"));
    // Engines have measures of their own.
    const body = path === "/metrics" ? "" : reply.body;
    asked.note(`${method} ${path}`, { status: reply.status, body });
  }
}

const embedded = await startOn({});
const [postgresUrl, clickhouseUrl] = [await migratedPostgresUrl(), await migratedClickhouseUrl()];
const cluster = await startOn({ postgresUrl, clickhouseUrl });

test("every operation, asked once, replies on a cluster as on the embedded engines", async () => {
  const expected = await repliesOf(embedded);
  const operations = operationsOf(true).map(({ method, path }) => `${method} ${path}`);
  assert.deepEqual(Object.keys(expected).sort(), [...new Set(operations)].sort());
  assert.deepEqual(await repliesOf(cluster), expected);
});
