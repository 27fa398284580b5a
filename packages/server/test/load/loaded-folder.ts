import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { providers } from "@sightline/contract";
import { printedDocument, runCommand } from "@sightline/test-kit/command.ts";
import { corpusFile, corpusWorkspace } from "@sightline/test-kit/sample-corpus.ts";
import { temporaryFolder } from "@sightline/test-kit/test-service.ts";
import type { LoadQuestion } from "./load-plan.ts";

/** A data folder with two accounts: one with much to count, one with little. */
export interface LoadedFolder {
  readonly dataDir: string;
  readonly heavy: AccountKeys;
  readonly light: AccountKeys;
  readonly remove: () => void;
}

/** Keys of one account. */
interface AccountKeys {
  /** With the service's own limits. */
  readonly key: string;
  /** Without any limit. */
  readonly unlimitedKey: string;
}

const accounts = { heavy: 20_000, light: 1_000 } as const;
const year = { from: "2025-07-01T00:00:00Z", to: "2026-07-01T00:00:00Z" };

/** What costs most: a year in days that no rollup answers, and a year of pages. */
export const heavyQuestions: readonly LoadQuestion[] = [
  {
    path: "/v1/analytics/brands/mentions",
    body: {
      interval: "daily",
      filters: {
        timeRange: year,
        promptIds: corpusWorkspace.prompts.map(({ id }) => id).slice(0, 100),
        providers: providers.slice(1),
      },
    },
  },
  {
    path: "/v1/analytics/sources",
    body: { groupBy: "url", limit: 100, offset: 0, filters: { timeRange: year } },
  },
];

/** What costs least. */
export const lightQuestion: LoadQuestion = {
  path: "/v1/analytics/brands/mentions",
  body: {
    interval: "daily",
    filters: { timeRange: { from: "2026-01-05T00:00:00Z", to: "2026-01-12T00:00:00Z" } },
  },
};

/** Makes the folder with the real commands. */
export async function loadedFolder(): Promise<LoadedFolder> {
  const folder = temporaryFolder();
  const dataDir = join(folder, "data");
  const run = async (...parameters: readonly string[]) => {
    const finished = await runCommand([...parameters, "--data-dir", dataDir, "--json"]);
    if (finished.status !== 0) throw new Error(finished.stderr);
    return finished;
  };
  const account = async (name: keyof typeof accounts): Promise<AccountKeys> => {
    const path = join(folder, name);
    writeFileSync(path, JSON.stringify({ ...corpusWorkspace, account: { name } }));
    const applied = await run("apply", path);
    const { accountId } = printedDocument<{ accountId: string }>(applied);
    writeFileSync(path, corpusFile(accounts[name]));
    await run("import", path, "--account", accountId);
    const key = async (...limits: readonly string[]) => {
      const made = await run("keys", "create", "--account", accountId, ...limits);
      return printedDocument<{ key: string }>(made).key;
    };
    const unlimitedKey = await key("--rate", "off", "--quota", "off");
    return { key: await key(), unlimitedKey };
  };
  const heavy = await account("heavy");
  const light = await account("light");
  return { dataDir, heavy, light, remove: () => rmSync(folder, { recursive: true }) };
}
