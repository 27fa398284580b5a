import type { LinkView } from "@sightline/contract";
import type { Selectable } from "kysely";
import { audited } from "../audit/audit-log.ts";
import type { ControlEngine } from "../control/control-engine.ts";
import type { ControlTables } from "../control/schema.ts";
import type { Actor } from "../platform/actor.ts";

type LinkRow = Selectable<ControlTables["links"]>;

/** Revokes a share link, unless it is revoked or the account has none with this id. */
export function endLink(
  control: ControlEngine,
  accountId: string,
  linkId: string,
  now: number,
): Promise<void> {
  return audited(control, accountId, now, async ({ database, lock }) => {
    // Before the row, as who revokes several at a time has it.
    await lock(database, { auditOf: accountId });
    const row = await database
      .updateTable("links")
      .set({ revoked_at: now })
      .where("account_id", "=", accountId)
      .where("id", "=", linkId)
      .where("revoked_at", "is", null)
      .returningAll()
      .executeTakeFirst();
    if (row === undefined) return [undefined, null];
    const before = shownLink(row);
    return [undefined, { action: "link.revoked", subject: linkId, before, after: null }];
  });
}

/**
 * Within a transaction: revokes a person's share links of an account for good. A person who may
 * manage the account again later does not open old addresses with it. Links of the person's keys
 * end with these.
 * @returns how many.
 */
export async function endLinksOf(
  within: ControlEngine,
  { accountId, personId, now }: { accountId: string; personId: string; now: number },
): Promise<number> {
  const rows = await within.database
    .selectFrom("links")
    .select(["id", "created_by"])
    .where("account_id", "=", accountId)
    .where("key_id", "is", null)
    .where("revoked_at", "is", null)
    .where((row) => row.or([row("expires_at", "is", null), row("expires_at", ">", now)]))
    .orderBy("created_at")
    .orderBy("id")
    .execute();
  const own = rows.filter(({ created_by: maker }) => {
    const { kind, id } = JSON.parse(maker) as Pick<Actor, "kind" | "id">;
    return kind === "person" && id === personId;
  });
  for (const { id } of own) await endLink(within, accountId, id, now);
  return own.length;
}

/** What the audit log shows of a share link: no token, no password, nor a hash of them. */
export function shownLink(
  link: Pick<
    LinkRow,
    "name" | "kind" | "view" | "report_id" | "shows_evidence" | "password_hash" | "expires_at"
  >,
) {
  const { name, kind, report_id: reportId, expires_at: at } = link;
  return {
    name,
    kind,
    view: JSON.parse(link.view) as LinkView | null,
    reportId,
    showsEvidence: link.shows_evidence === 1,
    hasPassword: link.password_hash !== null,
    expiresAt: at === null ? null : new Date(at).toISOString(),
  };
}
