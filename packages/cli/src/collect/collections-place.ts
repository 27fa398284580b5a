import type { Sightline } from "@sightline/client";
import type {
  ClaimsRequest,
  ClaimsResponse,
  CollectionRequest,
  CollectionsResponse,
  ListedCollection,
  ReadingRequest,
  StartedCollection,
  StartedReading,
  Vendor,
  VendorCredential,
} from "@sightline/contract";
import { workspaceOf } from "@sightline/server/account-store";
import { claimsOf } from "@sightline/server/claims";
import {
  CollectionService,
  isCollectionOff,
  type PlanOutcome,
  startedCollection,
} from "@sightline/server/collection-service";
import { selectionOfFilters } from "@sightline/server/corrections";
import { createLogger } from "@sightline/server/logger";
import { type ReadingOutcome, startedReading } from "@sightline/server/plan-reading";
import { type QuotePlace, quotesAt } from "@sightline/server/reading-quotes";
import type { Storage } from "@sightline/server/storage";
import { VendorCredentials } from "@sightline/server/vendor-credentials";
import { importConnection } from "../connection/import-connection.ts";
import { withClient } from "../connection/with-client.ts";
import type { Named } from "../questions/names.ts";
import { CommandError } from "../result.ts";
import { accountOf, type DataOptions, placeOf, requireExisting, withStorage } from "../storage.ts";

/** The options that say where sweeps are: in a data folder, or at a service. */
export interface PlaceOptions extends DataOptions {
  readonly account?: string;
  readonly url?: string;
  readonly keyFile?: string;
  readonly profile?: string;
  readonly prices?: string;
  readonly vendorStandIn?: string;
}

/** What an account tracks, to look up names. */
interface Tracked {
  readonly topics: readonly Named[];
  readonly prompts: readonly { readonly id: string; readonly text: string }[];
  /** The brand first. */
  readonly entities: readonly Named[];
}

/** Sweeps of one account, here or at a service. */
export interface CollectionsPlace {
  readonly tracked: () => Promise<Tracked>;
  readonly start: (request: CollectionRequest) => Promise<StartedCollection>;
  /** Has answers read by the configured model, or estimates it. */
  readonly read: (request: ReadingRequest) => Promise<StartedReading>;
  /** What a model read. */
  readonly claims: (request: ClaimsRequest) => Promise<ClaimsResponse>;
  readonly list: () => Promise<CollectionsResponse>;
  readonly get: (id: string) => Promise<ListedCollection>;
  readonly cancel: (id: string) => Promise<ListedCollection>;
  /** Lets what is held back of a sweep count. @throws CommandError at a service. */
  readonly accept: (id: string) => Promise<ListedCollection>;
  /** The vendors with a credential, never a value. */
  readonly credentials: () => Promise<readonly VendorCredential[]>;
  readonly storeCredential: (vendor: Vendor, secret: string) => Promise<VendorCredential>;
  /** Null, or NotFoundError at a service: there was none. */
  readonly deleteCredential: (vendor: Vendor) => Promise<VendorCredential | null>;
  /** What works on sweeps in this process; null: others do. */
  readonly here: CollectionService | null;
}

/** Runs work on an account's sweeps. @throws CommandError when there is no such place. */
export async function withCollections<Result>(
  options: PlaceOptions,
  work: (place: CollectionsPlace) => Promise<Result>,
): Promise<Result> {
  const connection = await importConnection(options);
  if (connection !== null) {
    return withClient(connection, (client) => work(placeAt(client)), patience);
  }
  requireExisting(options);
  return withStorage(options, async (storage) => {
    const accountId = await accountOf(storage, options.account);
    return work(await placeHere(storage, accountId, options));
  });
}

/** Sweeps take long: a service that starts again meanwhile is waited for. */
const patience = { retriesMax: 8, timeoutMs: 180_000 };

function placeAt(client: Sightline): CollectionsPlace {
  const { collections } = client;
  return {
    tracked: async () => {
      const { topics, prompts, brand, competitors } = await client.workspace();
      return { topics, prompts, entities: [brand, ...competitors] };
    },
    start: (request) => collections.start(request),
    read: (request) => collections.read(request),
    claims: (request) => client.insights.claims(request),
    list: () => collections.list(),
    get: (id) => collections.get(id),
    cancel: (id) => collections.cancel(id),
    accept: () => Promise.reject(new CommandError(acceptedByOperators, 2)),
    credentials: () => collections.credentials(),
    storeCredential: (vendor, secret) => collections.storeCredential(vendor, secret),
    deleteCredential: (vendor) => collections.deleteCredential(vendor),
    here: null,
  };
}

