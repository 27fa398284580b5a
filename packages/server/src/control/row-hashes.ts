import { createHash } from "node:crypto";
import type { ControlDatabase } from "./database.ts";

/** The parts of a key's row that never change. */
export interface KeyRowParts {
  readonly id: string;
  readonly account_id: string;
  readonly name: string;
  readonly hash: Buffer;
  readonly created_at: number;
  readonly expires_at: number | null;
  readonly rate_limit: string | null;
  readonly daily_quota: string | null;
}

/** SHA-256 (hexadecimal) of the constant parts of a key's row, to detect damage. */
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
  ]);
}

/** The parts of a signing key's row. */
export interface SigningKeyRowParts {
  readonly kid: string;
  readonly private_key: string;
  readonly public_key: string;
  readonly created_at: number;
}

/** SHA-256 (hexadecimal) of a signing key's row, to detect damage. */
export function signingKeyRowHash(row: SigningKeyRowParts): string {
  return sha256([row.kid, row.private_key, row.public_key, row.created_at]);
}

/**
 * SHA-256 (hexadecimal) of everything that an account ever declared, including retired items. It is
 * written with each change, so that the doctor detects what SQLite's own check cannot.
 */
export async function workspaceRowsHash(
  database: ControlDatabase,
  accountId: string,
): Promise<string> {
  const account = await database
    .selectFrom("accounts")
    .select(["id", "name", "created_at"])
    .where("id", "=", accountId)
    .execute();
  // Row by row: otherwise the text of 100,000 prompts would be in memory several times.
  const hash = createHash("sha256").update(`[${JSON.stringify(account)},[`);
  for (const [index, table] of (["entities", "topics", "prompts"] as const).entries()) {
    hash.update(index === 0 ? "[" : ",[");
    const rows = database
      .selectFrom(table)
      .selectAll()
      .where("account_id", "=", accountId)
      .orderBy("id")
      .stream();
    let separator = "";
    for await (const row of rows) {
      const sorted = Object.entries(row).toSorted(([a], [b]) => (a < b ? -1 : 1));
      hash.update(separator + JSON.stringify(sorted));
      separator = ",";
    }
    hash.update("]");
  }
  return hash.update("]]").digest("hex");
}

function sha256(value: unknown): string {
  return createHash("sha256").update(JSON.stringify(value)).digest("hex");
}
