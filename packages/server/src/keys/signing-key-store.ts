import { type ControlEngine, writeVersioned } from "../control/control-engine.ts";
import type { ControlDatabase } from "../control/database.ts";
import { signingKeyRowHash } from "../control/row-hashes.ts";

/** An RSA key pair that signs sessions, each half a JWK as JSON. */
export interface SigningKeyRecord {
  readonly kid: string;
  readonly privateKey: string;
  readonly publicKey: string;
  /** Milliseconds since 1970, UTC. */
  readonly createdAt: number;
}

/** The keys that sign sessions, newest first. */
export async function signingKeyRecords({
  database,
}: ControlEngine): Promise<readonly SigningKeyRecord[]> {
  return await newestFirst(database)
    .select(["kid", "private_key as privateKey", "public_key as publicKey"])
    .select("created_at as createdAt")
    .execute();
}

/** Adds a key, unless another one than `newest` is the newest now. @returns whether it did. */
export function storeSigningKey(
  control: ControlEngine,
  { kid, privateKey, publicKey, createdAt }: SigningKeyRecord,
  newest: string | null,
): Promise<boolean> {
  const { together, lock } = control;
  return writeVersioned(control, () =>
    together(async (transaction) => {
      await lock(transaction, "signing keys");
      const [found] = await newestFirst(transaction).select("kid").limit(1).execute();
      if ((found?.kid ?? null) !== newest) return false;
      const halves = { private_key: privateKey, public_key: publicKey };
      const row = { kid, ...halves, created_at: createdAt };
      await transaction
        .insertInto("signing_keys")
        .values({ ...row, row_hash: signingKeyRowHash(row) })
        .execute();
      return true;
    }),
  );
}

/** Deletes a key, if it is there. */
export async function dropSigningKey(control: ControlEngine, kid: string): Promise<void> {
  const dropped = control.database.deleteFrom("signing_keys").where("kid", "=", kid);
  await writeVersioned(control, () => dropped.execute());
}

function newestFirst(database: ControlDatabase) {
  return database.selectFrom("signing_keys").orderBy("created_at", "desc").orderBy("kid");
}
