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
export function signingKeyStore(database: ControlDatabase) {
  return {
    signingKeys: async (): Promise<readonly SigningKeyRecord[]> => {
      const rows = await database
        .selectFrom("signing_keys")
        .selectAll()
        .orderBy("created_at", "desc")
        .orderBy("kid")
        .execute();
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
    addSigningKey: async (key: SigningKeyRecord): Promise<void> => {
      const row = {
        kid: key.kid,
        private_key: key.privateKey,
        public_key: key.publicKey,
        created_at: key.createdAt,
      };
      await database
        .insertInto("signing_keys")
        .values({ ...row, row_hash: signingKeyRowHash(row) })
        .execute();
    },
  };
}
