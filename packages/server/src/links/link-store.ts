import { type LinkKind, type LinkView, validLinksMax } from "@sightline/contract";
import type { Selectable } from "kysely";
import { audited } from "../audit/audit-log.ts";
import type { ControlEngine } from "../control/control-engine.ts";
import type { ControlTables } from "../control/schema.ts";
import { requireActor } from "../keys/require-actor.ts";
import { endLink, shownLink } from "../people/ended-links.ts";
import type { Actor } from "../platform/actor.ts";

/** A stored share link, never its token. Times in milliseconds since 1970, UTC. */
export interface LinkRecord {
  readonly id: string;
  readonly accountId: string;
  readonly name: string;
  readonly kind: LinkKind;
  /** Null: it shows a report. */
  readonly view: LinkView | null;
  /** Null: it shows a view. */
  readonly reportId: string | null;
  readonly showsEvidence: boolean;
  /** Salt and scrypt of the password; null: there is none. */
  readonly passwordHash: string | null;
  readonly createdAt: number;
  readonly createdBy: Omit<Actor, "requestId">;
  /** The key that made it, and with which it ends; null: no key did. */
  readonly keyId: string | null;
  /** Null: never. */
  readonly expiresAt: number | null;
  /** Null: not revoked. */
  readonly revokedAt: number | null;
  /** Null: never used. Precise to a minute, to save writes. */
  readonly lastUsedAt: number | null;
  readonly uses: number;
}

/** The fields of a new link. */
export interface NewLink
  extends Pick<
    LinkRecord,
    "id" | "name" | "kind" | "view" | "reportId" | "showsEvidence" | "passwordHash" | "expiresAt"
  > {
  /** SHA-256 of the token. */
  readonly tokenHash: string;
}

/** Which links of an account are listed. */
export interface LinkPagePlace {
  /** Only links that are older than this one; null: from the newest on. */
  readonly before: Pick<LinkRecord, "createdAt" | "id"> | null;
  readonly limit: number;
}

/**
 * Inserts a link of the engine's actor.
 * @returns its record; null: the account has as many valid links as it may.
 * @throws ServiceError session_invalid when the actor may make none any more.
 */
export function addLink(
  control: ControlEngine,
  accountId: string,
  { tokenHash, ...link }: NewLink,
  now: number,
): Promise<LinkRecord | null> {
  const { requestId: _, ...createdBy } = control.actor;
  const row = {
    id: link.id,
    account_id: accountId,
    name: link.name,
    kind: link.kind,
    view: JSON.stringify(link.view),
    report_id: link.reportId,
    shows_evidence: link.showsEvidence ? (1 as const) : (0 as const),
    token_hash: tokenHash,
    password_hash: link.passwordHash,
    created_at: now,
    created_by: JSON.stringify(createdBy),
    key_id: createdBy.kind === "key" ? createdBy.id : null,
    expires_at: link.expiresAt,
    revoked_at: null,
    last_used_at: null,
    uses: 0,
  };
  return audited(control, accountId, now, async (within) => {
    const { database } = within;
    // It locks the account: nobody counts meanwhile.
    await requireActor(within, { accountId, scopes: ["manage"], now });
    if ((await countValidLinks(database, accountId, now)) >= validLinksMax) return [null, null];
    await database.insertInto("links").values(row).execute();
    const after = shownLink(row);
    return [toRecord(row), { action: "link.created", subject: row.id, before: null, after }];
  });
}

/** Neither those that were revoked or expired, nor those whose key was or did. */
async function countValidLinks(
  database: ControlEngine["database"],
  accountId: string,
  now: number,
): Promise<number> {
  const goodKeys = database
    .selectFrom("keys")
    .select("id")
    .where("account_id", "=", accountId)
    .where("revoked_at", "is", null)
    .where((key) => key.or([key("expires_at", "is", null), key("expires_at", ">", now)]));
  const row = await database
    .selectFrom("links")
    .select((row) => row.fn.countAll().as("valid"))
    .where("account_id", "=", accountId)
    .where("revoked_at", "is", null)
    .where((row) => row.or([row("expires_at", "is", null), row("expires_at", ">", now)]))
    .where((row) => row.or([row("key_id", "is", null), row("key_id", "in", goodKeys)]))
    .executeTakeFirst();
  return Number(row?.valid ?? 0);
}

/** A link of any account by the hash of its token, which identifies the account; null: none. */
export async function linkByToken(
  { database }: ControlEngine,
  tokenHash: string,
): Promise<LinkRecord | null> {
  const row = await database
    .selectFrom("links")
    .selectAll()
    .where("token_hash", "=", tokenHash)
    .executeTakeFirst();
  return row === undefined ? null : toRecord(row);
}

/** A link; null: the account has none with this id. */
export async function linkById(
  { database }: ControlEngine,
  accountId: string,
  linkId: string,
): Promise<LinkRecord | null> {
  const row = await database
    .selectFrom("links")
    .selectAll()
    .where("account_id", "=", accountId)
    .where("id", "=", linkId)
    .executeTakeFirst();
  return row === undefined ? null : toRecord(row);
}

/** An account's links, newest first. */
export async function linksOf(
  { database }: ControlEngine,
  accountId: string,
  { before, limit }: LinkPagePlace,
): Promise<readonly LinkRecord[]> {
  let rows = database.selectFrom("links").selectAll().where("account_id", "=", accountId);
  if (before !== null) {
    const { createdAt, id } = before;
    rows = rows.where((row) =>
      row.or([
        row("created_at", "<", createdAt),
        row.and([row("created_at", "=", createdAt), row("id", "<", id)]),
      ]),
    );
  }
  const page = rows.orderBy("created_at", "desc").orderBy("id", "desc").limit(limit);
  return (await page.execute()).map(toRecord);
}

/**
 * Revokes a link. Repeating it keeps the first time.
 * @returns its record; null: the account has none with this id.
 */
export async function revokeLink(
  control: ControlEngine,
  accountId: string,
  linkId: string,
  now: number,
): Promise<LinkRecord | null> {
  const id = linkId.toLowerCase();
  await endLink(control, accountId, id, now);
  return linkById(control, accountId, id);
}

/** Adds uses of a link, the last of them at `lastUsedAt`. */
export async function addUses(
  { database }: ControlEngine,
  { accountId, id }: Pick<LinkRecord, "accountId" | "id">,
  { uses, lastUsedAt }: Pick<LinkRecord, "uses"> & { readonly lastUsedAt: number },
): Promise<void> {
  await database
    .updateTable("links")
    .set((row) => ({ uses: row("uses", "+", uses), last_used_at: lastUsedAt }))
    .where("account_id", "=", accountId)
    .where("id", "=", id)
    .execute();
}

function toRecord(row: Selectable<ControlTables["links"]>): LinkRecord {
  return {
    id: row.id,
    accountId: row.account_id,
    name: row.name,
    kind: row.kind,
    view: JSON.parse(row.view) as LinkView | null,
    reportId: row.report_id,
    showsEvidence: row.shows_evidence === 1,
    passwordHash: row.password_hash,
    createdAt: row.created_at,
    createdBy: JSON.parse(row.created_by) as LinkRecord["createdBy"],
    keyId: row.key_id,
    expiresAt: row.expires_at,
    revokedAt: row.revoked_at,
    lastUsedAt: row.last_used_at,
    uses: row.uses,
  };
}
