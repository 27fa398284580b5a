import { fileURLToPath } from "node:url";
import { sightlineVersion } from "@sightline/contract/version";
import { accountNameOf, revisionOf } from "./accounts/account-store.ts";
import { type ApplyThreads, applyThreads, fileWorkOf } from "./accounts/apply-thread.ts";
import { RevisionCache } from "./accounts/revision-cache.ts";
import type { AccountServices } from "./accounts/routes.ts";
import { correctionThread } from "./answers/corrections/correction-thread.ts";
import { ImportThread } from "./answers/intake/import-thread.ts";
import type { AnswerStoreAddress } from "./answers/open-answer-store.ts";
import { Retention } from "./answers/retention/retention.ts";
import type { AnswerServices } from "./answers/routes.ts";
import { sqliteVersion } from "./answers/sqlite/sqlite-answer-store.ts";
import type { CollectionServices } from "./collection/routes.ts";
import { hasCredentials } from "./collection/store/credential-store.ts";
import { CollectionThread, type CollectionThreadOptions } from "./collection/thread.ts";
import { VendorCredentials } from "./collection/vendor-credentials.ts";
import type { Config } from "./config.ts";
import type { ControlEngine } from "./control/control-engine.ts";
import { DuckdbFacts } from "./facts/duckdb/duckdb-facts.ts";
import { duckdbVersion } from "./facts/duckdb/engine.ts";
import type { FactsEngine } from "./facts/engine.ts";
import { BatchReader } from "./facts/projection/batch-reader.ts";
import { DeletedAccounts, type DeletedAccountsTools } from "./facts/projection/deleted-accounts.ts";
import { ProjectionScheduler } from "./facts/projection/scheduler.ts";
import type { HookServices } from "./hooks/routes.ts";
import { eventSender } from "./hooks/send-event.ts";
import { Webhooks, type WebhooksOptions } from "./hooks/webhooks.ts";
import type { HttpServices, Lifecycle } from "./http/http-services.ts";
import { ReplyCache } from "./http/reply-cache.ts";
import { callerKinds } from "./keys/authenticate.ts";
import { ConsoleLinks } from "./keys/console/console-links.ts";
import { ConsoleSessions } from "./keys/console/console-sessions.ts";
import type { KeyServices } from "./keys/key-services.ts";
import { Limits, openCounts } from "./keys/limits/limits.ts";
import { usageStore } from "./keys/limits/usage-store.ts";
import { Sessions } from "./keys/sessions.ts";
import { SigningKeys } from "./keys/signing-keys.ts";
import { Links } from "./links/links.ts";
import type { LinkServices } from "./links/routes.ts";
import type { OperationalServices } from "./operations/routes.ts";
import { ConsoleFiles } from "./pages/console-files.ts";
import { type DocumentFolders, Documents } from "./pages/documents.ts";
import type { PageServices } from "./pages/routes.ts";
import { MemberDirectory } from "./people/member-directory.ts";
import type { PeopleServices } from "./people/people-services.ts";
import { PersonProvider } from "./people/person-provider.ts";
import { PersonSessions } from "./people/person-sessions.ts";
import { PeopleAtConsole } from "./people/signed-in-people.ts";
import { type Clock, systemClock } from "./platform/clock.ts";
import { clusterOf } from "./platform/cluster-address.ts";
import { openDataFolder } from "./platform/data-folder.ts";
import { createLogger, type Logger } from "./platform/logger.ts";
import { createEngineMetric, createMetrics, type Metrics } from "./platform/metrics.ts";
import { type RepeatedWork, repeat } from "./platform/repeat.ts";
import {
  type ServedFilesWatch,
  takeServerLock,
  watchServedFiles,
} from "./platform/served-files.ts";
import type { SqliteDatabase } from "./platform/sqlite.ts";
import { threadPoolSize } from "./platform/thread-pool.ts";
import { EvidenceReader } from "./questions/evidence/evidence-reader.ts";
import type { Facts } from "./questions/facts.ts";
import { Previews } from "./questions/preview/previews.ts";
import { QuestionRunner } from "./questions/question-runner.ts";
import type { QuestionServices } from "./questions/question-services.ts";
import { openStorage, type Storage } from "./storage.ts";

