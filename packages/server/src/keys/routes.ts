import {
  type CreatedKeyResponse,
  dayMs,
  type KeysResponse,
  keyRequestSchema,
  type ListedKey,
  listedKeysMax,
  quoted,
  validKeysMax,
} from "@sightline/contract";
import { actingFor } from "../control/control-engine.ts";
import { validated } from "../http/body.ts";
import {
  type CallerKey,
  type Change,
  declared,
  type Exchange,
  jsonReply,
  type List,
  type OpenOperation,
  type Operation,
} from "../http/operation.ts";
import { ServiceError } from "../platform/service-error.ts";
import { bearerToken } from "./bearer.ts";
import { keyProperties } from "./key-properties.ts";
import type { KeyServices } from "./key-services.ts";
import { type KeyRecord, keyById, latestKeysOf, personNames } from "./key-store.ts";
import { knownKey } from "./known-key.ts";
import { usageOfDay } from "./limits/usage-store.ts";

const exchange = declared("exchangeAccessKey");

/** Exchanges a static key for a session token; the MCP tools call it, too. */
export const exchangeRoute: Exchange<KeyServices> = {
  kind: "exchange",
  method: exchange.method,
  path: exchange.path,
  reply: async (services, { authorization, address }) => {
    const { keyRing, sessions, config, metrics } = services;
    const credential = bearerToken(authorization);
    // A request without a key is not throttled: any web page can make a browser send one.
    if (!credential) {
      metrics.failedExchanges.inc();
      throw keyInvalid(credential === null);
    }
    const key = withoutIssuer(credential, config.issuer);
    const known = await knownKey(services, address, () => keyRing.verify(key));
    if (known === null) throw keyInvalid(false);
    const sessionJwt = await sessions.issue(known.record);
    const reply = jsonReply({ keyId: known.record.id, sessionJwt });
    return { ...reply, headers: { ...known.limitFields, "Cache-Control": "no-store" } };
  },
};

/** Some clients send `<issuer>:<key>`. */
function withoutIssuer(credential: string, issuer: string): string {
  const prefix = `${issuer}:`;
  return credential.startsWith(prefix) ? credential.slice(prefix.length) : credential;
}

/** Unknown, revoked, expired and malformed keys get the same body. */
function keyInvalid(nothingSent: boolean): ServiceError {
  return new ServiceError(
    "key_invalid",
    "Send a valid API key as `Authorization: Bearer <key>`. `sightline keys create` makes one.",
    {
      headers: { "WWW-Authenticate": nothingSent ? "Bearer" : 'Bearer error="invalid_token"' },
    },
  );
}

/** GET /.well-known/jwks.json: the public keys that check session tokens (RFC 7517). */
const jwksRoute: OpenOperation<KeyServices> = {
  kind: "open",
  method: "GET",
  path: "/.well-known/jwks.json",
  reply: async ({ signingKeys }) => jsonReply(signingKeys.jwks),
};

/** GET /v2/keys/<issuer>: the key set where Descope's clients expect it. */
const descopeKeysRoute: OpenOperation<KeyServices> = {
  kind: "open",
  method: "GET",
  path: "/v2/keys/:issuer",
  reply: async ({ signingKeys, config }, { issuer }) => {
    if (issuer === config.issuer) return jsonReply(signingKeys.jwks);
    throw new ServiceError("not_found", "Unknown issuer.");
  },
};

const keysRoute: List<KeyServices> = {
  ...declared("keys"),
  kind: "list",
  reply: async (services, { caller: { accountId } }) => {
    const keys = await latestKeysOf(services.control, accountId, listedKeysMax);
    const listed = await keyListing(services, accountId);
    return jsonReply({ keys: keys.map(listed) } satisfies KeysResponse);
  },
};

const createKeyRoute: Change<KeyServices> = {
  ...declared("createKey"),
  kind: "change",
  reply: async (services, { caller, actor, body }) => {
    const { control, keyRing, limits, clock } = services;
    const request = validated(keyRequestSchema, body);
    // People have no quota, since they are slow; their programs are not.
    const own = caller.kind === "person" ? { ratePerSecond: null, dailyQuota: null } : caller;
    const giver = { scopes: caller.scopes, own, limits: limits.of(own) };
    const properties = keyProperties(request, giver, clock.now());
    const personId = await personOf(control, caller);
    const { key, record } = await keyRing.create(
      caller.accountId,
      { ...properties, personId, validMax: validKeysMax },
      actingFor(control, actor),
    );
    const listed = await keyListing(services, caller.accountId);
    return jsonReply({ ...listed(record), key } satisfies CreatedKeyResponse);
  },
};

/** A key is of the person who makes it; one that a key makes is of the same person. */
async function personOf(
  control: KeyServices["control"],
  { kind, id }: CallerKey,
): Promise<string | null> {
  if (kind === "person") return id;
  return (await keyById(control, id))?.personId ?? null;
}

const revokeKeyRoute: Change<KeyServices> = {
  ...declared("revokeKey"),
  kind: "change",
  reply: async (services, { caller, actor, parameters }) => {
    const { control, keyRing } = services;
    const { keyId = "" } = parameters;
    const key = await keyById(control, keyId);
    // A key never changes its account. One of another account gets the same reply as an unknown
    // one.
    const revoked =
      key?.accountId === caller.accountId
        ? await keyRing.revoke(keyId, actingFor(control, actor))
        : null;
    if (revoked !== null) {
      return jsonReply((await keyListing(services, caller.accountId))(revoked));
    }
    throw new ServiceError("not_found", `No key of this account has the id ${quoted(keyId)}.`);
  },
};

/** A function that shows a key of the account: without its hash, with its calls of today. */
export async function keyListing(
  { control, limits, clock }: Pick<KeyServices, "control" | "limits" | "clock">,
  accountId: string,
): Promise<(key: KeyRecord) => ListedKey> {
  const calls = await usageOfDay(control, accountId, Math.floor(clock.now() / dayMs));
  const names = await personNames(control, accountId);
  return (key) => ({
    keyId: key.id,
    name: key.name,
    scopes: [...key.scopes],
    createdAt: new Date(key.createdAt).toISOString(),
    expiresAt: dateTime(key.expiresAt),
    revokedAt: dateTime(key.revokedAt),
    lastUsedAt: dateTime(key.lastUsedAt),
    rate: typeof key.ratePerSecond === "number" ? `${key.ratePerSecond}/s` : key.ratePerSecond,
    quota: key.dailyQuota,
    callsToday: limits.of(key).dailyQuota === "off" ? null : (calls.get(key.id) ?? 0),
    person: names.get(key.personId ?? "") ?? null,
  });
}

function dateTime(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}

/** The operations on keys, sessions and signing keys. */
export const keyOperations: readonly Operation<KeyServices>[] = [
  exchangeRoute,
  jwksRoute,
  descopeKeysRoute,
  keysRoute,
  createKeyRoute,
  revokeKeyRoute,
];
