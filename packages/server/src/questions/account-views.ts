import type { Control } from "../control/control.ts";
import { codesOf } from "../facts/codes.ts";
import type { FactsEngine, FactsState } from "../facts/facts-engine.ts";
import type { Codes } from "../facts/plan/plan.ts";
import type { SeriesEntity } from "../facts/plan/series.ts";
import { factsVersion, type Snapshot } from "../facts/snapshot.ts";
import { ServiceError } from "../platform/service-error.ts";

/** The facts that a question is planned by. */
export interface AccountFactsView {
  readonly generation: string;
  readonly codes: Codes;
  readonly snapshot: Snapshot;
}

/** What a question is planned by. */
export interface AccountView {
  /** Null: there are none yet, so that nothing is asked of the engine. */
  readonly facts: AccountFactsView | null;
  /** In the order of the series. */
  readonly entities: readonly SeriesEntity[];
}

/** What an account's questions are planned by: its facts, or its workspace before the first. */
export class AccountViews {
  readonly #engine: FactsEngine;
  readonly #control: Control;

  constructor(engine: FactsEngine, control: Control) {
    this.#engine = engine;
    this.#control = control;
  }

  /** Generation and watermark; before the first facts the workspace's revision. Null: not ready. */
  async version(accountId: string): Promise<string | null> {
    const state = await this.#todaysState(accountId);
    if (state !== null) return `${state.generation}/${state.mark.sequence}`;
    const revision = await this.#revisionBeforeFacts(accountId);
    return revision === null ? null : `workspace/${revision}`;
  }

  /** @throws ServiceError facts_not_ready when the facts were lost, and are not built yet. */
  async view(accountId: string): Promise<AccountView> {
    const state = await this.#todaysState(accountId);
    if (state !== null) {
      const { generation, snapshot } = state;
      const { entities } = snapshot;
      return { facts: { generation, codes: await codesOf(snapshot), snapshot }, entities };
    }
    if ((await this.#revisionBeforeFacts(accountId)) === null) throw notReady();
    return { facts: null, entities: await this.#control.entities(accountId) };
  }

  /** Facts of another version have other tables: they answer nothing until they are rebuilt. */
  async #todaysState(accountId: string): Promise<FactsState | null> {
    const state = await this.#engine.state(accountId);
    return state?.snapshot.factsVersion === factsVersion ? state : null;
  }

  /** Of an account without answers, or whose first import has just begun; null: of another. */
  async #revisionBeforeFacts(accountId: string): Promise<number | null> {
    const progress = await this.#control.progress(accountId);
    const isKnown = progress !== null && progress.recorded !== null;
    const isNew = isKnown && (progress.recorded.sequence === 0 || !progress.hadFacts);
    return isNew ? progress.revision : null;
  }
}

/** The refusal of a question to facts that are being built. */
export function notReady(): ServiceError {
  return new ServiceError(
    "facts_not_ready",
    "The account's facts are being built from its recorded answers. Retry shortly.",
    { headers: { "Retry-After": "1" } },
  );
}
