import { randomUUID } from "node:crypto";
import { fileURLToPath } from "node:url";
import { dayMs } from "@sightline/contract";
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
import { ProjectionScheduler } from "./facts/projection/scheduler.ts";
import type { HookServices } from "./hooks/routes.ts";
import { eventSender } from "./hooks/send-event.ts";
import { tellReport } from "./hooks/tell-hooks.ts";
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
import { Mailer } from "./mail/mailer.ts";
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
import { repeat } from "./platform/repeat.ts";
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
import { closeWorkers, removals, worksOf } from "./repeated-works.ts";
import type { TellReport } from "./reports/report-store.ts";
import type { ReportServices } from "./reports/routes.ts";
import { ScheduledReports } from "./reports/scheduled-reports.ts";
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
    QuestionServices,
    ReportServices {
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
  const limits = await limitsOf(config, { clock, store: usageStore(control), logger, metrics });
  const rotate = () => signingKeys.rotateOlderThan(config.signingKeyDays * 86_400_000);
  await rotate();
  const mailer = Mailer.of(config, { clock });
  const webhooks = webhooksOf(config, { ...storage, clock, facts, mailer, logger, metrics });
  const { issuer, sessionTtlSeconds: ttlSeconds } = config;
  const sessions = new Sessions({ keys: signingKeys, issuer, ttlSeconds, clock });
  const pages = pagesOf(storage, { config, clock, folders: documents });
  const asking = askingTools(config, { facts, metrics, threads });
  const scheduledReports = new ScheduledReports({ ...tools, ...asking });
  const repeated = { limits, files, signingKeys, rotate, webhooks, collection, scheduledReports };
  const stopRepeating = repeat(logger, [
    ...worksOf({ ...repeated, ...pages, keyRing: storage.keyRing }),
    ...removals({ ...tools, ...threads, projection, clock }),
  ]);
  return {
    ...storage,
    ...asking,
    lost: files.lost,
    logger,
    metrics,
    projection,
    engine,
    ...threads,
    scheduledReports,
    vendorCredentials: new VendorCredentials({ ...storage, config: config.collection }),
    webhooks,
    workspaceFiles: workspaceFilesOf(control, threads.applies),
    ...pages,
    sessions,
    signingKeys,
    mailLink: linkMailer(mailer, config.publicUrl, scheduledReports.stopping),
    accountName: (accountId) => accountNameOf(control, accountId),
    callerKinds: callerKinds({ ...storage, ...pages, sessions }, config.console === "on"),
    limits,
    lifecycle: { stopping: false },
    close: async () => {
      stopRepeating();
      await scheduledReports.close();
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

async function limitsOf(config: Config, parts: Parameters<typeof openCounts>[1]): Promise<Limits> {
  const { rateLimit: ratePerSecond, dailyQuota } = config;
  return new Limits({ ratePerSecond, dailyQuota }, await openCounts(config, parts));
}

function webhooksOf(config: Config, tools: Omit<WebhooksOptions, "send" | "publicUrl">): Webhooks {
  const { hooksToPrivate, publicUrl } = config;
  return new Webhooks({ ...tools, send: eventSender({ toPrivate: hooksToPrivate }), publicUrl });
}

interface AskingParts {
  readonly facts: QuestionRunner;
  readonly metrics: Metrics;
  readonly threads: Pick<Services, "previews" | "collection">;
}

/** What questions are answered with, over HTTP and for reports. */
function askingTools(config: Config, { facts, metrics, threads }: AskingParts) {
  return {
    config,
    facts,
    workspaces: facts.workspaces,
    previews: threads.previews,
    replyCache: new ReplyCache(config.replyCache, metrics),
    answerPrices: (accountId: string) => threads.collection.answerPrices(accountId),
    tellReport: tellerOf(config),
  };
}

/** Webhooks are told of a report in the transaction that keeps it. */
function tellerOf({ publicUrl }: Config): TellReport {
  return (within, accountId, { id: reportId, name, period, madeAt }) => {
    const to = new Date(Date.parse(`${period.endDate}T00:00:00Z`) + dayMs).toISOString();
    const timeRange = { from: `${period.startDate}T00:00:00.000Z`, to };
    const page = `?account=${accountId}&page=reports`;
    const address = publicUrl === null ? null : `${publicUrl}/${page}`;
    return tellReport(within, accountId, { reportId, name, timeRange, address, madeAt });
  };
}

/**
 * Mails links that sign people in. The address is of ours alone, and nothing that somebody typed is
 * in the mail.
 * @returns null: there is no mail server, or the service does not know its own address.
 */
function linkMailer(
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

interface PageOptions {
  readonly config: Config;
  readonly clock: Clock;
  readonly folders: DocumentFolders;
}

/** What browsers are served: documents, the console's files, who is signed in, and shared pages. */
function pagesOf({ control, keyRing }: Storage, { config, clock, folders }: PageOptions) {
  const members = new MemberDirectory(control, keyRing);
  return {
    members,
    documents: new Documents(folders, config.console === "on"),
    consoleFiles: new ConsoleFiles(folders.console),
    consoleSessions: new ConsoleSessions(control, keyRing, clock),
    consoleLinks: new ConsoleLinks(clock),
    links: new Links({ control, keyRing, clock, members }),
    signedInPeople: new PeopleAtConsole({
      control,
      clock,
      config,
      sessions: new PersonSessions(control, clock),
      directory: members,
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
