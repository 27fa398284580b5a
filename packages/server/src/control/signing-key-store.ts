import type { ControlEngine } from "./control-engine.ts";
import type { ControlDatabase } from "./database.ts";
import { signingKeyRowHash } from "./row-hashes.ts";

/** An RSA key pair that signs sessions, each half a JWK as JSON. */
export interface SigningKeyRecord {
  readonly kid: string;
  readonly privateKey: string;
  readonly publicKey: string;
  /** Milliseconds since 1970, UTC. */
  readonly createdAt: number;
}

/** Signing keys in control. */
export function signingKeyStore({ database, together, lock }: ControlEngine) {
  return {
    signingKeys: async (): Promise<readonly SigningKeyRecord[]> => {
      const rows = await newestFirst(database).selectAll().execute();
      return rows.map((row) => ({
        kid: row.kid,
        privateKey: row.private_key,
        publicKey: row.public_key,
        createdAt: row.created_at,
      }));
    },
    dropSigningKey: async (kid: string): Promise<void> => {
      await database.deleteFrom("signing_keys").where("kid", "=", kid).execute();
    },
    addSigningKey: (key: SigningKeyRecord, newest: string | null): Promise<boolean> =>
      together(async (transaction) => {
        await lock(transaction, "signing keys");
        const [found] = await newestFirst(transaction).select("kid").limit(1).execute();
        if ((found?.kid ?? null) !== newest) return false;
        const row = {
          kid: key.kid,
          private_key: key.privateKey,
          public_key: key.publicKey,
          created_at: key.createdAt,
        };
        await transaction
          .insertInto("signing_keys")
          .values({ ...row, row_hash: signingKeyRowHash(row) })
          .execute();
        return true;
      }),
  };
}

function newestFirst(database: ControlDatabase) {
  return database.selectFrom("signing_keys").orderBy("created_at", "desc").orderBy("kid");
}
