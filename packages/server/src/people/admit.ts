import { personNameSchema } from "@sightline/contract";
import { ServiceError } from "../platform/service-error.ts";
import { type Acceptance, acceptInvitation, invitationsFor } from "./invitation-store.ts";
import type { PeopleServices } from "./people-services.ts";
import {
  changeEmail,
  confirmPerson,
  type Person,
  personByEmail,
  personBySubject,
} from "./person-store.ts";

/** Somebody whose e-mail address was proved: by a provider, a proxy, or a message to it. */
export interface ProvedPerson {
  /** In lower case. */
  readonly email: string;
  /** Null: not known. */
  readonly name: string | null;
  /** As the provider names the person; omitted: no provider does. */
  readonly subject?: string;
  readonly requestId: string | null;
}

type AdmitServices = Pick<PeopleServices, "control" | "clock" | "logger">;

/**
 * Lets in somebody whose address was proved, who accepts with it all invitations to the address.
 * @returns null: no account has the person, and none has invited the address.
 */
export async function admit(services: AdmitServices, proved: ProvedPerson): Promise<Person | null> {
  const { control, clock } = services;
  const { email, subject } = proved;
  const now = clock.now();
  const proof = { now, ...(subject === undefined ? {} : { subject }) };
  const known = await knownPerson(services, proved);
  if (known === "another") return null;
  if (known !== null) await confirmPerson(control, known.id, proof);
  // Somebody else has the address that the provider gives: their invitations are not this person's.
  const isOwn =
    known === null || known.email === email || (await changeEmail(control, known, email));
  const joined = isOwn ? await acceptAll(services, proved, known?.id ?? null) : null;
  // The last account may have removed the one who was known: then who joined is somebody new.
  if (joined !== null && joined.id !== known?.id) await confirmPerson(control, joined.id, proof);
  return joined ?? known;
}

/** Null: nobody is known by subject or address. `another`: the address is another person's now. */
async function knownPerson(
  { control, logger }: AdmitServices,
  { email, subject }: ProvedPerson,
): Promise<Person | "another" | null> {
  const bySubject = subject === undefined ? null : await personBySubject(control, subject);
  if (bySubject !== null || subject === undefined) {
    return bySubject ?? (await personByEmail(control, email));
  }
  const byEmail = await personByEmail(control, email);
  const named = byEmail?.subject ?? null;
  // A provider may give the address of somebody who left to somebody new.
  if (named === null || issuerOf(named) !== issuerOf(subject)) return byEmail;
  logger.warn({ personId: byEmail?.id }, "the provider gives a known address to somebody else");
  return "another";
}

function issuerOf(subject: string): string {
  return subject.slice(0, subject.indexOf(" "));
}

/** One that cannot be accepted, such as to an account that is full, holds up no other. */
async function acceptAll(
  { control, clock, logger }: AdmitServices,
  { email, name, requestId }: ProvedPerson,
  knownId: string | null,
): Promise<Person | null> {
  const now = clock.now();
  const [shownName] = email.split("@");
  const called = personNameSchema.safeParse(name ?? "").data ?? shownName ?? email;
  let person: Person | null = null;
  for (const invitation of await invitationsFor(control, email, now)) {
    const personId: string | null = person?.id ?? knownId;
    const asked: Acceptance = {
      invitationId: invitation.id,
      name: called,
      now,
      requestId,
      personId,
    };
    try {
      person = (await acceptInvitation(control, invitation, asked)) ?? person;
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      const { accountId } = invitation;
      logger.warn({ accountId, error: error.detail }, "an invitation was not accepted");
    }
  }
  return person;
}
