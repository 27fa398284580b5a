import { randomUUID } from "node:crypto";
import { type CreatedAccountResponse, scopes } from "@sightline/contract";
import { z } from "zod";
import { validated } from "../../http/body.ts";
import { type Change, type ConsoleOperation, declared, jsonReply } from "../../http/operation.ts";
import { orProblem } from "../../http/or-problem.ts";
import { givenSessionReply } from "../../keys/console/routes.ts";
import type { KeyProperties } from "../../keys/key-ring.ts";
import type { KeyServices } from "../../keys/key-services.ts";
import type { KeyRecord } from "../../keys/key-store.ts";
import { keyListing } from "../../keys/routes.ts";
import { type Actor, theService } from "../../platform/actor.ts";
import { moving } from "../../platform/thread.ts";
import type { ApplyThreads } from "../apply-thread.ts";
import {
  type FirstRunLink,
  firstRunLink,
  isUnused,
  isWithoutAccounts,
  linkRefused,
} from "./link.ts";

/** What the operations that create accounts are made of. */
export interface NewAccountServices extends KeyServices {
  readonly applies: ApplyThreads;
}

const refused = { failed: "The account could not be created.", advice: "Nothing was changed." };

interface NewAccount {
  /** A workspace file, as parsed JSON. */
  readonly file: unknown;
  readonly key: Omit<KeyProperties, "name">;
  /** When the link was made that allows the first account; null: a key allows it. */
  readonly firstSince: number | null;
  readonly by: Actor;
}

interface CreatedAccount {
  readonly accountId: string;
  /** The first key, which is visible only now, and its record. */
  readonly key: string;
  readonly record: KeyRecord;
}

/**
 * Creates an account under a random id, which nobody can know or guess: an id derived from the name
 * would tell its caller whether another account has that name.
 */
async function createAccount(
  services: NewAccountServices,
  { file, key: may, firstSince, by }: NewAccount,
): Promise<CreatedAccount> {
  const accountId = randomUUID();
  const bytes = new TextEncoder().encode(JSON.stringify(file));
  const { scopes, expiresAt, ratePerSecond = null, dailyQuota = null } = may;
  const key = { name: "first key", scopes: scopes ?? [], expiresAt, ratePerSecond, dailyQuota };
  const order = { accountId, bytes, key, firstSince, by };
  const created = services.applies.small.api.create(moving(order, [bytes.buffer]));
  const { keyId, key: text } = await orProblem(created, refused);
  const record = await services.keyRing.goodKey(keyId);
  if (record === null) throw new Error(`the key ${keyId} of a new account is not there`);
  services.logger.info({ accountId, keyId }, "an account was created over HTTP");
  return { accountId, key: text, record };
}

/** POST /v1/accounts: another account, by a key whose holder may create accounts. */
export const createAccountRoute: Change<NewAccountServices> = {
  ...declared("createAccount"),
  kind: "change",
  reply: async (services, { caller, actor, body }) => {
    const { scopes, ratePerSecond, dailyQuota } = caller;
    const may = { scopes, expiresAt: null, ratePerSecond, dailyQuota };
    const order = { file: body, key: may, firstSince: null, by: actor };
    const { accountId, key, record } = await createAccount(services, order);
    const listed = await keyListing(services, accountId);
    const name = (await services.accountName(accountId)) ?? "";
    const account = { id: accountId, name };
    const reply: CreatedAccountResponse = { account, key: { ...listed(record), key } };
    return jsonReply(reply);
  },
};

const codeSchema = z.strictObject({ code: z.string() });
const firstAccountSchema = z.strictObject({ code: z.string(), workspace: z.unknown() });

/** The link of a code, under the throttle of who guesses keys. @throws ServiceError key_invalid. */
async function usableLink(
  { keyRing, control, limits, clock, metrics }: KeyServices,
  code: string,
  address: string,
): Promise<FirstRunLink> {
  const found = await limits.failedExchanges.lookUp(address, async () => {
    const link = firstRunLink(keyRing, code, clock.now());
    return link !== null && (await isUnused(control, link)) ? link : null;
  });
  if (found !== null) return found;
  metrics.failedExchanges.inc();
  throw linkRefused();
}

/** GET /console/first-run: whether the service has no account yet, so that no key signs in. */
const stateRoute: ConsoleOperation<NewAccountServices> = {
  kind: "console",
  method: "GET",
  path: "/console/first-run",
  hasBody: false,
  reply: async ({ control }) => jsonReply({ isEmpty: await isWithoutAccounts(control) }),
};

/** POST /console/first-run: whether a link is valid, before somebody fills in a form. */
const checkRoute: ConsoleOperation<NewAccountServices> = {
  kind: "console",
  method: "POST",
  path: "/console/first-run",
  hasBody: true,
  reply: async (services, { body, address }) => {
    const { code } = validated(codeSchema, body);
    const { expiresAt } = await usableLink(services, code, address);
    return jsonReply({ expiresAt: new Date(expiresAt).toISOString() });
  },
};

/**
 * POST /console/first-run/account: uses a link up. Creates the first account, signs the browser in
 * and shows the account's key, this once.
 */
const firstAccountRoute: ConsoleOperation<NewAccountServices> = {
  kind: "console",
  method: "POST",
  path: "/console/first-run/account",
  hasBody: true,
  reply: async (services, { body, address, isSecure }) => {
    const { code, workspace } = validated(firstAccountSchema, body);
    const { since } = await usableLink(services, code, address);
    const may = { scopes, expiresAt: null };
    const order = { file: workspace, key: may, firstSince: since, by: theService };
    const { key, record } = await createAccount(services, order);
    const session = await services.consoleSessions.begin(record);
    return givenSessionReply(services, session, isSecure, key);
  },
};

/** The operations with which the console creates the service's first account. */
export const firstRunOperations: readonly ConsoleOperation<NewAccountServices>[] = [
  stateRoute,
  checkRoute,
  firstAccountRoute,
];
