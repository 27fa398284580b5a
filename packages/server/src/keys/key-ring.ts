import { createHmac, timingSafeEqual } from "node:crypto";
import type { Scope } from "@sightline/contract";
import type { ControlEngine } from "../control/control-engine.ts";
import type { Clock } from "../platform/clock.ts";
import { whyFailed } from "../platform/failed-work.ts";
import { ServiceError } from "../platform/service-error.ts";
import { createKey, type KeyRecord, keyById, keysOf, type Limit, revokeKey } from "./key-store.ts";
import { fingerprintOf } from "./pepper.ts";
import { hashOfKey, keyIdOf, newStaticKey } from "./static-key.ts";

/** A new key with its text, which is visible only now. */
export interface CreatedKey {
  readonly keyId: string;
  readonly key: string;
  readonly accountId: string;
  /** Milliseconds since 1970, UTC; null: never. */
  readonly expiresAt: number | null;
  readonly record: KeyRecord;
}

/** The properties of a new key. */
export interface KeyProperties {
  readonly name: string;
  /** Milliseconds since 1970, UTC; null: never. */
  readonly expiresAt: number | null;
  /** Calls per second; null or omitted: the service's default. */
  readonly ratePerSecond?: Limit | null;
  /** Calls per UTC day; null or omitted: the service's default. */
  readonly dailyQuota?: Limit | null;
  /** Only `read` when omitted. */
  readonly scopes?: readonly Scope[];
  /** The person whose key it is; null or omitted: nobody's. */
  readonly personId?: string | null;
  /** The most valid keys that the account may have with it; omitted: any number. */
  readonly validMax?: number;
}

interface KeysOfPerson {
  readonly engine: ControlEngine;
  readonly accountId: string;
  readonly personId: string;
}

const refusedHere =
  "No space is left to write the revocation. This process refuses the key from now on, and " +
  "writes it when there is space; if it stops before, revoke the key again.";

/** Creates, verifies and revokes static keys. */
export class KeyRing {
  readonly #control: ControlEngine;
  readonly #pepper: Buffer;
  readonly #clock: Clock;
  /** Cached keys by id, as of control's version `#recordsVersion`. */
  readonly #records = new Map<string, KeyRecord>();
  #recordsVersion = "";
  /** Keys whose revocation could not be written yet. */
  readonly #refused = new Map<string, ControlEngine>();

  constructor(control: ControlEngine, pepper: Buffer, clock: Clock) {
    this.#control = control;
    this.#pepper = pepper;
    this.#clock = clock;
  }

  /** The fingerprint of the pepper: equal for equal peppers, and reveals nothing else. */
  get pepperFingerprint(): string {
    return fingerprintOf(this.#pepper);
  }

  /**
   * A text's authentication code, which only holders of the pepper can compute: for codes that
   * nobody stores. No key and no fingerprint begins as the text that is hashed.
   */
  codeOf(text: string): Buffer {
    return createHmac("sha256", this.#pepper).update(`sightline code\n${text}`).digest();
  }

  /** @param engine control, for whom it is created, or a transaction that it is to be part of. */
  async create(
    accountId: string,
    properties: KeyProperties,
    engine: ControlEngine = this.#control,
  ): Promise<CreatedKey> {
    const { keyId, key } = newStaticKey();
    const hash = hashOfKey(key, this.#pepper);
    const record = await createKey(
      engine,
      accountId,
      {
        id: keyId,
        hash,
        name: properties.name,
        expiresAt: properties.expiresAt,
        ratePerSecond: properties.ratePerSecond ?? null,
        dailyQuota: properties.dailyQuota ?? null,
        scopes: properties.scopes ?? ["read"],
        personId: properties.personId ?? null,
        validMax: properties.validMax,
      },
      this.#clock.now(),
    );
    return { keyId, key, accountId, expiresAt: properties.expiresAt, record };
  }

  /**
   * The record of a valid key; null when it is malformed, unknown, revoked or expired, which
   * callers cannot distinguish. A typing error fails the checksum without a query.
   */
  async verify(key: string): Promise<KeyRecord | null> {
    const keyId = keyIdOf(key);
    if (keyId === null) return null;
    const record = await keyById(this.#control, keyId);
    if (record === null || !timingSafeEqual(hashOfKey(key, this.#pepper), record.hash)) return null;
    return this.#isGood(record) ? record : null;
  }

  /** The record of a session's key; null when it is unknown, revoked or expired. */
  async goodKey(keyId: string): Promise<KeyRecord | null> {
    const record = await this.#record(keyId);
    return record !== null && this.#isGood(record) ? record : null;
  }

  /**
   * Revokes a key, which ends its sessions. A stolen key must not work because a disk is full: then
   * this process refuses it immediately and writes the revocation later.
   * @param engine control, for whom it is revoked.
   * @returns null: there is no such key.
   * @throws ServiceError storage_full when the revocation could not be written.
   */
  async revoke(keyId: string, engine: ControlEngine = this.#control): Promise<KeyRecord | null> {
    try {
      return await revokeKey(engine, keyId, this.#clock.now());
    } catch (error) {
      if (whyFailed(error) !== "disk-full") throw error;
      this.#refused.set(keyId, engine);
      throw new ServiceError("storage_full", refusedHere);
    }
  }

  /**
   * Refuses a person's keys of an account, which cannot be revoked because the disk is full: this
   * process writes the revocations later.
   * @param engine control, for whom they are revoked.
   */
  async refuseAllOf({ engine, accountId, personId }: KeysOfPerson): Promise<void> {
    const keys = await keysOf(engine, accountId);
    for (const key of keys) if (key.personId === personId) this.#refused.set(key.id, engine);
  }

  /** Retries the revocations that could not be written; call it often. */
  async writeRevocations(): Promise<void> {
    for (const [keyId, engine] of this.#refused) {
      try {
        await revokeKey(engine, keyId, this.#clock.now());
      } catch (error) {
        if (whyFailed(error) === "disk-full") return;
        throw error;
      }
      this.#refused.delete(keyId);
    }
  }

  /**
   * Cached until control is written again, so that a revocation by any process takes effect with
   * the next call.
   */
  async #record(keyId: string): Promise<KeyRecord | null> {
    const version = await this.#control.version();
    if (version !== this.#recordsVersion) this.#records.clear();
    this.#recordsVersion = version;
    const known = this.#records.get(keyId);
    if (known !== undefined) return known;
    const record = await keyById(this.#control, keyId);
    const isCurrent = (await this.#control.version()) === version;
    if (record !== null && isCurrent && this.#recordsVersion === version) {
      this.#records.set(keyId, record);
    }
    return record;
  }

  #isGood({ id, revokedAt, expiresAt }: KeyRecord): boolean {
    if (this.#refused.has(id)) return false;
    return revokedAt === null && (expiresAt === null || this.#clock.now() < expiresAt);
  }
}