/** Everything that the serving process is made of. */
export interface Services
  extends Storage,
    AccountServices,
    AnswerServices,
    CollectionServices,
    HookServices,
    HttpServices,
    KeyServices,
    LinkServices,
    OperationalServices,
    PageServices,
    PeopleServices,
    QuestionServices {
  readonly config: Config;
  readonly clock: Clock;
  readonly control: ControlEngine;
  readonly signedInPeople: PeopleAtConsole;
  readonly facts: Facts;
  readonly limits: Limits;
  readonly lifecycle: Lifecycle;
  readonly documents: Documents;
  readonly collection: CollectionThread;
  /** Resolves when a file that is open was deleted or replaced, with which: nothing works on. */
  readonly lost: Promise<string>;
  readonly projection: ProjectionScheduler;
  readonly engine: FactsEngine;
  readonly retention: Retention;
}

/** A data folder that another process serves already. */
class DataFolderInUseError extends Error {
  constructor(dataDir: string) {
    super(
      `Another server is running on the data folder ${dataDir}. ` +
        "Stop it, or give --data-dir another folder.",
    );
    this.name = "DataFolderInUseError";
  }
}

/** Where a checkout has its documents. A package that carries them passes its own folders. */
export const checkoutDocuments: DocumentFolders = {
  pages: fileURLToPath(new URL("../../../docs", import.meta.url)),
  apiPage: fileURLToPath(new URL("../../../.tools/api-page", import.meta.url)),
  console: fileURLToPath(new URL("../../console/dist", import.meta.url)),
};

/** An apply of a large workspace writes for seconds; the service goes on meanwhile. */
const writeWaitMs = 20;
/** A question waits no longer for an engine that does not reply. */
const statementMs = 3_000;

/** Opens all that serves. @throws DataFolderInUseError when another process serves the folder. */
export async function openServices(
  config: Config,
  clock: Clock = systemClock,
  documents: DocumentFolders = checkoutDocuments,
): Promise<Services> {
  const cluster = clusterOf(config);
  const lock = cluster === null ? lockOf(config.dataDir) : null;
  const storage = await openStorage(config, clock, { writeWaitMs, statementMs });
  const { control, answers } = storage;
  const logger = createLogger(config.logLevel, config.logFormat);
  const metrics = measured(storage);
  const files = cluster === null ? watchServedFiles(storage.folder, logger) : nothingWatched;
  const records = cluster === null ? { dataDir: config.dataDir } : { cluster };
  const [reader, evidence] = [new BatchReader(records), new EvidenceReader(records)];
  const engine = await openFacts(storage, { logger, openMax: config.openAccounts });
  const tools = { control, answers, engine, reader, logger, metrics, clock };
  const projection = new ProjectionScheduler(tools);
  projection.start();
  const facts = new QuestionRunner({
    ...tools,
    reader: evidence,
    pricesDate: config.collection.prices.list.date,
    projection,
    threads: threadPoolSize,
  });
  const retention = new Retention({ records, control, clock, logger, ...config });
  const collection = collectionThread(config, storage, { records, logger, metrics });
  const threads = { evidence, retention, collection, ...writingThreads(config, records, facts) };
  const signingKeys = await SigningKeys.open(control, clock);
  const { issuer, sessionTtlSeconds: ttlSeconds, rateLimit: ratePerSecond, dailyQuota } = config;
  const counts = await openCounts(config, { clock, store: usageStore(control), logger, metrics });
  const limits = new Limits({ ratePerSecond, dailyQuota }, counts);
  const rotate = () => signingKeys.rotateOlderThan(config.signingKeyDays * 86_400_000);
  await rotate();
  const webhooks = webhooksOf(config, { ...storage, clock, facts, logger, metrics });
  const sessions = new Sessions({ keys: signingKeys, issuer, ttlSeconds, clock });
  const pages = pagesOf(storage, { config, clock, folders: documents });
  const stopRepeating = repeat(logger, [
    ...worksOf({ limits, files, signingKeys, rotate, webhooks, collection, ...pages }),
    writingWhatEnded(storage, pages),
    ...removals({ ...tools, ...threads, projection, clock }),
  ]);
  return {
    ...storage,
    config,
    lost: files.lost,
    logger,
    metrics,
    facts,
    projection,
    engine,
    ...threads,
    vendorCredentials: new VendorCredentials({ ...storage, config: config.collection }),
    webhooks,
    replyCache: new ReplyCache(config.replyCache, metrics),
    workspaces: facts.workspaces,
    workspaceFiles: workspaceFilesOf(control, threads.applies),
    ...pages,
    sessions,
    signingKeys,
    answerPrices: (accountId) => collection.answerPrices(accountId),
    accountName: (accountId) => accountNameOf(control, accountId),
    callerKinds: callerKinds({ ...storage, ...pages, sessions }, config.console === "on"),
    limits,
    lifecycle: { stopping: false },
    close: async () => {
      stopRepeating();
      await closeWorkers({ webhooks, limits, ...pages });
      files.close();
      await Promise.all(Object.values(threads).map((thread) => thread.close()));
      await projection.close();
      await engine.close();
      await reader.close();
      await storage.close();
      lock?.close();
    },
  };
}