/** What collects in this process. */
export function collectionService(storage: Storage, options: PlaceOptions): CollectionService {
  const { collection: config, collectConcurrency: concurrency, logLevel } = placeOf(options);
  const logger = createLogger(logLevel === "info" ? "warn" : logLevel);
  return new CollectionService({ ...storage, config, concurrency, logger });
}

/** The accounts' own credentials in a data folder. */
export function credentialsHere(storage: Storage, options: PlaceOptions): VendorCredentials {
  return new VendorCredentials({ ...storage, config: placeOf(options).collection });
}

async function placeHere(
  storage: Storage,
  accountId: string,
  options: PlaceOptions,
): Promise<CollectionsPlace> {
  const here = collectionService(storage, options);
  const credentials = credentialsHere(storage, options);
  const { vendors } = (await credentials.configOf(accountId)).credentials;
  return {
    here: vendors.length === 0 ? null : here,
    credentials: () => credentials.list(accountId),
    storeCredential: (vendor, secret) => credentials.store({ accountId, vendor }, secret),
    deleteCredential: (vendor) => credentials.delete({ accountId, vendor }),
    tracked: async () => {
      const workspace = await workspaceOf(storage.control, accountId);
      const { topics = [], prompts = [], entities = [] } = workspace ?? {};
      return { topics, prompts, entities };
    },
    start: async ({ topics, dryRun = false, ...request }) => {
      const topicIds = topics === undefined ? {} : { topicIds: topics.map(({ id }) => id) };
      const order = { accountId, ...definedOf(request), ...topicIds, dryRun };
      return startedOf(await here.plan(order), dryRun);
    },
    read: async ({ filters, dryRun = false }) => {
      const selection = await selectionOfFilters(storage.control, accountId, filters);
      return readOf(await here.read({ accountId, selection, dryRun }));
    },
    claims: async ({ filters, reader = null, limit = 20, quotesOf = null }) => {
      const { control, answers } = storage;
      const selection = await selectionOfFilters(control, accountId, filters);
      const { signal } = new AbortController();
      const facts = {
        quotes: (id: string, places: readonly QuotePlace[]) =>
          quotesAt(answers, { accountId: id, signal }, places),
      };
      const asked = { selection, reader, limit, quotesOf };
      return claimsOf({ control, facts }, { accountId, signal }, asked);
    },
    list: () => here.list(accountId),
    get: async (id) => found(await here.get(accountId, id), id),
    cancel: async (id) => found(await here.cancel(accountId, id), id),
    accept: async (id) => found(await here.accept(accountId, id), id),
  };
}

function definedOf({ promptIds, providers, regions, samples }: CollectionRequest) {
  return {
    ...(promptIds === undefined ? {} : { promptIds }),
    ...(providers === undefined ? {} : { providers }),
    ...(regions === undefined ? {} : { regions }),
    ...(samples === undefined ? {} : { samples }),
  };
}

function startedOf(outcome: PlanOutcome, dryRun: boolean): StartedCollection {
  switch (outcome.kind) {
    case "planned": {
      const started = startedCollection(outcome);
      if (dryRun || outcome.sweepId !== null) return started;
      if (!isCollectionOff(outcome)) throw new CommandError(nothingToAsk, 2);
      const reasons = [...new Set(started.unanswered.map(({ reason }) => reason))];
      throw new CommandError(reasons.join("\n"), 1, started);
    }
    case "too-many":
      throw new CommandError(`That is more than ${outcome.jobsMax} questions. Select fewer.`, 2);
    case "no-account":
      throw new CommandError("The account was deleted.");
  }
}

function readOf(outcome: ReadingOutcome): StartedReading {
  switch (outcome.kind) {
    case "planned":
      return startedReading(outcome);
    case "off":
      throw new CommandError(outcome.reason, 1);
    case "too-many":
      throw new CommandError(`That is more than ${outcome.answersMax} answers. Narrow it.`, 2);
    case "no-account":
      throw new CommandError("The account was deleted.");
  }
}

const acceptedByOperators =
  "A key cannot accept answers that are held back. Run this without --url, where the data is.";

const nothingToAsk =
  "There is nothing to ask: no provider is declared for the selected prompts. Name providers " +
  "with --provider, or declare `collection` in the workspace file.";

function found(sweep: ListedCollection | null, id: string): ListedCollection {
  if (sweep !== null) return sweep;
  throw new CommandError(`No sweep has the id ${id}. See: sightline collect status`);
}
