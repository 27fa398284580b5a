import { timingSafeEqual } from "node:crypto";
import type { Scope } from "@sightline/contract";
import type { Control } from "../control/control.ts";
import type { KeyRecord, Limit } from "../control/key-store.ts";
import type { Clock } from "../platform/clock.ts";
import { fingerprintOf } from "./pepper.ts";
import { hashOfKey, keyIdOf, newStaticKey } from "./static-key.ts";

/** A newly created key: the only time that the key itself is visible. */
export interface CreatedKey {
  readonly keyId: string;
  readonly key: string;
  readonly accountId: string;
  /** Milliseconds since 1970, UTC; null: never. */
  readonly expiresAt: number | null;
  readonly record: KeyRecord;
}

/** Properties of a new key. */
export interface KeyProperties {
  readonly name: string;
  /** Milliseconds since 1970, UTC; null: never. */
  readonly expiresAt: number | null;
  /** Calls per second; null or omitted: the service's default. */
  readonly ratePerSecond?: Limit | null;
  /** Calls per UTC day; null or omitted: the service's default. */
  readonly dailyQuota?: Limit | null;
  /** Omitted: `read` alone. */
  readonly scopes?: readonly Scope[];
}

/** Creates and verifies static keys. */
export class KeyRing {
  readonly #control: Control;
  readonly #pepper: Buffer;
  readonly #clock: Clock;
  /** Keys by id, as in control at `#recordsVersion`. */
  readonly #records = new Map<string, KeyRecord>();
  #recordsVersion = "";

  constructor(control: Control, pepper: Buffer, clock: Clock) {
    this.#control = control;
    this.#pepper = pepper;
    this.#clock = clock;
  }

  /** Equal for equal peppers, and says nothing about them. */
  get pepperFingerprint(): string {
    return fingerprintOf(this.#pepper);
  }

  async create(accountId: string, properties: KeyProperties): Promise<CreatedKey> {
    const { keyId, key } = newStaticKey();
    const hash = hashOfKey(key, this.#pepper);
    const record = await this.#control.createKey(accountId, {
      id: keyId,
      hash,
      name: properties.name,
      expiresAt: properties.expiresAt,
      ratePerSecond: properties.ratePerSecond ?? null,
      dailyQuota: properties.dailyQuota ?? null,
      scopes: properties.scopes ?? ["read"],
    });
    return { keyId, key, accountId, expiresAt: properties.expiresAt, record };
  }

  /**
   * The record of a valid key; null when it is malformed, unknown, revoked or expired, which
   * callers cannot distinguish. A typing error fails the checksum without a lookup.
   */
  async verify(key: string): Promise<KeyRecord | null> {
    const keyId = keyIdOf(key);
    if (keyId === null) return null;
    const record = await this.#control.key(keyId);
    if (record === null || !timingSafeEqual(hashOfKey(key, this.#pepper), record.hash)) return null;
    return this.#isGood(record) ? record : null;
  }

  /** The record of the key of a session, if the key is valid. */
  async goodKey(keyId: string): Promise<KeyRecord | null> {
    const record = await this.#record(keyId);
    return record !== null && this.#isGood(record) ? record : null;
  }

  /**
   * Read once, until control is written again: a revocation by any process shows at the next call.
   */
  async #record(keyId: string): Promise<KeyRecord | null> {
    const version = await this.#control.version();
    if (version !== this.#recordsVersion) this.#records.clear();
    this.#recordsVersion = version;
    const known = this.#records.get(keyId);
    if (known !== undefined) return known;
    const record = await this.#control.key(keyId);
    const isCurrent = (await this.#control.version()) === version;
    if (record !== null && isCurrent && this.#recordsVersion === version) {
      this.#records.set(keyId, record);
    }
    return record;
  }

  #isGood({ revokedAt, expiresAt }: KeyRecord): boolean {
    return revokedAt === null && (expiresAt === null || this.#clock.now() < expiresAt);
  }
}
