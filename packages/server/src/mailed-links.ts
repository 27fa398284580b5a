import { randomUUID } from "node:crypto";
import type { Mailer } from "./mail/mailer.ts";
import type { PeopleServices } from "./people/people-services.ts";

/**
 * Mails links that sign people in. The address is of ours alone, and nothing that somebody typed is
 * in the mail.
 * @returns null: there is no mail server, or the service does not know its own address.
 */
export function linkMailer(
  mailer: Mailer | null,
  publicUrl: string | null,
  ended: AbortSignal,
): PeopleServices["mailLink"] {
  if (mailer === null || publicUrl === null) return null;
  return async (email, code) => {
    const address = `${publicUrl}/#person=${code}`;
    const after =
      "It works once, within 30 minutes. If you did not ask for it, do nothing: nobody is " +
      "signed in by it but its reader.";
    const { error } = await mailer.send(
      {
        id: randomUUID(),
        to: [email],
        subject: "Sign in to Sightline",
        text: `Open this address to sign in:\n\n${address}\n\n${after}\n`,
        html: `<p><a href="${address}">Sign in to Sightline</a></p><p>${after}</p>`,
      },
      ended,
    );
    if (error !== null) throw new Error(error);
  };
}
