import type { CryptoKey, JWK } from "jose";
import { calculateJwkThumbprint } from "jose/jwk/thumbprint";
import { exportJWK } from "jose/key/export";
import { generateKeyPair } from "jose/key/generate/keypair";
import { importJWK } from "jose/key/import";
import { type ControlEngine, writeVersioned } from "../control/control-engine.ts";
import type { ControlDatabase } from "../control/database.ts";
import { signingKeyRowHash } from "../control/row-hashes.ts";
import type { Clock } from "../platform/clock.ts";
import { sessionSecondsMax } from "./session-life.ts";

/** The only accepted algorithm of session tokens. */
export const signingAlgorithm = "RS256";

/**
 * How long a new key is published before it signs, so that clients have refreshed their copy of the
 * key set. The very first key signs immediately.
 */
export const publishedBeforeUseMs = 60_000;
/** A retired key is accepted until its last session expires, plus a margin. */
const acceptedAfterUseMs = sessionSecondsMax * 1_000 + 60_000;

interface LoadedKey {
  readonly kid: string;
  readonly createdAt: number;
  readonly publicJwk: JWK;
  readonly publicKey: CryptoKey;
  readonly privateKey: CryptoKey;
}

/** The cached keys that sign and verify sessions. */
export class SigningKeys {
  readonly #control: ControlEngine;
  readonly #clock: Clock;
  /** Newest first; never empty after `open`. */
  #keys: readonly LoadedKey[] = [];

  private constructor(control: ControlEngine, clock: Clock) {
    this.#control = control;
    this.#clock = clock;
  }

  /** Loads the keys from control, and creates the first one if there is none. */
  static async open(control: ControlEngine, clock: Clock): Promise<SigningKeys> {
    const keys = new SigningKeys(control, clock);
    await keys.refresh();
    if (keys.#keys.length === 0) await keys.#addAfter(null);
    return keys;
  }

  /** The key that currently signs. */
  get current(): LoadedKey {
    const before = this.#clock.now() - publishedBeforeUseMs;
    const key = this.#keys.find(({ createdAt }) => createdAt <= before) ?? this.#keys.at(-1);
    if (key === undefined) throw new Error("there is no signing key");
    return key;
  }

  /** A public key by its id; undefined: unknown or retired. */
  publicKey(kid: string): CryptoKey | undefined {
    return this.#keys.find((key) => key.kid === kid)?.publicKey;
  }

  /** The public halves (RFC 7517), newest first. */
  get jwks(): { readonly keys: readonly JWK[] } {
    return { keys: this.#keys.map(({ publicJwk }) => publicJwk) };
  }

  /**
   * Creates a new key when the newest is older than `ageMs`; it signs after it has been published
   * for a minute.
   */
  async rotateOlderThan(ageMs: number): Promise<void> {
    const [newest = null] = this.#keys;
    if (this.#clock.now() - (newest?.createdAt ?? 0) > ageMs) await this.#addAfter(newest);
  }

  /** One of several nodes adds a key; the others load it. */
  async #addAfter(newest: NewestKey | null): Promise<void> {
    await addSigningKey(this.#control, this.#clock, newest);
    await this.refresh();
  }

  /** Loads keys that other processes created, and deletes keys whose last sessions have expired. */
  async refresh(): Promise<void> {
    const records = await signingKeyRecords(this.#control);
    const needed = records.filter((_, place) => !this.#isOver(records[place - 1]));
    for (const { kid } of records.slice(needed.length)) await dropSigningKey(this.#control, kid);
    const loaded = new Map(this.#keys.map((key) => [key.kid, key]));
    this.#keys = await Promise.all(
      needed.map(async (record) => loaded.get(record.kid) ?? load(record)),
    );
  }

  /** Whether all sessions of the key before `successor` have expired. */
  #isOver(successor: SigningKeyRecord | undefined): boolean {
    if (successor === undefined) return false;
    const lastUseMs = successor.createdAt + publishedBeforeUseMs;
    return this.#clock.now() > lastUseMs + acceptedAfterUseMs;
  }
}

/** Creates a new signing key, which running services load. @returns its id. */
export async function rotateSigningKey(control: ControlEngine, clock: Clock): Promise<string> {
  for (;;) {
    const [newest = null] = await signingKeyRecords(control);
    const kid = await addSigningKey(control, clock, newest);
    if (kid !== null) return kid;
  }
}

type NewestKey = Pick<SigningKeyRecord, "kid" | "createdAt">;

/** @returns the new key's id; null: another process has added a key meanwhile. */
async function addSigningKey(
  control: ControlEngine,
  clock: Clock,
  newest: NewestKey | null,
): Promise<string | null> {
  const pair = await generateKeyPair(signingAlgorithm, { modulusLength: 2048, extractable: true });
  const publicJwk = await exportJWK(pair.publicKey);
  const kid = await calculateJwkThumbprint(publicJwk);
  const described = { kid, alg: signingAlgorithm, use: "sig" };
  const record = {
    kid,
    publicKey: JSON.stringify({ ...publicJwk, ...described }),
    privateKey: JSON.stringify({ ...(await exportJWK(pair.privateKey)), ...described }),
    // Later than the newest, whatever the clock says: keys are ordered by creation.
    createdAt: Math.max(clock.now(), (newest?.createdAt ?? 0) + 1),
  };
  return (await storeSigningKey(control, record, newest?.kid ?? null)) ? kid : null;
}

async function load(record: SigningKeyRecord): Promise<LoadedKey> {
  const publicJwk = JSON.parse(record.publicKey) as JWK;
  return {
    kid: record.kid,
    createdAt: record.createdAt,
    publicJwk,
    publicKey: await imported(publicJwk),
    privateKey: await imported(JSON.parse(record.privateKey) as JWK),
  };
}

async function imported(jwk: JWK): Promise<CryptoKey> {
  const key = await importJWK(jwk, signingAlgorithm);
  if (key instanceof Uint8Array) throw new Error("a signing key is not an RSA key");
  return key;
}

/** An RSA key pair that signs sessions, each half a JWK as JSON. */
interface SigningKeyRecord {
  readonly kid: string;
  readonly privateKey: string;
  readonly publicKey: string;
  /** Milliseconds since 1970, UTC. */
  readonly createdAt: number;
}

/** The stored signing keys, newest first. */
export async function signingKeyRecords({
  database,
}: ControlEngine): Promise<readonly SigningKeyRecord[]> {
  return await newestFirst(database)
    .select(["kid", "private_key as privateKey", "public_key as publicKey"])
    .select("created_at as createdAt")
    .execute();
}

/** Inserts a key unless the newest one is no longer `newest`. @returns whether it did. */
function storeSigningKey(
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

/** Deletes a signing key if it exists. */
async function dropSigningKey(control: ControlEngine, kid: string): Promise<void> {
  const dropped = control.database.deleteFrom("signing_keys").where("kid", "=", kid);
  await writeVersioned(control, () => dropped.execute());
}

function newestFirst(database: ControlDatabase) {
  return database.selectFrom("signing_keys").orderBy("created_at", "desc").orderBy("kid");
}
