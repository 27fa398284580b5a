import type { Role } from "@sightline/contract";
import type { FastifyRequest } from "fastify";
import type { CallerKey } from "../../http/operation.ts";

/** What is looked at of a request from the console. */
export type ConsoleRequest = Pick<FastifyRequest, "headers" | "params" | "protocol" | "socket">;

/** A person who is signed in, in an account. */
export interface PersonInAccount {
  readonly caller: CallerKey;
  readonly person: {
    readonly id: string;
    readonly name: string;
    readonly email: string;
    readonly role: Role;
  };
  /** Milliseconds since 1970, UTC; null: a proxy says with each call who asks. */
  readonly expiresAt: number | null;
}

/** The people who are signed in to the console. */
export interface SignedInPeople {
  /** The person who asks; null: nobody of the account does. */
  readonly find: (request: ConsoleRequest, accountId: string) => Promise<PersonInAccount | null>;
  /** Makes the session last longer. @returns the browser's new cookie; null: there is none. */
  readonly renew: (
    request: ConsoleRequest,
    isSecure: boolean,
  ) => Promise<{ readonly cookie: string; readonly expiresAt: number } | null>;
  /** Ends the session. @returns the cookie that takes the browser's away; null: there was none. */
  readonly end: (request: ConsoleRequest, isSecure: boolean) => Promise<string | null>;
}
