import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import type { AnswerStore } from "./answers/answer-store.ts";
import { openAnswerStore } from "./answers/open-answer-store.ts";
import {
  countAnswers,
  countAnswersByPrompt,
  type RecordCounts,
} from "./answers/sqlite/sqlite-answer-store.ts";
import type { ClusterEngines } from "./cluster-engines.ts";
import { type ControlOptions, openControl } from "./control/control.ts";
import type { ControlEngine } from "./control/control-engine.ts";
import { KeyRing } from "./keys/key-ring.ts";
import { pepperOf, pepperOfNode } from "./keys/pepper.ts";
import { SecretBox } from "./keys/secret-box.ts";
import { type Clock, systemClock } from "./platform/clock.ts";
import { type ClusterAddress, clusterOf, type StoragePlace } from "./platform/cluster-address.ts";
import { accountsName, type DataFolder, openDataFolder } from "./platform/data-folder.ts";
import { requireServedFiles } from "./platform/served-files.ts";

/** What the commands that write need; several processes may have it open. */
export interface Storage {
  readonly folder: DataFolder;
  readonly control: ControlEngine;
  readonly answers: AnswerStore;
  readonly keyRing: KeyRing;
  readonly secretBox: SecretBox;
  readonly clock: Clock;
  /** What holds answers and facts of several nodes; null: the data folder does. */
  readonly cluster: ClusterEngines | null;
  readonly countAnswers: (accountId: string) => Promise<RecordCounts>;
  /** Of counted answers; prompts without any are absent. */
  readonly countAnswersByPrompt: (accountId: string) => Promise<ReadonlyMap<string, number>>;
  /** @throws when what was written did not reach the server that runs on the folder. */
  readonly confirm: () => void;
  readonly close: () => Promise<void>;
}

/** How storage is opened. */
export interface StorageOptions extends ControlOptions {
  /** What holds answers and facts of several nodes; ClickHouse when omitted. */
  readonly openCluster?: (address: ClusterAddress, clock: Clock) => Promise<ClusterEngines>;
}

/**
 * Opens a data folder (its path alone: of one node), which is made when it is absent, and what the
 * addresses of other engines name.
 * @throws when control or the pepper was lost: a new one would make all else useless; when a server
 * on the folder has other files open; when the pepper is not that of the other nodes.
 */
export function openStorage(
  place: string | StoragePlace,
  clock: Clock = systemClock,
  options: StorageOptions = {},
): Promise<Storage> {
  if (typeof place === "string") return openFolder(place, clock, options);
  const cluster = clusterOf(place);
  if (cluster === null) return openFolder(place.dataDir, clock, options);
  return openNode(place.dataDir, cluster, { ...options, clock });
}

async function openFolder(
  dataDir: string,
  clock: Clock,
  options: ControlOptions,
): Promise<Storage> {
  const folder = openDataFolder(dataDir);
  requireServedFiles(folder);
  refuseLostControl(folder);
  const control = await openControl({ sqlite: folder.control }, clock, options);
  try {
    const answers = await openAnswerStore({ dataDir }, clock);
    const pepper = await pepperOf(folder, control);
    return {
      folder,
      control,
      answers,
      keyRing: new KeyRing(control, pepper, clock),
      secretBox: SecretBox.of(pepper),
      clock,
      cluster: null,
      countAnswers: async (accountId) => countAnswers(folder.account(accountId).answers),
      countAnswersByPrompt: async (accountId) =>
        countAnswersByPrompt(folder.account(accountId).answers),
      confirm: () => requireServedFiles(folder),
      close: async () => {
        await answers.close();
        await control.close();
      },
    };
  } catch (error) {
    await control.close();
    throw error;
  }
}

/** Of its data folder, a node uses the pepper alone. */
async function openNode(
  dataDir: string,
  address: ClusterAddress,
  { clock, openCluster, ...options }: StorageOptions & { clock: Clock },
): Promise<Storage> {
  const folder = openDataFolder(dataDir);
  const control = await openControl({ postgres: address.postgresUrl }, clock, options);
  try {
    const pepper = await pepperOfNode(folder, control);
    // One node has no use for the drivers, so they are loaded here.
    const open = openCluster ?? (await import("./cluster-engines.ts")).openClusterEngines;
    const cluster = await open(address, clock);
    return {
      folder,
      control,
      clock,
      cluster,
      keyRing: new KeyRing(control, pepper, clock),
      secretBox: SecretBox.of(pepper),
      answers: cluster.answers,
      countAnswers: cluster.countAnswers,
      countAnswersByPrompt: cluster.countAnswersByPrompt,
      confirm: () => undefined,
      close: async () => {
        await cluster.close();
        await control.close();
      },
    };
  } catch (error) {
    await control.close();
    throw error;
  }
}

/** Accounts' folders and the pepper are made after control: without control it was lost. */
function refuseLostControl({ root, control, pepper }: DataFolder): void {
  const hasPepper = existsSync(pepper); // first: another process may make both meanwhile
  const size = statSync(control, { throwIfNoEntry: false })?.size ?? null;
  if (size !== null && size > 0) return;
  const accounts = readdirSync(join(root, accountsName)).length;
  if (accounts === 0 && !hasPepper) return;
  const rest =
    accounts === 0
      ? `${pepper} is there, which is made after it`
      : `${join(root, accountsName)} holds the answers of accounts (${accounts})`;
  throw new Error(
    `${control} is ${size === null ? "missing" : "empty"}, but ${rest}. Restore a backup into a ` +
      "new folder (sightline restore), or give --data-dir a new folder to start empty.",
  );
}
