import { personNameSchema } from "@sightline/contract";
import { acceptInvitation, invitationsFor } from "./invitation-store.ts";
import type { PeopleServices } from "./people-services.ts";
import { confirmPerson, type Person, personByEmail, personBySubject } from "./person-store.ts";

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

/**
 * Lets in somebody whose address was proved, who accepts with it all invitations to the address.
 * @returns null: no account has the person, and none has invited the address.
 */
export async function admit(
  { control, clock }: Pick<PeopleServices, "control" | "clock">,
  { email, name, subject, requestId }: ProvedPerson,
): Promise<Person | null> {
  const now = clock.now();
  const proof = { now, ...(subject === undefined ? {} : { subject }) };
  const known = subject === undefined ? null : await personBySubject(control, subject);
  let person = known ?? (await personByEmail(control, email));
  if (person !== null) await confirmPerson(control, person.id, proof);
  const [shownName] = email.split("@");
  const called = personNameSchema.safeParse(name ?? "").data ?? shownName ?? email;
  for (const invitation of await invitationsFor(control, email, now)) {
    const accepted = await acceptInvitation(control, invitation, {
      invitationId: invitation.id,
      name: called,
      now,
      requestId,
      personId: person?.email === email ? person.id : null,
    });
    person ??= accepted;
  }
  if (person === null) return null;
  await confirmPerson(control, person.id, proof);
  return person;
}