/** What ends with writing what is left of its work. */
async function closeWorkers({
  webhooks,
  links,
  limits,
}: Pick<Services, "webhooks" | "links" | "limits">) {
  await webhooks.close();
  await links.writeUses({ isEnd: true });
  await limits.close();
}

function webhooksOf({ hooksToPrivate }: Config, tools: Omit<WebhooksOptions, "send">): Webhooks {
  return new Webhooks({ ...tools, send: eventSender({ toPrivate: hooksToPrivate }) });
}

interface PageOptions {
  readonly config: Config;
  readonly clock: Clock;
  readonly folders: DocumentFolders;
}

/** What browsers are served: documents, the console's files, who is signed in, and shared pages. */
function pagesOf({ control, keyRing }: Storage, { config, clock, folders }: PageOptions) {
  return {
    documents: new Documents(folders, config.console === "on"),
    consoleFiles: new ConsoleFiles(folders.console),
    consoleSessions: new ConsoleSessions(control, keyRing, clock),
    consoleLinks: new ConsoleLinks(clock),
    links: new Links({ control, keyRing, clock }),
    signedInPeople: new PeopleAtConsole({
      control,
      clock,
      config,
      sessions: new PersonSessions(control, clock),
      directory: new MemberDirectory(control),
    }),
    personProvider: providerOf(config),
  };
}

/** Where people sign in instead; null: nowhere. */
function providerOf({ people: { provider }, publicUrl }: Config): PersonProvider | null {
  return provider === null || publicUrl === null ? null : new PersonProvider(provider, publicUrl);
}

/** Workspace files that are read back, cached. */
function workspaceFilesOf(control: Storage["control"], applies: ApplyThreads) {
  return new RevisionCache(async (accountId) =>
    applies[await fileWorkOf(control, accountId)].api.file(accountId),
  );
}

/** Threads for what would hold up the questions; each starts when it is first needed. */
function writingThreads(config: Config, records: AnswerStoreAddress, facts: QuestionRunner) {
  return {
    imports: new ImportThread(records, () => facts.isAsked()),
    applies: applyThreads(config),
    previews: new Previews(config, config.questionSeconds),
    corrections: correctionThread(records),
  };
}

/** Asks by itself as soon as there is a credential, and plans sweeps in any case. */
function collectionThread(
  { collect, collection, logLevel, logFormat, collectConcurrency: concurrency }: Config,
  { control, secretBox }: Storage,
  tools: Pick<CollectionThreadOptions, "records" | "logger" | "metrics">,
): CollectionThread {
  const { credentials, standIn, prices, reader } = collection;
  return new CollectionThread({
    ...tools,
    hasStored: () => hasCredentials(control),
    boxKey: secretBox.forThread(),
    standIn,
    logLevel,
    logFormat,
    concurrency,
    collects: collect === "on",
    secrets: credentials.forThread(),
    prices: prices.list,
    reader,
  });
}

