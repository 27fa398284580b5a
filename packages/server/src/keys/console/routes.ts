import { z } from "zod";
import { validated } from "../../http/body.ts";
import {
  type ConsoleOperation,
  jsonReply,
  type PathParameters,
  type Reply,
} from "../../http/operation.ts";
import { ServiceError } from "../../platform/service-error.ts";
import type { KeyServices } from "../key-services.ts";
import type { KeyRecord } from "../key-store.ts";
import { knownKey } from "../known-key.ts";
import {
  type ConsoleCaller,
  consoleAccountPath,
  consoleCaller,
  sessionEnded,
} from "./console-caller.ts";
import type { GivenConsoleSession } from "./console-sessions.ts";
import { givenCookie, sessionCookie, sessionCookies } from "./session-cookie.ts";

const common = {
  kind: "console",
  path: `${consoleAccountPath}/session`,
  hasBody: false,
} as const;

/** GET /console/accounts/{accountId}/session: who is signed in, and until when. */
const currentSessionRoute: ConsoleOperation<KeyServices> = {
  ...common,
  method: "GET",
  reply: async (services, { request }) => {
    const session = await consoleCaller(services, request);
    const limitFields = await services.limits.take(session.caller);
    const reply = await sessionReply(services, session);
    return { ...reply, headers: limitFields };
  },
};

/** POST /console/accounts/{accountId}/session: renews the session of an open page. */
const renewedSessionRoute: ConsoleOperation<KeyServices> = {
  ...common,
  method: "POST",
  reply: async (services, { request, isSecure }) => {
    const { accountId, token, caller, person } = await consoleCaller(services, request);
    const limitFields = await services.limits.take(caller);
    if (person !== null) {
      const renewed = await services.signedInPeople.renew(request, isSecure);
      const reply = await sessionReply(services, {
        caller,
        person,
        expiresAt: renewed?.expiresAt ?? null,
      });
      const given = renewed === null ? {} : { "Set-Cookie": renewed.cookie };
      return { ...reply, headers: { ...given, ...limitFields } };
    }
    const session = await services.consoleSessions.renew(accountId, token);
    if (session === null) throw sessionEnded();
    const reply = await givenSessionReply(services, session, isSecure);
    return { ...reply, headers: { ...reply.headers, ...limitFields } };
  },
};

/** DELETE /console/accounts/{accountId}/session: signs out, even without a valid session. */
const endedSessionRoute: ConsoleOperation<KeyServices> = {
  ...common,
  method: "DELETE",
  reply: async ({ consoleSessions }, { request, isSecure }) => {
    const { accountId = "" } = request.params as PathParameters;
    const tokens = sessionCookies(request.headers, accountId);
    if (tokens.length === 0) return jsonReply({});
    for (const token of tokens) await consoleSessions.end(accountId, token);
    const cookie = { ...sessionCookie(accountId), token: "", maxAgeSeconds: 0, isSecure };
    return { ...jsonReply({}), headers: { "Set-Cookie": givenCookie(cookie) } };
  },
};

/** Of any length: an error about the length would quote what may be a key. */
const secret = z.string();

/** A static key, or the code of a link. */
const signInSchema = z
  .strictObject({ key: secret.optional(), code: secret.optional() })
  .refine(({ key, code }) => (key === undefined) !== (code === undefined), {
    error: "must have either key or code",
  });

/** POST /console/sessions: signs a browser in to the account of a key. */
const consoleSignInRoute: ConsoleOperation<KeyServices> = {
  kind: "console",
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
  { consoleLinks, keyRing }: Pick<KeyServices, "consoleLinks" | "keyRing">,
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

/** What the page gets about a session. */
interface SignedIn {
  readonly account: { readonly id: string; readonly name: string | null };
  readonly scopes: readonly string[];
  /** Null: a proxy says with each call who asks. */
  readonly expiresAt: string | null;
  /** Omitted: the browser signed in with a key. */
  readonly person?: ConsoleCaller["person"];
  /** The first key of a new account, which is shown this once. */
  readonly key?: string;
}

type Shown = Pick<ConsoleCaller, "caller" | "expiresAt" | "person">;

/** The reply about a session. */
async function sessionReply(
  { accountName }: Pick<KeyServices, "accountName">,
  { caller, expiresAt, person }: Shown,
  shownKey?: string,
): Promise<Reply> {
  const { accountId, scopes } = caller;
  return jsonReply({
    account: { id: accountId, name: await accountName(accountId) },
    scopes,
    expiresAt: expiresAt === null ? null : new Date(expiresAt).toISOString(),
    ...(person === null ? {} : { person }),
    ...(shownKey === undefined ? {} : { key: shownKey }),
  } satisfies SignedIn);
}

/**
 * The reply with a new or renewed session, which sets the browser's cookie.
 * @param shownKey the first key of a new account.
 */
export async function givenSessionReply(
  services: Pick<KeyServices, "accountName" | "clock">,
  session: GivenConsoleSession,
  isSecure: boolean,
  shownKey?: string,
): Promise<Reply> {
  const { token, key, expiresAt } = session;
  const maxAgeSeconds = Math.floor((expiresAt - services.clock.now()) / 1_000);
  const cookie = { ...sessionCookie(key.accountId), token, maxAgeSeconds, isSecure };
  const reply = await sessionReply(services, { caller: key, expiresAt, person: null }, shownKey);
  return { ...reply, headers: { "Set-Cookie": givenCookie(cookie) } };
}

/** The operations with which a browser signs in to the console and out of it. */
export const consoleSessionOperations: readonly ConsoleOperation<KeyServices>[] = [
  consoleSignInRoute,
  currentSessionRoute,
  renewedSessionRoute,
  endedSessionRoute,
];
