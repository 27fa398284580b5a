import assert from "node:assert/strict";
import type { Scope } from "@sightline/contract";
import type { DocumentFolders } from "../../server/src/pages/documents.ts";
import { checkoutDocuments } from "../../server/src/services.ts";
import type { TestReply, TestService } from "./test-service.ts";

/** The checkout's documents, with the console of a folder. */
export function documentsWithConsole(folder: string): DocumentFolders {
  return { ...checkoutDocuments, console: folder };
}

/** The field that the console's page sends. */
export const fromConsole = { "sightline-console": "1" } as const;

/** What the console's page is told of its session. */
export interface SignedIn {
  readonly account: { readonly id: string; readonly name: string | null };
  readonly scopes: readonly Scope[];
  readonly expiresAt: string;
}

/** A cookie as the browser got it. */
export interface ReceivedCookie {
  /** `name=value`, which the browser sends back. */
  readonly pair: string;
  /** What follows, in the order of the field. */
  readonly attributes: readonly string[];
}

/** The cookie of a reply; fails when there is none. */
export function cookieOf({ headers }: TestReply): ReceivedCookie {
  const [pair = "", ...attributes] = String(headers["set-cookie"]).split("; ");
  assert.match(pair, /=/);
  return { pair, attributes };
}

/** The console's page in a browser that is signed in to one account. */
export class ConsolePage {
  readonly #service: TestService;
  readonly accountId: string;
  readonly signedIn: TestReply;
  readonly cookie: string;

  private constructor(service: TestService, accountId: string, signedIn: TestReply) {
    this.#service = service;
    this.accountId = accountId;
    this.signedIn = signedIn;
    this.cookie = cookieOf(signedIn).pair;
  }

  /** Signs in with a new key of the account. */
  static async open(
    service: TestService,
    accountId: string,
    scopes?: readonly Scope[],
  ): Promise<ConsolePage> {
    const key = await service.key(accountId, scopes);
    const signedIn = await signIn(service, { key });
    assert.equal(signedIn.status, 200);
    return new ConsolePage(service, accountId, signedIn);
  }

  /** Asks below the account's address. */
  request(
    method: "GET" | "POST" | "PUT" | "DELETE",
    path: string,
    { body, ...fields }: Readonly<Record<string, string>> & { readonly body?: string } = {},
  ): Promise<TestReply> {
    const type = body === undefined ? {} : { "content-type": "application/json" };
    const headers = { ...fromConsole, cookie: this.cookie, ...type, ...fields };
    return this.#service.request(method, `/console/accounts/${this.accountId}${path}`, {
      headers,
      ...(body === undefined ? {} : { body }),
    });
  }
}

/** Signs a browser in. */
export function signIn(
  service: TestService,
  body: object | string,
  headers: Readonly<Record<string, string>> = fromConsole,
): Promise<TestReply> {
  return service.post("/console/sessions", { body, headers });
}