/** What works by itself. */
interface Workers extends Pick<Services, "limits" | "signingKeys" | "webhooks" | "links"> {
  readonly collection: CollectionThread;
  readonly files: ServedFilesWatch;
  readonly rotate: () => Promise<void>;
}

function worksOf(workers: Workers): readonly RepeatedWork[] {
  const { limits, files, signingKeys, rotate, webhooks, collection, links } = workers;
  return [
    // So much is forgotten by the quota after `kill -9`.
    { what: "saving the calls of the day", everyMs: 500, work: () => limits.save() },
    { what: "looking at the data folder", everyMs: 1_000, work: files.look },
    { what: "looking for signing keys", everyMs: 1_000, work: () => signingKeys.refresh() },
    { what: "rotating the signing key", everyMs: 3_600_000, work: rotate },
    { what: "looking for events of webhooks", everyMs: 1_000, work: () => webhooks.check() },
    { what: "delivering to webhooks", everyMs: 1_000, work: () => webhooks.start() },
    { what: "reading what collection counted", everyMs: 1_000, work: () => collection.report() },
    { what: "writing uses of share links", everyMs: 60_000, work: () => links.writeUses() },
    { what: "forgetting deliveries", everyMs: 3_600_000, work: () => webhooks.forget() },
  ];
}

/** Revoked keys and ended sessions that a full disk did not take. */
function writingWhatEnded(
  { keyRing }: Storage,
  { consoleSessions, signedInPeople }: Pick<Services, "consoleSessions" | "signedInPeople">,
): RepeatedWork {
  const work = async () => {
    await keyRing.writeRevocations();
    await consoleSessions.deleteEnded();
    await signedInPeople.deleteEnded();
  };
  return { what: "writing what ended while the disk was full", everyMs: 1_000, work };
}

interface RemovalTools extends DeletedAccountsTools {
  readonly retention: Retention;
}

/** What has to go is gone by itself. */
function removals({ retention, ...tools }: RemovalTools): readonly RepeatedWork[] {
  const deleted = new DeletedAccounts(tools);
  return [
    { what: "closing deleted accounts", everyMs: 500, work: () => deleted.look() },
    {
      what: "removing old texts and raw replies",
      everyMs: 60_000,
      work: () => retention.removeDue(),
    },
  ];
}

/** @throws DataFolderInUseError when another process serves the folder. */
function lockOf(dataDir: string): SqliteDatabase {
  const lock = takeServerLock(openDataFolder(dataDir));
  if (lock === null) throw new DataFolderInUseError(dataDir);
  return lock;
}

async function openFacts(
  { cluster, control, folder }: Storage,
  options: { readonly logger: Logger; readonly openMax: number },
): Promise<FactsEngine> {
  if (cluster === null) return new DuckdbFacts({ ...options, folder });
  return cluster.openFacts({ ...options, leases: control.leases });
}

/** One node has its engines in its process. */
function measured({ cluster, control }: Storage): Metrics {
  const metrics = createMetrics();
  metrics.buildInfo.set(versions(), 1);
  if (cluster === null) return metrics;
  // By its key, whatever is in the table.
  const postgres = () => revisionOf(control, noAccount);
  createEngineMetric(metrics.registry, { postgres, clickhouse: cluster.ping });
  return metrics;
}

const noAccount = "00000000-0000-0000-0000-000000000000";

/** A node keeps no file open that others could replace. */
const nothingWatched: ServedFilesWatch = {
  look: async () => undefined,
  lost: new Promise(() => undefined),
  close: () => undefined,
};

/** The versions of the service and of what it runs on. */
function versions() {
  return {
    version: sightlineVersion,
    node: process.versions.node,
    duckdb: duckdbVersion(),
    sqlite: sqliteVersion(),
  };
}
