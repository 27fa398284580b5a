import { emailSchema, personNameSchema, type Role } from "@sightline/contract";
import { z } from "zod";
import {
  type ControlEngine,
  withinTransaction,
  writeVersioned,
} from "../control/control-engine.ts";
import { validated } from "../http/body.ts";
import { type ConsoleOperation, jsonReply, type Operation, type Reply } from "../http/operation.ts";
import { cookieChallenge } from "../keys/console/console-caller.ts";
import { ServiceError } from "../platform/service-error.ts";
import { admit } from "./admit.ts";
import { acceptInvitation, type Invitation, invitationOfCode } from "./invitation-store.ts";
import type { PeopleServices } from "./people-services.ts";
import { confirmPerson, type Person, personByEmail } from "./person-store.ts";
import { providerOperations } from "./provider-routes.ts";
import { createSignInLink, hasNewLink, takeSignInLink } from "./sign-in-links.ts";
import type { BegunSession } from "./signed-in-people.ts";

const common = { kind: "console", hasBody: false } as const;

/** GET /console/sign-in: in which ways people sign in here. */
const waysRoute: ConsoleOperation<PeopleServices> = {
  ...common,
  method: "GET",
  path: "/console/sign-in",
  reply: async ({ personProvider, mailLink }) =>
    jsonReply({ provider: personProvider?.name ?? null, mail: mailLink !== null }),
};

/**
 * GET /console/person: who is signed in, with all accounts. Each page asks when it is opened, and
 * browsers log a 401 as a fault: nobody is a reply.
 */
const personRoute: ConsoleOperation<PeopleServices> = {
  ...common,
  method: "GET",
  path: "/console/person",
  reply: async (services, { request, requestId }) => {
    const { signedInPeople } = services;
    const email = signedInPeople.emailByProxy(request);
    if (email !== null) {
      const person = await admit(services, { email, name: null, requestId });
      if (person !== null) return personReply(services, { person, expiresAt: null });
      throw notSignedIn(`${email} is signed in, but no account has invited this address.`);
    }
    const signedIn = await signedInPeople.personOf(request);
    if (signedIn !== null) return personReply(services, signedIn);
    return jsonReply({ person: null, accounts: [], expiresAt: null } satisfies ShownPerson);
  },
};

/** DELETE /console/person: signs out of all accounts, even without a valid session. */
const signOutRoute: ConsoleOperation<PeopleServices> = {
  ...common,
  method: "DELETE",
  path: "/console/person",
  reply: async ({ signedInPeople }, { request, isSecure }) => {
    const cookie = await signedInPeople.end(request, isSecure);
    return { ...jsonReply({}), ...(cookie === null ? {} : { headers: { "Set-Cookie": cookie } }) };
  },
};

const secret = z.string();
const codeSchema = z.strictObject({ code: secret });
const acceptSchema = z.strictObject({ code: secret, name: personNameSchema.optional() });

/** POST /console/person/invitation: what an invitation says, before somebody accepts it. */
const invitationRoute: ConsoleOperation<PeopleServices> = {
  ...common,
  method: "POST",
  path: "/console/person/invitation",
  hasBody: true,
  reply: async (services, { body, address }) => {
    const { code } = validated(codeSchema, body);
    const invitation = await usableInvitation(services, code, address);
    const { accountId, email, role, invitedBy, expiresAt } = invitation;
    return jsonReply({
      account: { id: accountId, name: await services.accountName(accountId) },
      email,
      role,
      invitedBy,
      expiresAt: new Date(expiresAt).toISOString(),
      isNew: (await personByEmail(services.control, email)) === null,
    });
  },
};

/** POST /console/person/invitation/accept: joins the account; somebody new is signed in. */
const acceptRoute: ConsoleOperation<PeopleServices> = {
  ...common,
  method: "POST",
  path: "/console/person/invitation/accept",
  hasBody: true,
  reply: async (services, { request, requestId, body, address, isSecure }) => {
    const { code, name } = validated(acceptSchema, body);
    const { control, clock, signedInPeople } = services;
    const invitation = await usableInvitation(services, code, address);
    const signedIn = await signedInPeople.personOf(request);
    const known = await personByEmail(control, invitation.email);
    if (known === null && name === undefined) throw noName();
    const personId = signedIn?.person.id ?? null;
    const asked = { invitationId: invitation.id, name: name ?? "", personId, requestId };
    const accept = (within: ControlEngine) =>
      acceptInvitation(within, invitation, { ...asked, now: clock.now() });
    if (signedIn !== null && known?.id === personId) {
      if ((await accept(control)) === null) throw invitationRefused();
      return personReply(services, signedIn);
    }
    const accepted = await signedInBy(services, isSecure, accept);
    if (accepted === null) throw invitationRefused();
    return signedInReply(services, accepted);
  },
};

/** POST /console/person/sessions: signs in with a link that works once; it proves the address. */
const linkRoute: ConsoleOperation<PeopleServices> = {
  ...common,
  method: "POST",
  path: "/console/person/sessions",
  hasBody: true,
  reply: async (services, { body, address, isSecure }) => {
    const { code } = validated(codeSchema, body);
    const { clock, limits } = services;
    const signedIn = await limits.failedExchanges.lookUp(address, () =>
      signedInBy(services, isSecure, async (within) => {
        const person = await takeSignInLink(within, code, clock.now());
        if (person !== null) await confirmPerson(within, person.id, { now: clock.now() });
        return person;
      }),
    );
    if (signedIn === null) throw failed(services, linkRefused());
    return signedInReply(services, signedIn);
  },
};

