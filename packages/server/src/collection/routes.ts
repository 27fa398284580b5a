import {
  type CollectionRequest,
  collectionRequestSchema,
  credentialTestRequestSchema,
  type FieldError,
  type ListedCollection,
  quoted,
  readingRequestSchema,
  type Vendor,
  type VendorCredentialsResponse,
  vendorCredentialRequestSchema,
  vendors,
} from "@sightline/contract";
import { selectionOfFilters } from "../answers/corrections/corrections.ts";
import type { ControlEngine } from "../control/control-engine.ts";
import { validated } from "../http/body.ts";
import {
  type Call,
  type Change,
  declared,
  jsonReply,
  type List,
  type Operation,
  type Reply,
} from "../http/operation.ts";
import { orProblem } from "../http/or-problem.ts";
import type { Clock } from "../platform/clock.ts";
import { ServiceError } from "../platform/service-error.ts";
import { untilAborted } from "../platform/until-aborted.ts";
import { credentialFault } from "./config.ts";
import { isCollectionOff, startedCollection } from "./listed-collections.ts";
import type { PlanOrder, PlanOutcome } from "./plan.ts";
import { startedReading } from "./plan-reading.ts";
import type { CollectionThread } from "./thread.ts";
import type { VendorCredentials } from "./vendor-credentials.ts";

/** Dependencies of the operations on collection. */
export interface CollectionServices {
  readonly collection: Pick<CollectionThread, "api">;
  readonly vendorCredentials: VendorCredentials;
  readonly clock: Clock;
  readonly control: ControlEngine;
}

const notListed = { failed: "The collections could not be listed.", advice: "Retry." };

const collectionsRoute: List<CollectionServices> = {
  ...declared("collections"),
  kind: "list",
  reply: async ({ collection, clock }, { caller: { accountId } }) =>
    jsonReply(await orProblem(collection.api.list(accountId, clock.now()), notListed)),
};

const startCollectionRoute: Change<CollectionServices> = {
  ...declared("startCollection"),
  kind: "change",
  reply: async ({ collection }, { caller: { accountId }, actor, body }) => {
    const order = orderOf(accountId, validated(collectionRequestSchema, body));
    return planReply(await orProblem(collection.api.plan(order, actor), notPlanned), order);
  },
};

function orderOf(accountId: string, request: CollectionRequest): PlanOrder {
  const { promptIds, topics, providers, regions, samples, dryRun = false } = request;
  const lower = (ids: readonly string[]) => ids.map((id) => id.toLowerCase());
  return {
    accountId,
    ...(promptIds === undefined ? {} : { promptIds: lower(promptIds) }),
    ...(topics === undefined ? {} : { topicIds: lower(topics.map(({ id }) => id)) }),
    ...(providers === undefined ? {} : { providers }),
    ...(regions === undefined ? {} : { regions: [...new Set(regions)] }),
    ...(samples === undefined ? {} : { samples }),
    dryRun,
  };
}

function planReply(outcome: PlanOutcome, { dryRun }: PlanOrder): Reply {
  switch (outcome.kind) {
    case "planned":
      if (dryRun) return jsonReply(startedCollection(outcome));
      if (isCollectionOff(outcome)) throw off(outcome);
      if (outcome.sweepId === null) throw invalidOrder("not_allowed", nothingToAsk);
      return { ...jsonReply(startedCollection(outcome)), status: 202 };
    case "too-many":
      throw invalidOrder(
        "too_large",
        `would be more than ${outcome.jobsMax} questions. Select fewer.`,
      );
    case "no-account":
      throw new ServiceError("not_found", "The account was deleted.");
  }
}

const notPlanned = { failed: "The sweep could not be planned.", advice: "Retry." };

const nothingToAsk =
  "selects no prompt of which a provider is asked. Name providers, or declare `collection` in " +
  "the workspace; retired and paused prompts are not asked.";

function off(outcome: Extract<PlanOutcome, { kind: "planned" }>): ServiceError {
  const reasons = startedCollection(outcome).unanswered.map(({ reason }) => reason);
  return new ServiceError("collection_off", [...new Set(reasons)].join(" "));
}

function invalidOrder(code: FieldError["code"], message: string): ServiceError {
  return refused([{ path: "", code, message }]);
}

const startReadingRoute: Change<CollectionServices> = {
  ...declared("startReading"),
  kind: "change",
  reply: async ({ collection, control }, { caller: { accountId }, actor, body }) => {
    const { filters, dryRun = false } = validated(readingRequestSchema, body);
    const selection = await selectionOfFilters(control, accountId, filters);
    const order = { accountId, selection, dryRun };
    const outcome = await orProblem(collection.api.read(order, actor), notPlanned);
    switch (outcome.kind) {
      case "planned": {
        const reply = jsonReply(startedReading(outcome));
        return outcome.sweepId === null ? reply : { ...reply, status: 202 };
      }
      case "off":
        throw new ServiceError("collection_off", outcome.reason);
      case "too-many": {
        const message = `would be more than ${outcome.answersMax} answers. Narrow the filters.`;
        throw invalidOrder("too_large", message);
      }
      case "no-account":
        throw new ServiceError("not_found", "The account was deleted.");
    }
  },
};

