import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { printedDocument, runCommand } from "@sightline/test-kit/command.ts";
import { workspaceOf } from "../../packages/server/src/accounts/account-store.ts";
import { openStorage } from "../../packages/server/src/storage.ts";
import { catalogueOf, workspaceFileOf } from "../generator/catalogue.ts";
import type { Workload } from "../generator/workload.ts";
import { writeFacts } from "./write-facts.ts";

/** An account that may be asked. */
export interface FilledAccount {
  readonly accountId: string;
  /** Without a rate or a quota. */
  readonly key: string;
}

/** Makes a data folder with a workload's facts. What was there goes. */
export async function fillSightline(dataDir: string, workload: Workload): Promise<FilledAccount> {
  rmSync(dataDir, { recursive: true, force: true });
  const account = await addAccount(dataDir, workload, { name: `Bench ${workload.name}` });
  const storage = await openStorage(dataDir);
  const workspace = await workspaceOf(storage.control, account.accountId);
  const { folder, facts } = storage.folder.account(account.accountId);
  await storage.close();
  if (workspace === null) throw new Error("the account was not applied");
  mkdirSync(folder, { recursive: true });
  await writeFacts(facts, workspace, workload);
  return account;
}

/** What an account is called, and with which settings the commands run. */
interface NewAccount {
  readonly name: string;
  readonly environment?: Readonly<Record<string, string>>;
}

/** Adds an account that tracks a workload's catalogue, with the real commands. */
export async function addAccount(
  dataDir: string,
  workload: Workload,
  { name, environment = {} }: NewAccount,
): Promise<FilledAccount> {
  mkdirSync(dataDir, { recursive: true });
  const workspaceFile = join(dataDir, "workspace.json");
  writeFileSync(workspaceFile, JSON.stringify(workspaceFileOf(catalogueOf(workload), name)));
  const run = <Document>(parameters: readonly string[]) =>
    sightline<Document>(dataDir, parameters, environment);
  const applied = await run<{ accountId: string }>(["apply", workspaceFile]);
  rmSync(workspaceFile);
  const { accountId } = applied;
  const limits = ["--rate", "off", "--quota", "off"];
  const create = ["keys", "create", "--account", accountId, ...limits];
  const { key } = await run<{ key: string }>(create);
  return { accountId, key };
}

/** Runs the real command and gives what it printed. @throws when it fails. */
export async function sightline<Document>(
  dataDir: string,
  parameters: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<Document> {
  const all = [...parameters, "--data-dir", dataDir, "--json"];
  const finished = await runCommand(all, { environment });
  if (finished.status !== 0) throw new Error(`${parameters[0]}: ${finished.stderr}`);
  return printedDocument<Document>(finished);
}