const emailBodySchema = z.strictObject({ email: emailSchema });

/**
 * POST /console/person/links: mails a link that signs in. The reply is the same for every address,
 * and comes before anything is looked up: nobody learns who is known here.
 */
const mailRoute: ConsoleOperation<PeopleServices> = {
  ...common,
  method: "POST",
  path: "/console/person/links",
  hasBody: true,
  reply: async (services, { body, address }) => {
    const { email } = validated(emailBodySchema, body);
    const { mailLink, limits, logger } = services;
    if (mailLink === null) throw new ServiceError("not_found", "This service sends no mail.");
    // Each counts as a guess does, so that nobody can fill mailboxes.
    await limits.failedExchanges.lookUp(address, async () => null);
    void mailTo(services, email, mailLink).catch((error: unknown) => {
      logger.warn({ error: String(error) }, "a link that signs in was not mailed");
    });
    return jsonReply({});
  },
};

async function mailTo(
  { control, clock }: Pick<PeopleServices, "control" | "clock">,
  email: string,
  mailLink: NonNullable<PeopleServices["mailLink"]>,
): Promise<void> {
  const person = await personByEmail(control, email);
  if (person === null || (await hasNewLink(control, person.id, clock.now()))) return;
  const code = await createSignInLink(control, person.id, clock.now());
  if (code !== null) await mailLink(email, code);
}

/** The open invitation of a code, under the throttle of guesses. @throws ServiceError. */
async function usableInvitation(
  services: PeopleServices,
  code: string,
  address: string,
): Promise<Invitation> {
  const { control, clock, limits } = services;
  const found = await limits.failedExchanges.lookUp(address, () =>
    invitationOfCode(control, code, clock.now()),
  );
  if (found === null) throw failed(services, invitationRefused());
  return found;
}

function failed({ metrics }: Pick<PeopleServices, "metrics">, error: ServiceError): ServiceError {
  metrics.failedExchanges.inc();
  return error;
}

/** What the page gets about a person. */
interface ShownPerson {
  /** Null: nobody is signed in under their own name. */
  readonly person: { readonly id: string; readonly name: string; readonly email: string } | null;
  /** By name. */
  readonly accounts: readonly { readonly id: string; readonly name: string; readonly role: Role }[];
  /** Null: a proxy says with each call who asks. */
  readonly expiresAt: string | null;
}

async function personReply(
  { members }: Pick<PeopleServices, "members">,
  { person: { id, name, email }, expiresAt }: { person: Person; expiresAt: number | null },
): Promise<Reply> {
  return jsonReply({
    person: { id, name, email },
    accounts: await members.accountsOf(id),
    expiresAt: expiresAt === null ? null : new Date(expiresAt).toISOString(),
  } satisfies ShownPerson);
}

/** A person whose browser was signed in. */
interface SignedIn {
  readonly person: Person;
  readonly session: BegunSession;
}

/**
 * Signs in the person whom `use` gives, in its transaction: what works once is used up only when
 * the session is there.
 */
function signedInBy(
  { control, signedInPeople }: PeopleServices,
  isSecure: boolean,
  use: (within: ControlEngine) => Promise<Person | null>,
): Promise<SignedIn | null> {
  const signIn = async (within: ControlEngine) => {
    const person = await use(within);
    if (person === null) return null;
    const session = await signedInPeople.begin(person.id, isSecure, within);
    return session === null ? null : { person, session };
  };
  return writeVersioned(control, () => withinTransaction(control, signIn));
}

async function signedInReply(
  services: PeopleServices,
  { person, session: { cookie, expiresAt } }: SignedIn,
): Promise<Reply> {
  const reply = await personReply(services, { person, expiresAt });
  return { ...reply, headers: { "Set-Cookie": cookie } };
}

/** The refusal of a call that a person has to be signed in for. */
export function notSignedIn(detail: string): ServiceError {
  return new ServiceError("session_required", detail, { headers: cookieChallenge });
}

function invitationRefused(): ServiceError {
  return new ServiceError(
    "key_invalid",
    "The invitation was accepted, withdrawn, or has expired. Ask for another one.",
    { headers: cookieChallenge },
  );
}

function linkRefused(): ServiceError {
  return new ServiceError(
    "key_invalid",
    "The link was used, or is older than 30 minutes. Get a new one.",
    { headers: cookieChallenge },
  );
}

function noName(): ServiceError {
  const message = "is required of somebody who is new.";
  const errors = [{ path: "/name", code: "missing", message }] as const;
  return new ServiceError("invalid_request", `/name: ${message}`, { errors });
}

/** The operations with which people sign in to the console and out of it. */
export const personOperations: readonly Operation<PeopleServices>[] = [
  waysRoute,
  personRoute,
  signOutRoute,
  invitationRoute,
  acceptRoute,
  linkRoute,
  mailRoute,
  ...providerOperations,
];
