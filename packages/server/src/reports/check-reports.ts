import { createHash } from "node:crypto";
import type { ControlDatabase } from "../control/database.ts";
import { unpackedHtml } from "./report-store.ts";

/** Pages are read in parts: a service may keep many, and each takes some 60 KB unpacked. */
const checkedAtOnce = 50;

/**
 * Which reports have another page than the one that was made, for people; empty: none. The pages of
 * all accounts are unpacked one after another.
 */
export async function reportFaults(database: ControlDatabase): Promise<readonly string[]> {
  const faults: string[] = [];
  let last: { readonly account_id: string; readonly id: string } | undefined;
  for (;;) {
    let rows = database
      .selectFrom("reports")
      .select(["account_id", "id", "html", "html_bytes", "html_sha256"]);
    if (last !== undefined) {
      const { account_id: account, id } = last;
      rows = rows.where(({ eb, and, or }) =>
        or([
          eb("account_id", ">", account),
          and([eb("account_id", "=", account), eb("id", ">", id)]),
        ]),
      );
    }
    const page = await rows.orderBy("account_id").orderBy("id").limit(checkedAtOnce).execute();
    for (const row of page) {
      if (await isAsMade(row)) continue;
      faults.push(`report ${row.id} of account ${row.account_id} differs from what was made`);
    }
    last = page.at(-1);
    if (page.length < checkedAtOnce) return faults;
  }
}

type StoredPage = Parameters<typeof unpackedHtml>[0] & { readonly html_sha256: string };

async function isAsMade(row: StoredPage): Promise<boolean> {
  try {
    const html = await unpackedHtml(row);
    return createHash("sha256").update(html).digest("hex") === row.html_sha256;
  } catch {
    return false; // it cannot be unpacked, or is longer
  }
}
