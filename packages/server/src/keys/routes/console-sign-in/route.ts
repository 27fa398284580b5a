import { z } from "zod";
import type { AppServices } from "../../../http/app-services.ts";
import type { ConsoleRoute } from "../../../http/route.ts";
import { validated } from "../../../http/validation.ts";
import { ServiceError } from "../../../platform/service-error.ts";
import { givenSessionReply } from "../../console/session-reply.ts";
import type { KeyRecord } from "../../key-store.ts";
import { knownKey } from "../../known-key.ts";

/** Of any length: a reply that refused a length would repeat what may be a key. */
const secret = z.string();

/** A static key, or the code of a link. */
const signInSchema = z
  .strictObject({ key: secret.optional(), code: secret.optional() })
  .refine(({ key, code }) => (key === undefined) !== (code === undefined), {
    error: "must have either key or code",
  });

/** POST /console/sessions: signs a browser in to the account of a key. */
export const consoleSignInRoute: ConsoleRoute = {
  access: "console",
  method: "POST",
  path: "/console/sessions",
  hasBody: true,
  reply: async (services, { body, address, isSecure }) => {
    const { key, code } = validated(signInSchema, body);
    const find = () =>
      key === undefined ? keyOfCode(services, code ?? "") : services.keyRing.verify(key.trim());
    const known = await knownKey(services, address, find);
    if (known === null) throw refusal(key === undefined);
    const session = await services.consoleSessions.begin(known.record);
    const reply = await givenSessionReply(services, session, isSecure);
    return { ...reply, headers: { ...reply.headers, ...known.limitFields } };
  },
};

async function keyOfCode(
  { consoleLinks, keyRing }: Pick<AppServices, "consoleLinks" | "keyRing">,
  code: string,
): Promise<KeyRecord | null> {
  const keyId = consoleLinks.take(code);
  return keyId === null ? null : keyRing.goodKey(keyId);
}

function refusal(isLink: boolean): ServiceError {
  const detail = isLink
    ? "The link was used, or is older than 10 minutes. Get a new one, or sign in with an API key."
    : "The API key is not valid. Was it copied whole? `sightline keys create` makes one.";
  return new ServiceError("key_invalid", detail, { headers: { "WWW-Authenticate": "Cookie" } });
}
