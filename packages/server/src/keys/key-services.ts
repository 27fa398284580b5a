import type { ControlEngine } from "../control/control-engine.ts";
import type { Clock } from "../platform/clock.ts";
import type { Logger } from "../platform/logger.ts";
import type { Metrics } from "../platform/metrics.ts";
import type { ConsoleLinks } from "./console/console-links.ts";
import type { ConsoleSessions } from "./console/console-sessions.ts";
import type { SignedInPeople } from "./console/signed-in-people.ts";
import type { KeyRing } from "./key-ring.ts";
import type { Limits } from "./limits/limits.ts";
import type { Sessions } from "./sessions.ts";
import type { SigningKeys } from "./signing-keys.ts";

/** Dependencies of the operations on keys and sessions. */
export interface KeyServices {
  readonly config: { readonly issuer: string };
  readonly control: ControlEngine;
  /** The account's name; null: there is no such account. */
  readonly accountName: (accountId: string) => Promise<string | null>;
  readonly keyRing: KeyRing;
  readonly sessions: Sessions;
  readonly signingKeys: SigningKeys;
  readonly consoleSessions: ConsoleSessions;
  readonly consoleLinks: ConsoleLinks;
  readonly signedInPeople: SignedInPeople;
  readonly limits: Limits;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
}
