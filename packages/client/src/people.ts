import type {
  ChangedPersonResponse,
  CreatedInvitationResponse,
  InvitationRequest,
  ListedInvitation,
  PeopleResponse,
  Role,
  RoleRequest,
} from "@sightline/contract";
import type { Caller } from "./calls.ts";
import type { CallOptions } from "./options.ts";

/** The account's people: additions to the interface. The client's key needs `people`. */
export class People {
  readonly #call: Caller;

  constructor(call: Caller) {
    this.#call = call;
  }

  /** The people by e-mail address, and the open invitations, newest first. */
  async list(options?: CallOptions): Promise<PeopleResponse> {
    const call = { method: "GET", path: "/v1/people" } as const;
    return (await this.#call(call, options)) as PeopleResponse;
  }

  /**
   * Invites a person; `address` of the reply is the only place that shows it. It is not retried
   * when it may have arrived: the address of a reply that was lost would be known to nobody.
   */
  async invite(
    request: InvitationRequest,
    options?: CallOptions,
  ): Promise<CreatedInvitationResponse> {
    const body = JSON.stringify(request);
    const call = { method: "POST", path: "/v1/people/invitations", body, isOnce: true } as const;
    return (await this.#call(call, options)) as CreatedInvitationResponse;
  }

  /** Withdraws an open invitation. */
  async withdraw(invitationId: string, options?: CallOptions): Promise<ListedInvitation> {
    const path = `/v1/people/invitations/${encodeURIComponent(invitationId)}` as const;
    return (await this.#call({ method: "DELETE", path }, options)) as ListedInvitation;
  }

  /** Gives a person another role; keys of the person that may do more are revoked. */
  async changeRole(
    personId: string,
    role: Role,
    options?: CallOptions,
  ): Promise<ChangedPersonResponse> {
    const body = JSON.stringify({ role } satisfies RoleRequest);
    const path = `/v1/people/${encodeURIComponent(personId)}` as const;
    return (await this.#call({ method: "PUT", path, body }, options)) as ChangedPersonResponse;
  }

  /** Removes a person from the account, with the person's keys of it. */
  async remove(personId: string, options?: CallOptions): Promise<ChangedPersonResponse> {
    const path = `/v1/people/${encodeURIComponent(personId)}` as const;
    return (await this.#call({ method: "DELETE", path }, options)) as ChangedPersonResponse;
  }
}
