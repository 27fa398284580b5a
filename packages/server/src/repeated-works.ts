import type { Retention } from "./answers/retention/retention.ts";
import type { CollectionThread } from "./collection/thread.ts";
import { DeletedAccounts, type DeletedAccountsTools } from "./facts/projection/deleted-accounts.ts";
import type { Webhooks } from "./hooks/webhooks.ts";
import type { ConsoleSessions } from "./keys/console/console-sessions.ts";
import type { KeyRing } from "./keys/key-ring.ts";
import type { Limits } from "./keys/limits/limits.ts";
import type { SigningKeys } from "./keys/signing-keys.ts";
import type { Links } from "./links/links.ts";
import type { PeopleAtConsole } from "./people/signed-in-people.ts";
import type { RepeatedWork } from "./platform/repeat.ts";
import type { ServedFilesWatch } from "./platform/served-files.ts";
import type { ScheduledReports } from "./reports/scheduled-reports.ts";

/** What works by itself. */
interface Workers {
  readonly limits: Limits;
  readonly signingKeys: SigningKeys;
  readonly webhooks: Webhooks;
  readonly links: Links;
  readonly keyRing: KeyRing;
  readonly consoleSessions: ConsoleSessions;
  readonly signedInPeople: PeopleAtConsole;
  readonly scheduledReports: ScheduledReports;
  readonly collection: CollectionThread;
  readonly files: ServedFilesWatch;
  readonly rotate: () => Promise<void>;
}

/** What the service does again and again. */
export function worksOf(workers: Workers): readonly RepeatedWork[] {
  const { limits, files, signingKeys, rotate, webhooks, collection } = workers;
  const { scheduledReports, links } = workers;
  return [
    // So much is forgotten by the quota after `kill -9`.
    { what: "saving the calls of the day", everyMs: 500, work: () => limits.save() },
    { what: "looking at the data folder", everyMs: 1_000, work: files.look },
    { what: "looking for signing keys", everyMs: 1_000, work: () => signingKeys.refresh() },
    { what: "rotating the signing key", everyMs: 3_600_000, work: rotate },
    { what: "looking for events of webhooks", everyMs: 1_000, work: () => webhooks.check() },
    { what: "making reports", everyMs: 1_000, work: () => scheduledReports.start() },
    { what: "delivering to webhooks", everyMs: 1_000, work: () => webhooks.start() },
    { what: "reading what collection counted", everyMs: 1_000, work: () => collection.report() },
    { what: "writing uses of share links", everyMs: 60_000, work: () => links.writeUses() },
    { what: "forgetting deliveries", everyMs: 3_600_000, work: () => webhooks.forget() },
    writingWhatEnded(workers),
  ];
}

/** Revoked keys, removed people and ended sessions that a full disk did not take. */
function writingWhatEnded({
  keyRing,
  consoleSessions,
  signedInPeople,
}: Pick<Workers, "keyRing" | "consoleSessions" | "signedInPeople">): RepeatedWork {
  const work = async () => {
    // People first: their keys are revoked with them.
    await signedInPeople.writeEnded();
    await keyRing.writeRevocations();
    await consoleSessions.deleteEnded();
  };
  return { what: "writing what ended while the disk was full", everyMs: 1_000, work };
}

interface RemovalTools extends DeletedAccountsTools {
  readonly retention: Retention;
}

/** What has to go is gone by itself. */
export function removals({ retention, ...tools }: RemovalTools): readonly RepeatedWork[] {
  const deleted = new DeletedAccounts(tools);
  return [
    { what: "closing deleted accounts", everyMs: 500, work: () => deleted.look() },
    {
      what: "removing old texts and raw replies",
      everyMs: 60_000,
      work: () => retention.removeDue(),
    },
  ];
}

/** What ends with writing what is left of its work. */
export async function closeWorkers({
  webhooks,
  links,
  limits,
}: Pick<Workers, "webhooks" | "links" | "limits">) {
  await webhooks.close();
  await links.writeUses({ isEnd: true });
  await limits.close();
}
