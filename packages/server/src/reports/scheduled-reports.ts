import type { DeclaredReport } from "@sightline/contract";
import { declaredReportsOf } from "../accounts/account-store.ts";
import { cadenceKey, dueSlots, nextSlotAt, plannedAt } from "../accounts/cadence.ts";
import { progressOf, recordingAccounts } from "../accounts/progress-store.ts";
import {
  cadenceOf,
  cadencesOf,
  claimReports,
  noteReports,
  type ReportSchedule,
  reportsDue,
} from "../accounts/report-schedules.ts";
import { theService } from "../platform/actor.ts";
import type { Logger } from "../platform/logger.ts";
import { retryWhileLocked } from "../platform/retry-while-locked.ts";
import { ServiceError } from "../platform/service-error.ts";
import { type MakingServices, makeReport } from "./make-report.ts";
import { comparedOf, periodOf } from "./report-period.ts";
import { hasReportDue } from "./report-store.ts";

/** What reports are made with when their time comes. */
export interface ScheduleServices extends MakingServices {
  readonly logger: Logger;
}

/**
 * How long until a failed or abandoned attempt is repeated, longer than a report takes: the claim
 * is renewed with each, and one node makes an account's reports at a time.
 */
const repeatedAfterMs = 10 * 60_000;
/** How long a report waits for a running import and for facts that lag behind the record. */
const waitsForFactsMs = 6 * 3_600_000;
/** Then it is looked again whether the facts are there. */
const lookedAfterMs = 60_000;
/** Accounts whose reports are made concurrently, so that one slow account blocks no other. */
const accountsAtOnce = 2;
/** The deadline of one report; a late one is repeated. */
const reportWithinMs = 60_000;

/** A report whose time came. */
interface DueReport {
  readonly declared: DeclaredReport;
  /** The slot of its schedule, in milliseconds since 1970. */
  readonly slot: number;
}

/**
 * Makes reports when their time comes, each once: nodes claim accounts with a conditional update,
 * and a slot of a name has one report. After a standstill the last slot is made, not all.
 */
export class ScheduledReports {
  readonly #services: ScheduleServices;
  readonly #stop = new AbortController();
  /** The accounts whose reports are being made. */
  readonly #running = new Set<Promise<void>>();
  #starting: Promise<void> = Promise.resolve();

  constructor(services: ScheduleServices) {
    this.#services = services;
  }

  /** Aborts when the service stops: no report is begun then. */
  get stopping(): AbortSignal {
    return this.#stop.signal;
  }

  /** Begins what is due, the longest due first, up to the number of concurrent accounts. */
  start(): Promise<void> {
    const started = this.#starting.then(() => this.#startDue());
    this.#starting = started.catch(() => undefined);
    return started;
  }

  /** Makes all that is due to its end. */
  async makeDue(): Promise<void> {
    await this.start();
    while (this.#running.size > 0) {
      await Promise.race(this.#running);
      await this.start();
    }
  }

  async close(): Promise<void> {
    this.#stop.abort(new Error("the service stops"));
    await this.#starting;
    await Promise.all(this.#running);
  }

  async #startDue(): Promise<void> {
    const { control, clock } = this.#services;
    while (this.#running.size < accountsAtOnce && !this.#stop.signal.aborted) {
      const [due] = await reportsDue(control, clock.now(), 1);
      if (due === undefined) return;
      const claimed = await claimReports(control, due, clock.now() + repeatedAfterMs);
      if (claimed !== null) this.#track(claimed);
    }
  }

  /** What fails is logged, and due again when its claim ends. */
  #track(claimed: ReportSchedule): void {
    const { accountId } = claimed;
    const running = this.#makeOfAccount(claimed)
      .catch((error: unknown) => {
        if (this.#stop.signal.aborted) return;
        const fields = { accountId, error: String(error) };
        this.#services.logger.error(fields, "making the reports of an account failed");
      })
      .finally(() => this.#running.delete(running));
    this.#running.add(running);
  }

  async #makeOfAccount(claimed: ReportSchedule): Promise<void> {
    const { control, clock } = this.#services;
    const { accountId, plannedTo } = claimed;
    const now = clock.now();
    const reports = await declaredReportsOf(control, accountId);
    const due = dueOf(reports, plannedTo, now);
    if (await this.#shouldWait(accountId, due, now)) {
      await noteReports(control, claimed, { nextAt: now + lookedAfterMs, plannedTo });
      return;
    }
    let own = claimed;
    let areMade = true;
    for (const report of due) {
      const renewed = await this.#renewed(own);
      // Another workspace was applied, or another node has the account: the rest is theirs.
      if (renewed === null) return;
      own = renewed;
      if (!(await this.#make(accountId, report))) areMade = false;
    }
    // What failed is due again when the claim ends.
    if (!areMade) return;
    const cadences = cadencesOf(reports);
    const nextAt = nextSlotAt(cadences, now) ?? Number.MAX_SAFE_INTEGER;
    await noteReports(control, own, { nextAt, plannedTo: plannedAt(cadences, now) });
  }

  #renewed(own: ReportSchedule): Promise<ReportSchedule | null> {
    const { control, clock } = this.#services;
    return retryWhileLocked(() => claimReports(control, own, clock.now() + repeatedAfterMs));
  }

  /** During an import, and while facts lag behind the record, a report would miss answers. */
  async #shouldWait(accountId: string, due: readonly DueReport[], now: number): Promise<boolean> {
    const latest = Math.max(...due.map(({ slot }) => slot));
    if (due.length === 0 || now >= latest + waitsForFactsMs) return false;
    const { control } = this.#services;
    if ((await recordingAccounts(control)).includes(accountId)) return true;
    const progress = await progressOf(control, accountId);
    return (progress?.recorded?.sequence ?? 0) > (progress?.projected?.sequence ?? 0);
  }

  /** @returns false: it failed, and is to be repeated. */
  async #make(accountId: string, { declared, slot }: DueReport): Promise<boolean> {
    const { control, logger } = this.#services;
    const { name } = declared;
    if (await hasReportDue(control, accountId, { name, dueAt: slot })) return true;
    const period = periodOf(declared.period, slot);
    const compared = comparedOf(declared.compare, period);
    const compareWith = compared !== null && "refused" in compared ? null : compared;
    const report = { declared, period, compareWith, dueAt: slot, actor: theService };
    const late = AbortSignal.timeout(reportWithinMs);
    try {
      const signal = AbortSignal.any([this.#stop.signal, late]);
      await makeReport(this.#services, accountId, report, signal);
      return true;
    } catch (error) {
      if (this.#stop.signal.aborted) return false;
      logger.error({ accountId, report: name, error: String(error) }, "a report was not made");
      return isFinal(error);
    }
  }
}

/** Whether repeating it would fail again: the account has more than the questions support. */
function isFinal(error: unknown): boolean {
  return error instanceof ServiceError && error.code === "invalid_request";
}

/** The reports whose last slot is after what was made; of several slots the last counts. */
function dueOf(
  reports: readonly DeclaredReport[],
  plannedTo: ReportSchedule["plannedTo"],
  now: number,
): readonly DueReport[] {
  const slots = new Map(
    dueSlots(cadencesOf(reports), plannedTo, now).map(({ cadence, slot }) => [
      cadenceKey(cadence),
      slot,
    ]),
  );
  return reports.flatMap((declared): readonly DueReport[] => {
    const cadence = cadenceOf(declared);
    const slot = cadence === null ? undefined : slots.get(cadenceKey(cadence));
    return slot === undefined ? [] : [{ declared, slot }];
  });
}
