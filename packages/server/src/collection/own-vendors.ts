import { type Vendor, vendors } from "@sightline/contract";
import type { ControlEngine } from "../control/control-engine.ts";
import { type SecretBox, UnreadableSecretError } from "../keys/secret-box.ts";
import type { Clock } from "../platform/clock.ts";
import type { Adapter } from "./adapter.ts";
import { Credentials } from "./config.ts";
import {
  type ActiveVendor,
  type OwnVendor,
  VendorCircuit,
  VendorConcurrency,
} from "./run-tools.ts";
import {
  type CredentialState,
  credentialOwner,
  credentialsDue,
  recordCredentialState,
  type StoredCredential,
} from "./store/credential-store.ts";
import { collectorsHealth } from "./vendor-choice.ts";

/** Dependencies of asking with the accounts' own credentials. */
export interface OwnVendorsTools {
  readonly control: ControlEngine;
  readonly secretBox: Pick<SecretBox, "open">;
  readonly adapters: readonly Adapter[];
  /** The vendors that this process asks with a credential of the service. */
  readonly vendors: readonly Vendor[];
  readonly clock: Clock;
}

interface Kept extends OwnVendor {
  readonly stored: StoredCredential;
  noted: CredentialState;
}

/** Concurrent requests with one credential: a large account does not keep others waiting. */
const concurrencyOfOne = 4;
/** Credentials that one look serves; the others have their turn at the next. */
const credentialsMax = 32;
/** Credentials that are kept decrypted; one that is not is decrypted again. */
const keptMax = 1_000;
const unreadable =
  "The stored credential cannot be read: it was stored under another pepper. Store it again.";
/** Nothing but another credential helps, which begins without a state. */
const unreadableForMs = 86_400_000;

/**
 * The vendors that are asked with the accounts' own credentials. Each has a circuit of its own: a
 * refused credential of one account stops no other account, and is told to none.
 */
export class OwnVendors {
  readonly #tools: OwnVendorsTools;
  readonly #kept = new Map<string, Kept>();

  constructor(tools: OwnVendorsTools) {
    this.#tools = tools;
  }

  /** Those of which a question is due. A credential of the service takes precedence. */
  async due(): Promise<readonly OwnVendor[]> {
    const { control, clock } = this.#tools;
    const now = clock.now();
    const except = await this.#ofService();
    if (except.length === vendors.length) return [];
    const due = await credentialsDue(control, { except, now, credentialsMax });
    const found: OwnVendor[] = [];
    for (const stored of due) {
      const kept = await this.#keptOf(stored);
      if (kept !== null) found.push(kept);
    }
    return found;
  }

  /** Notes how a vendor takes the credential, for the account that it is of. */
  async note({ accountId, active }: OwnVendor): Promise<void> {
    const kept = this.#kept.get(keyOf({ accountId, vendor: active.adapter.vendor }));
    const { state, until, reason } = active.circuit.state;
    if (kept?.active !== active) return;
    if (kept.noted.state === state && kept.noted.until === until) return;
    kept.noted = { state, until, reason };
    await recordCredentialState(this.#tools.control, kept.stored, kept.noted);
  }

  /** By this process or another one that collects. */
  async #ofService(): Promise<readonly Vendor[]> {
    const { control, clock, vendors: own } = this.#tools;
    const { vendors: known } = await collectorsHealth(control, clock);
    const others = known.filter(({ state }) => state !== "no-credential");
    return [...new Set([...own, ...others.map(({ vendor }) => vendor)])];
  }

  async #keptOf(stored: StoredCredential): Promise<Kept | null> {
    const key = keyOf(stored);
    const before = this.#kept.get(key);
    if (before?.stored.sealed.equals(stored.sealed) === true) return before;
    const adapter = this.#tools.adapters.find(({ vendor }) => vendor === stored.vendor);
    const secret = await this.#opened(stored);
    if (adapter === undefined || secret === null) return null;
    const active: ActiveVendor = {
      adapter,
      credentials: new Credentials({ [stored.vendor]: secret }),
      isOfService: false,
      circuit: new VendorCircuit(this.#tools.clock),
      concurrency: new VendorConcurrency(concurrencyOfOne),
    };
    const { accountId, state, until, reason } = stored;
    const kept = { accountId, active, stored, noted: { state, until, reason } };
    this.#kept.delete(key);
    this.#kept.set(key, kept);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > keptMax && oldest !== undefined) this.#kept.delete(oldest);
    return kept;
  }

  async #opened(stored: StoredCredential): Promise<string | null> {
    const { control, secretBox, clock } = this.#tools;
    try {
      return secretBox.open(stored.sealed, credentialOwner(stored));
    } catch (error) {
      if (!(error instanceof UnreadableSecretError)) throw error;
      const until = clock.now() + unreadableForMs;
      await recordCredentialState(control, stored, { state: "stopped", until, reason: unreadable });
      return null;
    }
  }
}

function keyOf({ accountId, vendor }: Pick<StoredCredential, "accountId" | "vendor">): string {
  return `${accountId} ${vendor}`;
}