const collectionRoute: List<CollectionServices> = {
  ...declared("collection"),
  kind: "list",
  reply: async ({ collection }, call) => jsonReply(await sweepOf(call, collection.api.get)),
};

const cancelCollectionRoute: Change<CollectionServices> = {
  ...declared("cancelCollection"),
  kind: "change",
  reply: async ({ collection, clock }, call) => {
    const cancel = (accountId: string, sweepId: string) =>
      collection.api.cancel(accountId, sweepId, { now: clock.now(), by: call.actor });
    return jsonReply(await sweepOf(call, cancel));
  },
};

/**
 * The sweep that the path names, after reading or changing it with `find`.
 * @throws ServiceError not_found when the account does not have it.
 */
async function sweepOf(
  { caller, parameters }: Call,
  find: (accountId: string, sweepId: string) => Promise<ListedCollection | null>,
): Promise<ListedCollection> {
  const { id = "" } = parameters;
  const sweep = await orProblem(find(caller.accountId, id), notRead);
  if (sweep !== null) return sweep;
  // A sweep of another account gets the same reply as an unknown one.
  throw new ServiceError("not_found", `The account has no collection ${quoted(id)}.`);
}

const notRead = { failed: "The collection could not be read or changed.", advice: "Retry." };

const vendorCredentialsRoute: List<CollectionServices> = {
  ...declared("vendorCredentials"),
  kind: "list",
  reply: async ({ vendorCredentials }, { caller: { accountId } }) => {
    const credentials = await vendorCredentials.list(accountId);
    return jsonReply({ credentials: [...credentials] } satisfies VendorCredentialsResponse);
  },
};

const storeVendorCredentialRoute: Change<CollectionServices> = {
  ...declared("storeVendorCredential"),
  kind: "change",
  reply: async ({ vendorCredentials }, call) => {
    const vendor = vendorOf(call);
    const { credential } = unquoted(() => validated(vendorCredentialRequestSchema, call.body));
    const fault = credentialFault(vendor, credential);
    if (fault !== null)
      throw refused([{ path: "/credential", code: "wrong_format", message: fault }]);
    const { accountId } = call.caller;
    return jsonReply(await vendorCredentials.store({ accountId, vendor }, credential, call.actor));
  },
};

/** Reads what must not be quoted: faults say what must stand there, and not what was sent. */
function unquoted<Body>(read: () => Body): Body {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof ServiceError) || error.errors === undefined) throw error;
    throw refused(
      error.errors.map((each) => {
        return { ...each, message: each.message.replace(/, got [\s\S]*$/, ".") };
      }),
    );
  }
}

function refused(errors: readonly FieldError[]): ServiceError {
  const [{ path, message } = { path: "", message: "" }] = errors;
  return new ServiceError("invalid_request", `${path || "/"}: ${message}`, { errors });
}

const deleteVendorCredentialRoute: Change<CollectionServices> = {
  ...declared("deleteVendorCredential"),
  kind: "change",
  reply: async ({ vendorCredentials }, call) => {
    const vendor = vendorOf(call);
    const { accountId } = call.caller;
    const deleted = await vendorCredentials.delete({ accountId, vendor }, call.actor);
    if (deleted === null) throw noCredentialOf(vendor);
    return jsonReply(deleted);
  },
};

const testVendorCredentialRoute: Change<CollectionServices> = {
  ...declared("testVendorCredential"),
  kind: "change",
  reply: async ({ vendorCredentials }, call) => {
    const vendor = vendorOf(call);
    const { paid = false } = validated(credentialTestRequestSchema, call.body);
    const { accountId } = call.caller;
    // A vendor may take minutes. What it was asked is noted, also when the caller is gone.
    const testing = vendorCredentials.test({ accountId, vendor }, paid);
    const tested = await untilAborted(testing, call.ended);
    if (tested === null) throw noCredentialOf(vendor);
    return jsonReply(tested);
  },
};

/** @throws ServiceError not_found: no vendor has the name in the path. */
function vendorOf({ parameters }: Call): Vendor {
  const { vendor: name = "" } = parameters;
  const vendor = vendors.find((each) => each === name);
  if (vendor === undefined) {
    throw new ServiceError("not_found", `There is no vendor ${quoted(name)}.`);
  }
  return vendor;
}

function noCredentialOf(vendor: Vendor): ServiceError {
  return new ServiceError("not_found", `The account has stored no credential of ${vendor}.`);
}

/** The operations on collection. */
export const collectionOperations: readonly Operation<CollectionServices>[] = [
  collectionsRoute,
  startCollectionRoute,
  startReadingRoute,
  collectionRoute,
  cancelCollectionRoute,
  vendorCredentialsRoute,
  storeVendorCredentialRoute,
  deleteVendorCredentialRoute,
  testVendorCredentialRoute,
];
