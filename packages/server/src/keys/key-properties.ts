import {
  durationMs,
  type FieldError,
  type KeyRequest,
  type Scope,
  scopes,
} from "@sightline/contract";
import { ServiceError } from "../platform/service-error.ts";
import type { KeyProperties } from "./key-ring.ts";
import type { Limit } from "./key-store.ts";
import type { KeyLimits, LimitDefaults } from "./limits/limits.ts";

/** The key that creates another one, which gets at most what its creator has. */
export interface KeyGiver {
  readonly scopes: readonly Scope[];
  /** The creator's own limits; null where the service's defaults apply. */
  readonly own: KeyLimits;
  readonly limits: LimitDefaults;
}

/** The last millisecond of the year 9999: later instants are not date-times. */
const lastMs = 253_402_300_799_999;

/**
 * The properties of a requested key; limits that it leaves out are those of its creator.
 * @throws ServiceError scope_missing or invalid_request when it exceeds its creator.
 */
export function keyProperties(
  request: KeyRequest,
  giver: KeyGiver,
  now: number,
): Required<Omit<KeyProperties, "personId" | "validMax">> {
  const wanted = request.scopes ?? ["read"];
  refuseMissingScope(wanted, giver.scopes);
  const { expiresIn = null, rate = null, quota = null } = request;
  const ratePerSecond = rate === null ? null : rateOf(rate);
  const expiresAt = expiresIn === null ? null : now + (durationMs(expiresIn) ?? 0);
  const faults = [
    limitFault("rate", ratePerSecond, giver.limits.ratePerSecond),
    limitFault("quota", quota, giver.limits.dailyQuota),
    expiresAt !== null && expiresAt > lastMs ? tooLong : null,
  ].filter((fault) => fault !== null);
  if (faults.length > 0) throw invalid(faults);
  return {
    name: request.name ?? "",
    scopes: scopes.filter((scope) => wanted.includes(scope)),
    expiresAt,
    ratePerSecond: ratePerSecond ?? giver.own.ratePerSecond,
    dailyQuota: quota ?? giver.own.dailyQuota,
  };
}

function refuseMissingScope(wanted: readonly Scope[], held: readonly Scope[]): void {
  const missing = wanted.find((scope) => !held.includes(scope));
  if (missing === undefined) return;
  throw new ServiceError(
    "scope_missing",
    `A key gets no scope that the key which creates it lacks: ${missing} was asked for; ` +
      `yours has ${held.join(", ")}.`,
  );
}

function rateOf(text: string): Limit {
  return text === "off" ? text : Number.parseInt(text, 10);
}

function limitFault(field: "rate" | "quota", wanted: Limit | null, held: Limit): FieldError | null {
  if (wanted === null || held === "off") return null;
  if (wanted !== "off" && wanted <= held) return null;
  const unit = field === "rate" ? "/s" : "";
  const got = wanted === "off" ? wanted : `${wanted}${unit}`;
  const message = `must be at most ${held}${unit}, the ${field} of your own key, got ${got}.`;
  return { path: `/${field}`, code: "too_large", message };
}

const tooLong: FieldError = {
  path: "/expiresIn",
  code: "too_large",
  message: "must end by the year 9999.",
};

function invalid(errors: readonly FieldError[]): ServiceError {
  const detail = errors.map(({ path, message }) => `${path || "/"}: ${message}`).join(" ");
  return new ServiceError("invalid_request", detail, { errors });
}
