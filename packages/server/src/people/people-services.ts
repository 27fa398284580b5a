import type { ControlEngine } from "../control/control-engine.ts";
import type { Limits } from "../keys/limits/limits.ts";
import type { Clock } from "../platform/clock.ts";
import type { Logger } from "../platform/logger.ts";
import type { Metrics } from "../platform/metrics.ts";
import type { MemberDirectory } from "./member-directory.ts";
import type { PersonProvider } from "./person-provider.ts";
import type { PeopleAtConsole } from "./signed-in-people.ts";

/** Dependencies of the operations on people. */
export interface PeopleServices {
  readonly config: {
    /** What addresses begin with, without a final slash; null: not known. */
    readonly publicUrl: string | null;
  };
  readonly control: ControlEngine;
  readonly signedInPeople: PeopleAtConsole;
  readonly members: MemberDirectory;
  /** Signs people in elsewhere; null: nothing does. */
  readonly personProvider: PersonProvider | null;
  /** Sends a code that signs in to its person's address; null: the service sends no mail. */
  readonly mailLink: ((email: string, code: string) => Promise<void>) | null;
  /** The account's name; null: there is no such account. */
  readonly accountName: (accountId: string) => Promise<string | null>;
  readonly limits: Limits;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
}
