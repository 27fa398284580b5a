import { RevisionCache } from "../../../accounts/revision-cache.ts";
import type { Control } from "../../../control/control.ts";
import { type DeclaredPart, declaredPart, jsonInTurns } from "./workspace-reply.ts";

/** What an account declares, as values and as JSON, of one revision of its workspace. */
export interface DeclaredWorkspace {
  readonly part: DeclaredPart;
  /** The part's JSON without the last bracket: what the answers say stands behind it. */
  readonly json: Buffer;
}

/** The workspaces that were asked for last, sorted and written as JSON in turns. */
export class DeclaredWorkspaces extends RevisionCache<DeclaredWorkspace> {
  constructor(control: Control, bytesMax?: number) {
    super((accountId) => declaredWorkspace(control, accountId), bytesMax);
  }
}

async function declaredWorkspace(control: Control, accountId: string): Promise<DeclaredWorkspace> {
  const workspace = await control.workspace(accountId);
  if (workspace === null) throw new Error(`account ${accountId} has facts, no workspace`);
  const part = await declaredPart(workspace);
  return { part, json: await jsonInTurns(part) };
}
