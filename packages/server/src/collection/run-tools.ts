import type { Vendor } from "@sightline/contract";
import type { AnswerStore } from "../answers/answer-store.ts";
import type { ControlEngine } from "../control/control-engine.ts";
import type { Clock } from "../platform/clock.ts";
import type { Logger } from "../platform/logger.ts";
import type { Adapter, AskedQuestion, VendorRequest } from "./adapter.ts";
import type { Timetable, VendorCircuit, VendorPlaces } from "./collector.ts";
import type { CollectionCounts } from "./counts.ts";
import type { JobPrices } from "./job-outcome.ts";
import type { SentRequest } from "./send.ts";
import type { AccountCaps, LeasedJob } from "./store/collection-store.ts";

/** Sends a request with what authorises it; it never throws. */
export type SendRequest = (
  adapter: Adapter,
  request: VendorRequest,
  signal: AbortSignal,
) => Promise<SentRequest>;

/** What of an account a job needs. */
export interface AskedAccount {
  readonly caps: AccountCaps;
  /** The text of a prompt; null: it was retired or paused since it was planned. */
  readonly promptText: (promptId: string) => string | null;
}

/** A vendor on this node. */
export interface AskedVendor {
  readonly adapter: Adapter;
  readonly circuit: VendorCircuit;
  readonly places: VendorPlaces;
}

/** What jobs are run with. */
export interface RunTools {
  readonly control: ControlEngine;
  readonly answers: Pick<AnswerStore, "keepRaw" | "raw">;
  readonly vendors: ReadonlyMap<Vendor, AskedVendor>;
  /** Null: the account was deleted. */
  readonly account: (accountId: string) => Promise<AskedAccount | null>;
  readonly send: SendRequest;
  readonly prices: JobPrices;
  readonly clock: Clock;
  /** From 0 to below 1. */
  readonly random: () => number;
  readonly timetable: Timetable;
  readonly counts: CollectionCounts;
  readonly logger: Logger;
}

/** A job as its adapter is asked. */
export function questionOf(job: LeasedJob, prompt: string): AskedQuestion {
  const { id, provider, surface, region, model, place = {} } = job;
  return { id, prompt, provider, surface, region, ...place, model };
}
