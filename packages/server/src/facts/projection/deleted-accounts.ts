import {
  deletedAccounts,
  forgetDeletions,
  whileDeleted,
} from "../../accounts/account-deletions.ts";
import { revisionOf } from "../../accounts/account-store.ts";
import type { CorrectionThread } from "../../answers/corrections/correction-thread.ts";
import type { ControlEngine } from "../../control/control-engine.ts";
import { theService } from "../../platform/actor.ts";
import type { Clock } from "../../platform/clock.ts";
import type { FactsEngine } from "../engine.ts";
import type { ProjectionScheduler } from "./scheduler.ts";

/** What a service closes a deleted account with. */
export interface DeletedAccountsTools {
  readonly control: ControlEngine;
  readonly engine: Pick<FactsEngine, "erase" | "release">;
  readonly projection: Pick<ProjectionScheduler, "forget">;
  readonly corrections: Pick<CorrectionThread, "api">;
  readonly clock: Clock;
}

/** An import that was recording a batch may write it after the files were removed. */
const againEveryMs = 60_000;
/** A command that has not ended by then was killed. */
const brokenOffMs = 30_000;
/** Longer than anything of the account can be under way. */
const forgottenMs = 3_600_000;

/**
 * Closes the files of accounts that a command deleted, and removes what the command left, or what
 * came afterwards.
 */
export class DeletedAccounts {
  readonly #tools: DeletedAccountsTools;
  /** When each deletion was last seen to, as `clock.elapsed` counts. */
  readonly #erased = new Map<string, number>();

  constructor(tools: DeletedAccountsTools) {
    this.#tools = tools;
  }

  /** @throws AggregateError of accounts that failed, once all others are seen to. */
  async look(): Promise<void> {
    const { control, clock } = this.#tools;
    const deletions = await deletedAccounts(control);
    const listed = new Set(deletions.map(({ accountId, atMs }) => `${accountId}/${atMs}`));
    for (const deletion of this.#erased.keys()) {
      if (!listed.has(deletion)) this.#erased.delete(deletion); // control has forgotten it
    }
    if (deletions.length === 0) return;
    const errors: unknown[] = [];
    for (const { accountId, atMs, isEnded } of deletions) {
      const deletion = `${accountId}/${atMs}`;
      const erasedMs = this.#erased.get(deletion) ?? Number.NEGATIVE_INFINITY;
      const ends = !isEnded && clock.now() - atMs >= brokenOffMs;
      if (!ends && clock.elapsed() - erasedMs < againEveryMs) continue;
      try {
        // One that was made again since is left alone.
        const isAnew =
          this.#erased.has(deletion) && (await revisionOf(control, accountId)) !== null;
        if (!isAnew) await this.#close(accountId, ends);
        this.#erased.set(deletion, clock.elapsed());
      } catch (error) {
        errors.push(error);
      }
    }
    await forgetDeletions(control, clock.now() - forgottenMs);
    if (errors.length > 0) throw new AggregateError(errors, errors.map(String).join("; "));
  }

  async #close(accountId: string, ends: boolean): Promise<void> {
    const { control, engine, projection, corrections } = this.#tools;
    await projection.forget(accountId);
    await engine.release(accountId);
    await whileDeleted(control, accountId, () => engine.erase(accountId));
    await corrections.api.correct(accountId, { action: "erase", ends }, theService);
  }
}
