import type { Control } from "../../../control/control.ts";
import { type DeclaredPart, declaredPart, jsonInTurns } from "./workspace-reply.ts";

/** What an account declares, as values and as JSON, of one revision of its workspace. */
export interface DeclaredWorkspace {
  readonly part: DeclaredPart;
  /** The part's JSON without the last bracket: what the answers say stands behind it. */
  readonly json: Buffer;
}

/**
 * The most bytes of JSON that are kept, of all accounts: a workspace of 100,000 prompts and those
 * of a hundred accounts of a usual size. The values take about twice as much again.
 */
const keptBytesMax = 32 * 1024 * 1024;

interface Kept {
  readonly revision: number | null;
  readonly declared: Promise<DeclaredWorkspace>;
  /** Zero while it is read. */
  bytes: number;
}

/**
 * The workspaces that were asked for last. Each is read, sorted and written as JSON once for a
 * revision, in turns of the event loop, however many ask for it at the same time.
 */
export class DeclaredWorkspaces {
  readonly #control: Control;
  readonly #bytesMax: number;
  /** By account, the least recently used first. */
  readonly #kept = new Map<string, Kept>();

  constructor(control: Control, bytesMax: number = keptBytesMax) {
    this.#control = control;
    this.#bytesMax = bytesMax;
  }

  /** What the account declares in this revision of its workspace, or in a later one. */
  of(accountId: string, revision: number | null): Promise<DeclaredWorkspace> {
    const known = this.#kept.get(accountId);
    const kept = known?.revision === revision ? known : this.#begin(accountId, revision);
    this.#kept.delete(accountId);
    this.#kept.set(accountId, kept);
    return kept.declared;
  }

  #begin(accountId: string, revision: number | null): Kept {
    const declared = this.#read(accountId);
    const kept = { revision, declared, bytes: 0 };
    declared.then(
      ({ json }) => {
        kept.bytes = json.length;
        this.#evict();
      },
      () => {
        if (this.#kept.get(accountId) === kept) this.#kept.delete(accountId);
      },
    );
    return kept;
  }

  async #read(accountId: string): Promise<DeclaredWorkspace> {
    const workspace = await this.#control.workspace(accountId);
    if (workspace === null) throw new Error(`account ${accountId} has facts, no workspace`);
    const part = await declaredPart(workspace);
    return { part, json: await jsonInTurns(part) };
  }

  /** The last one stays, however large: else each call would make it anew. */
  #evict(): void {
    let bytes = 0;
    for (const kept of this.#kept.values()) bytes += kept.bytes;
    for (const [accountId, kept] of this.#kept) {
      if (bytes <= this.#bytesMax || this.#kept.size === 1) return;
      this.#kept.delete(accountId);
      bytes -= kept.bytes;
    }
  }
}
