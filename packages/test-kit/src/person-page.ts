import assert from "node:assert/strict";
import type { CreatedInvitationResponse, Role } from "@sightline/contract";
import { cookieOf, fromConsole } from "./console-page.ts";
import type { TestReply, TestService } from "./test-service.ts";

/** The code of an invitation's address. */
export function codeOf({ address }: Pick<CreatedInvitationResponse, "address">): string {
  return address.slice(address.indexOf("=") + 1);
}

/** What the page is told of the person who is signed in. */
export interface ShownPerson {
  readonly person: { readonly id: string; readonly name: string; readonly email: string };
  readonly accounts: readonly { readonly id: string; readonly name: string; readonly role: Role }[];
}

/** The console's page in a browser in which a person is signed in. */
export class PersonPage {
  readonly #service: TestService;
  readonly cookie: string;
  readonly personId: string;

  private constructor(service: TestService, signedIn: TestReply) {
    assert.equal(signedIn.status, 200, signedIn.body);
    this.#service = service;
    this.cookie = cookieOf(signedIn).pair;
    this.personId = signedIn.json<ShownPerson>().person.id;
  }

  /** Invites somebody who is new, with a key of the account that may, and accepts. */
  static async join(
    service: TestService,
    accountId: string,
    { email, role }: { readonly email: string; readonly role: Role },
  ): Promise<PersonPage> {
    const invitation = await invited(service, accountId, { email, role });
    const body = { code: codeOf(invitation), name: email.split("@")[0] };
    return new PersonPage(service, await ask(service, "/console/person/invitation/accept", body));
  }

  /** Accepts an invitation to another account. */
  async accept(invitation: CreatedInvitationResponse): Promise<TestReply> {
    return ask(
      this.#service,
      "/console/person/invitation/accept",
      { code: codeOf(invitation) },
      { cookie: this.cookie },
    );
  }

  /** Asks below an account's address. */
  request(
    method: "GET" | "POST" | "PUT" | "DELETE",
    [accountId, path]: readonly [string, string],
    body?: object,
  ): Promise<TestReply> {
    return this.ask(method, `/console/accounts/${accountId}${path}`, body);
  }

  /** Asks at any address of the console. */
  ask(method: "GET" | "POST" | "PUT" | "DELETE", path: string, body?: object): Promise<TestReply> {
    const type = body === undefined ? {} : { "content-type": "application/json" };
    return this.#service.request(method, path, {
      headers: { ...fromConsole, cookie: this.cookie, ...type },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  }
}

/** An invitation, made with a new key of the account. */
export async function invited(
  service: TestService,
  accountId: string,
  body: { readonly email: string; readonly role: Role; readonly expiresIn?: string },
): Promise<CreatedInvitationResponse> {
  const token = await service.session(accountId, ["read", "import", "manage", "people"]);
  const reply = await service.post("/v1/people/invitations", { token, body });
  assert.equal(reply.status, 200, reply.body);
  return reply.json<CreatedInvitationResponse>();
}

function ask(
  service: TestService,
  path: string,
  body: object,
  headers: Readonly<Record<string, string>> = {},
): Promise<TestReply> {
  return service.post(path, { body, headers: { ...fromConsole, ...headers } });
}
