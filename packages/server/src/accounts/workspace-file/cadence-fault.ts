import { quoted } from "@sightline/contract";
import { Cron, CronPattern } from "croner";

/** Why a time zone is none; null: it is one. */
export function timeZoneFault(timeZone: string): string | null {
  try {
    new Intl.DateTimeFormat("en", { timeZone });
    return null;
  } catch {
    return `must be a time zone such as Europe/Berlin or UTC, got ${quoted(timeZone)}.`;
  }
}

/** Why a cron expression is none, as croner says it; null: it is one. */
export function cronFault(cron: string): string | null {
  try {
    // A pattern first: `Cron` would also take a date.
    new CronPattern(cron.trim(), "UTC", { mode: "5-part" });
    const next = new Cron(cron.trim(), { mode: "5-part", timezone: "UTC", paused: true }).nextRun();
    return next === null ? `never comes: ${quoted(cron)}.` : null;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return `must be a cron expression of five parts. ${reason.replace(/^CronPattern: /, "")}`;
  }
}
