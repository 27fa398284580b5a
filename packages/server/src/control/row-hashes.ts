import { createHash } from "node:crypto";
import type { ControlDatabase } from "./database.ts";

/** The columns of an API key that never change. */
export interface KeyRowParts {
  readonly id: string;
  readonly account_id: string;
  readonly name: string;
  readonly hash: Buffer;
  readonly created_at: number;
  readonly expires_at: number | null;
  readonly rate_limit: string | null;
  readonly daily_quota: string | null;
  readonly scopes: string;
  readonly person_id: string | null;
}

/** SHA-256 (hexadecimal) of the constant columns of an API key, to detect damage. */
export function keyRowHash(row: KeyRowParts): string {
  return sha256([
    row.id,
    row.account_id,
    row.name,
    row.hash.toString("hex"),
    row.created_at,
    row.expires_at,
    row.rate_limit,
    row.daily_quota,
    // Keys created before scopes existed have this one, and a hash without it.
    ...(row.scopes === "read" ? [] : [row.scopes]),
    // As those created before people existed.
    ...(row.person_id === null ? [] : [`person ${row.person_id}`]),
  ]);
}

/** The columns of a signing key. */
export interface SigningKeyRowParts {
  readonly kid: string;
  readonly private_key: string;
  readonly public_key: string;
  readonly created_at: number;
}

/** SHA-256 (hexadecimal) of a signing key, to detect damage. */
export function signingKeyRowHash(row: SigningKeyRowParts): string {
  return sha256([row.kid, row.private_key, row.public_key, row.created_at]);
}

/**
 * SHA-256 (hexadecimal) of everything an account has ever declared, retired items included. Each
 * change writes it, so that the doctor detects damage that SQLite's check cannot.
 */
export async function workspaceRowsHash(
  database: ControlDatabase,
  accountId: string,
): Promise<string> {
  const rows = await database
    .selectFrom("accounts")
    .select([
      ...(["id", "name", "created_at", "collection"] as const),
      ...(["views", "notes", "sources", "facts", "ignored_names", "reports"] as const),
      ...(["account_tags"] as const),
    ])
    .where("id", "=", accountId)
    .execute();
  const account = rows.map(
    ({
      collection,
      views,
      notes,
      sources,
      facts,
      ignored_names,
      reports,
      account_tags,
      ...row
    }) => ({
      ...row,
      ...(collection === null ? {} : { collection }),
      ...(views === null ? {} : { views }),
      ...(notes === null ? {} : { notes }),
      ...(sources === null ? {} : { sources }),
      ...(facts === null ? {} : { facts }),
      ...(ignored_names === null ? {} : { ignored_names }),
      ...(reports === null ? {} : { reports }),
      ...(account_tags === null ? {} : { account_tags }),
    }),
  );
  // Page by page: 100,000 prompts would otherwise be in memory several times.
  const hash = createHash("sha256").update(`[${JSON.stringify(account)},[`);
  for (const [index, table] of (["entities", "topics", "prompts"] as const).entries()) {
    hash.update(index === 0 ? "[" : ",[");
    let separator = "";
    for await (const row of rowsOf(database, table, accountId)) {
      const columns = Object.entries(row).filter(([name, value]) => value || !isLater(name));
      const sorted = columns.toSorted(([a], [b]) => (a < b ? -1 : 1));
      hash.update(separator + JSON.stringify(sorted));
      separator = ",";
    }
    hash.update("]");
  }
  return hash.update("]]").digest("hex");
}

/** Rows written before these columns existed have hashes without them. */
function isLater(column: string): boolean {
  return ["collection", "except_phrases", "tags"].includes(column);
}

const pageRows = 1_000;

/** By id, in pages: PostgreSQL's driver would fetch all rows together. */
async function* rowsOf(
  database: ControlDatabase,
  table: "entities" | "topics" | "prompts",
  accountId: string,
): AsyncGenerator<object> {
  for (let after = ""; ; ) {
    const page = await database
      .selectFrom(table)
      .selectAll()
      .where("account_id", "=", accountId)
      .where("id", ">", after)
      .orderBy("id")
      .limit(pageRows)
      .execute();
    yield* page;
    const last = page.at(-1);
    if (last === undefined || page.length < pageRows) return;
    after = last.id;
  }
}

function sha256(value: unknown): string {
  return createHash("sha256").update(JSON.stringify(value)).digest("hex");
}
