import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Scope } from "@sightline/contract";
import type { FastifyInstance } from "fastify";
import { declaredPromptsOf } from "../../server/src/accounts/account-store.ts";
import { applyWorkspace } from "../../server/src/accounts/apply-workspace.ts";
import { noteNamesAsked } from "../../server/src/accounts/progress-store.ts";
import { readWorkspaceFile } from "../../server/src/accounts/workspace-file/read-workspace-file.ts";
import { type ImportTally, importAnswers } from "../../server/src/answers/intake/import-answers.ts";
import { type Config, readConfig } from "../../server/src/config.ts";
import type { DocumentFolders } from "../../server/src/pages/documents.ts";
import { retryWhileLocked } from "../../server/src/platform/retry-while-locked.ts";
import { serviceApp } from "../../server/src/server.ts";
import { checkoutDocuments, openServices, type Services } from "../../server/src/services.ts";
import { dropEngines, type EngineSettings, engineSettings } from "./engines/test-engines.ts";
import { HeldClock } from "./held-clock.ts";

/** A reply as a client sees it. */
export interface TestReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
  /** The body as JSON. */
  readonly json: <Body>() => Body;
}

/** What a test service can be started with. */
export interface TestServiceOptions {
  readonly clock?: HeldClock;
  /** A folder that stays when the service is closed; without it, a temporary one. */
  readonly dataDir?: string;
  readonly settings?: Partial<Record<keyof Config, string>>;
  /** Variables that no flag stands for. */
  readonly environment?: NodeJS.ProcessEnv;
  /** Where served documents lie, if not in the checkout. */
  readonly documents?: Partial<DocumentFolders>;
}

/**
 * The whole service in this process, over real engines in a temporary folder, with a held clock.
 */
export class TestService {
  readonly services: Services;
  readonly app: FastifyInstance;
  readonly clock: HeldClock;
  readonly #temporary: string | null;
  readonly #engines: EngineSettings;

  private constructor(
    services: Services,
    clock: HeldClock,
    { temporary, engines }: { readonly temporary: string | null; readonly engines: EngineSettings },
  ) {
    this.services = services;
    this.app = serviceApp(services);
    this.clock = clock;
    this.#temporary = temporary;
    this.#engines = engines;
  }

  static async start(options: TestServiceOptions = {}): Promise<TestService> {
    const { clock, dataDir, settings, environment = {}, documents } = options;
    const temporary = dataDir === undefined ? temporaryFolder() : null;
    const heldClock = clock ?? new HeldClock();
    // A given data folder is looked at by the test, or has data: it stays the only engine.
    const engines = dataDir === undefined ? await engineSettings() : {};
    const given = {
      dataDir: dataDir ?? temporary ?? "",
      port: "0",
      logLevel: "fatal",
      rateLimit: "off",
      dailyQuota: "off",
      // A busy machine takes its time: what a test says does not depend on it.
      questionSeconds: "120",
      ...engines,
      ...settings,
    };
    const folders = { ...checkoutDocuments, ...documents };
    const services = await openServices(readConfig(given, environment), heldClock, folders);
    return new TestService(services, heldClock, { temporary, engines });
  }

  /** Applies a workspace file (an object is written as JSON). @returns the account's id. */
  async apply(file: object | string): Promise<string> {
    const workspace = readWorkspaceFile(typeof file === "string" ? file : JSON.stringify(file));
    // The service's own threads write control too.
    await retryWhileLocked(() =>
      applyWorkspace(this.services.control, workspace.accountId, workspace, {
        now: this.clock.now(),
      }),
    );
    return workspace.accountId;
  }

  /** Imports answers through the same door as any import, and waits until they count. */
  async import(accountId: string, answers: readonly object[]): Promise<ImportTally> {
    const tally = await this.record(accountId, answers);
    await this.settle(accountId);
    return tally;
  }

  /** Imports answers without waiting until they count. */
  async record(accountId: string, answers: readonly object[]): Promise<ImportTally> {
    const lines = answers.map((answer) => `${JSON.stringify(answer)}\n`).join("");
    const options = {
      source: "test",
      accountId,
      importId: randomUUID(),
      prompts: await declaredPromptsOf(this.services.control, accountId),
      now: () => Number.POSITIVE_INFINITY, // tests have answers of any year
      store: this.services.answers,
      control: this.services.control,
      clock: this.clock,
      onRejected: async () => undefined,
      onProgress: () => undefined,
    };
    // The connection of the service gives up after 20 ms; that of an import would wait.
    return retryWhileLocked(() => importAnswers(oneChunk(Buffer.from(lines)), options));
  }

  /** Waits until all that was recorded and applied counts. */
  settle(accountId: string): Promise<void> {
    return this.services.projection.waitUntilCurrent(accountId);
  }

  /** Has the account's answers read for names that nobody tracks, as its first question would. */
  async readNames(accountId: string): Promise<void> {
    const { control } = this.services;
    await retryWhileLocked(() => noteNamesAsked(control, accountId, this.clock.now()));
    await this.settle(accountId);
  }

  /** A new static key of the account, which may read unless it is said. */
  async key(accountId: string, scopes: readonly Scope[] = ["read"]): Promise<string> {
    const { keyRing } = this.services;
    const properties = { name: "test", expiresAt: null, scopes };
    const created = await retryWhileLocked(() => keyRing.create(accountId, properties));
    return created.key;
  }

  /** A session token of the account, exchanged for a new key over HTTP. */
  async session(accountId: string, scopes?: readonly Scope[]): Promise<string> {
    const key = await this.key(accountId, scopes);
    const reply = await this.post("/v1/auth/accesskey/exchange", { token: key });
    return reply.json<{ sessionJwt: string }>().sessionJwt;
  }

  /** POSTs a body (an object as JSON) with a Bearer token. */
  post(path: string, { token, body, headers }: PostOptions = {}): Promise<TestReply> {
    const isJson = body !== undefined;
    return this.request("POST", path, {
      ...(isJson ? { body: typeof body === "string" ? body : JSON.stringify(body) } : {}),
      headers: {
        ...(isJson ? { "content-type": "application/json" } : {}),
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...headers,
      },
    });
  }

  async request(
    method: "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE" | "OPTIONS" | "TRACE",
    path: string,
    options: RequestOptions = {},
  ): Promise<TestReply> {
    const { body, headers } = options;
    const reply = await this.app.inject({
      method,
      url: path,
      headers: { ...headers },
      ...(body === undefined ? {} : { payload: body }),
    });
    return {
      status: reply.statusCode,
      headers: reply.headers,
      body: reply.body,
      json: <Body>() => reply.json<Body>(),
    };
  }

  /** Listens on a free port, for tests that need a real socket. @returns the base address. */
  listen(): Promise<string> {
    return this.app.listen({ host: "127.0.0.1", port: 0 });
  }

  async close(): Promise<void> {
    await this.app.close();
    await this.services.close();
    await dropEngines(this.#engines);
    if (this.#temporary !== null) rmSync(this.#temporary, { recursive: true, force: true });
  }
}

/** What a POST carries. */
export interface PostOptions {
  readonly token?: string;
  /** Text is sent as it is. */
  readonly body?: object | string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What any request carries. */
export interface RequestOptions {
  readonly body?: string | Buffer;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A new empty folder below the system's temporary one. */
export function temporaryFolder(): string {
  return mkdtempSync(join(tmpdir(), "sightline-test-"));
}

async function* oneChunk(chunk: Buffer): AsyncGenerator<Buffer> {
  yield chunk;
}
