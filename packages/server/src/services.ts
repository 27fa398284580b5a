import { fileURLToPath } from "node:url";
import { sightlineVersion } from "@sightline/contract/version";
import { sqliteVersion } from "./answers/sqlite/sqlite-version.ts";
import { Sessions } from "./auth/sessions.ts";
import { SigningKeys } from "./auth/signing-keys.ts";
import type { Config } from "./config.ts";
import { DuckdbFacts } from "./facts/duckdb/duckdb-facts.ts";
import { duckdbVersion } from "./facts/duckdb/duckdb-version.ts";
import type { FactsEngine } from "./facts/facts-engine.ts";
import { openBatchReader } from "./facts/projection/batch-reader.ts";
import { ProjectionScheduler } from "./facts/projection/scheduler.ts";
import { QuestionRunner } from "./facts/question-runner.ts";
import type { AppServices } from "./http/app-services.ts";
import { type DocumentFolders, Documents } from "./http/documents/documents.ts";
import { ReplyCache } from "./http/reply-cache.ts";
import { DeclaredWorkspaces } from "./http/routes/workspace/declared-workspaces.ts";
import { Limits } from "./limits/limits.ts";
import { type Clock, systemClock } from "./platform/clock.ts";
import { openDataFolder } from "./platform/data-folder.ts";
import { createLogger } from "./platform/logger.ts";
import { createMetrics } from "./platform/metrics.ts";
import { repeat } from "./platform/repeat.ts";
import { takeServerLock, watchServedFiles } from "./platform/served-files.ts";
import { threadPoolSize } from "./platform/thread-pool.ts";
import { openStorage, type Storage } from "./storage.ts";

/** Everything that the serving process is made of. */
export interface Services extends Storage, AppServices {
  readonly config: Config;
  /** Resolves when a file that is open was deleted or replaced, with which: nothing works on. */
  readonly lost: Promise<string>;
  readonly projection: ProjectionScheduler;
  readonly engine: FactsEngine;
}

/** A data folder that another process serves already. */
export class DataFolderInUseError extends Error {
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
};

/** An apply of a large workspace writes for seconds; the service goes on meanwhile. */
const writeWaitMs = 20;

/** Opens all that serves. @throws DataFolderInUseError when another process serves the folder. */
export async function openServices(
  config: Config,
  clock: Clock = systemClock,
  documents: DocumentFolders = checkoutDocuments,
): Promise<Services> {
  const folder = openDataFolder(config.dataDir);
  const lock = takeServerLock(folder);
  if (lock === null) throw new DataFolderInUseError(config.dataDir);
  const storage = await openStorage(config.dataDir, clock, { writeWaitMs });
  const { control, answers } = storage;
  const logger = createLogger(config.logLevel);
  const metrics = createMetrics();
  const files = watchServedFiles(folder, logger);
  metrics.buildInfo.set(versions(), 1);
  const reader = openBatchReader({ dataDir: config.dataDir });
  const engine = new DuckdbFacts({ folder, logger, openMax: config.openAccounts });
  const tools = { control, answers, engine, reader, logger, metrics };
  const projection = new ProjectionScheduler({ ...tools, clock });
  projection.start();
  const facts = new QuestionRunner({
    ...{ engine, control, logger, metrics, projection },
    threads: threadPoolSize,
  });
  const signingKeys = await SigningKeys.open(control, clock);
  const { issuer, sessionTtlSeconds: ttlSeconds } = config;
  const limitDefaults = { ratePerSecond: config.rateLimit, dailyQuota: config.dailyQuota };
  const limits = new Limits(limitDefaults, clock, control);
  const maxKeyAgeMs = config.signingKeyDays * 86_400_000;
  await signingKeys.rotateOlderThan(maxKeyAgeMs);
  const stopRepeating = repeat(logger, [
    // So much is forgotten by the quota after `kill -9`.
    { what: "saving the calls of the day", everyMs: 500, work: () => limits.save() },
    { what: "looking at the data folder", everyMs: 1_000, work: files.look },
    { what: "looking for signing keys", everyMs: 1_000, work: () => signingKeys.refresh() },
    {
      what: "rotating the signing key",
      everyMs: 3_600_000,
      work: () => signingKeys.rotateOlderThan(maxKeyAgeMs),
    },
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
    replyCache: new ReplyCache(config.replyCache, metrics),
    workspaces: new DeclaredWorkspaces(control),
    documents: new Documents(documents),
    sessions: new Sessions({ keys: signingKeys, issuer, ttlSeconds, clock }),
    signingKeys,
    limits,
    lifecycle: { stopping: false },
    close: async () => {
      stopRepeating();
      files.close();
      await limits.save();
      await projection.close();
      await engine.close();
      await reader.close();
      await storage.close();
      lock.close();
    },
  };
}

/** The versions of the service and of what it runs on. */
function versions() {
  return {
    version: sightlineVersion,
    node: process.versions.node,
    duckdb: duckdbVersion(),
    sqlite: sqliteVersion(),
  };
}
