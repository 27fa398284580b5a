import {
  type CredentialTest,
  type Vendor,
  type VendorCredential,
  vendors,
} from "@sightline/contract";
import { workspaceOf } from "../accounts/account-store.ts";
import { actingFor, type ControlEngine } from "../control/control-engine.ts";
import type { SecretBox } from "../keys/secret-box.ts";
import type { Actor } from "../platform/actor.ts";
import type { Clock } from "../platform/clock.ts";
import { ServiceError } from "../platform/service-error.ts";
import { capsOf } from "./asks.ts";
import {
  type CheckedAsk,
  checkCost,
  checkedAsks,
  checkFree,
  checkPaid,
  type FreeCheck,
  type PaidCheck,
} from "./check-vendor.ts";
import { type CollectionConfig, Credentials } from "./config.ts";
import {
  credentialOwner,
  credentialsOf,
  deleteCredential,
  saveCredential,
} from "./store/credential-store.ts";
import { bookSingle, settleSingle } from "./store/spend-ledger.ts";
import { collectorsHealth } from "./vendor-choice.ts";

/** Dependencies of the accounts' own credentials. */
export interface VendorCredentialsTools {
  readonly control: ControlEngine;
  readonly secretBox: SecretBox;
  readonly clock: Clock;
  readonly config: CollectionConfig;
}

/** An account and a vendor. */
interface Key {
  readonly accountId: string;
  readonly vendor: Vendor;
}

/** Tests that run at the same time: each keeps a connection to a vendor open. */
const testsMax = 4;

/** The accounts' own credentials of vendors: written, tested and deleted, and never read back. */
export class VendorCredentials {
  readonly #tools: VendorCredentialsTools;
  #tests = 0;

  constructor(tools: VendorCredentialsTools) {
    this.#tools = tools;
  }

  /** The vendors with a credential, in their order. */
  async list(accountId: string): Promise<readonly VendorCredential[]> {
    const { control } = this.#tools;
    const stored = await credentialsOf(control, accountId);
    const ofService = await this.#ofService();
    return vendors.flatMap((vendor) => {
      const own = stored.find((each) => each.vendor === vendor);
      if (own === undefined && !ofService.has(vendor)) return [];
      return [listed(vendor, { ofService, storedAt: own?.storedAt ?? null })];
    });
  }

  /** Stores a credential, which `credentialFault` has accepted, in place of the one before. */
  async store(key: Key, secret: string, by?: Actor): Promise<VendorCredential> {
    const { secretBox, clock } = this.#tools;
    const control = this.#for(by);
    const sealed = secretBox.seal(secret, credentialOwner(key));
    const storedAt = clock.now();
    await saveCredential(control, { ...key, sealed, storedAt });
    return listed(key.vendor, { ofService: await this.#ofService(), storedAt });
  }

  /** Control for what a caller changes; omitted: for whom it was opened. */
  #for(by: Actor | undefined): ControlEngine {
    const { control } = this.#tools;
    return by === undefined ? control : actingFor(control, by);
  }

  /** Deletes a credential. @returns what it was; null: there was none. */
  async delete(key: Key, by?: Actor): Promise<VendorCredential | null> {
    const control = this.#for(by);
    const deleted = await deleteCredential(control, key, this.#tools.clock.now());
    if (deleted === null) return null;
    const { storedAt } = deleted;
    return listed(key.vendor, { ofService: await this.#ofService(), storedAt });
  }

  /**
   * Asks a vendor with the credential that the account's sweeps use: the service's, else the
   * account's own. Null: there is none.
   * @throws ServiceError overloaded: too many tests run; invalid_request: a cap refuses it.
   */
  async test(key: Key, isPaid: boolean): Promise<CredentialTest | null> {
    const config = await this.configOf(key.accountId);
    const asked = checkedAsks(config.credentials).find(
      ({ adapter }) => adapter.vendor === key.vendor,
    );
    if (asked === undefined) return null;
    if (this.#tests >= testsMax) {
      throw new ServiceError("overloaded", "Too many credentials are being tested; retry.", {
        headers: { "Retry-After": "5" },
      });
    }
    this.#tests++;
    try {
      const free = await checkFree(config, asked.adapter);
      // A question to a vendor that refuses the credential would only fail.
      const paid =
        isPaid && free?.isKeyValid !== false ? await this.#paid(config, key, asked) : null;
      return tested(asked, { free, paid, cost: checkCost(config, asked, this.#tools.clock.now()) });
    } finally {
      this.#tests--;
    }
  }

  /**
   * The configuration that an account is asked with: its credentials fill in for the service's.
   * @throws UnreadableSecretError when one was stored under another pepper.
   */
  async configOf(accountId: string): Promise<CollectionConfig> {
    const { control, secretBox, config } = this.#tools;
    const secrets: Partial<Record<Vendor, string>> = {};
    for (const stored of await credentialsOf(control, accountId)) {
      secrets[stored.vendor] = secretBox.open(stored.sealed, credentialOwner(stored));
    }
    const credentials = new Credentials({ ...secrets, ...config.credentials.forThread() });
    return { ...config, credentials };
  }

  /** Asks one question within the account's caps, and books what it costs. */
  async #paid(config: CollectionConfig, key: Key, asked: CheckedAsk): Promise<PaidCheck> {
    const { control, clock } = this.#tools;
    const now = clock.now();
    const { most, expected } = checkCost(config, asked, now);
    const question = { ...key, provider: asked.provider, now, micros: most };
    const workspace = await workspaceOf(control, key.accountId);
    if (workspace === null) throw new ServiceError("not_found", "The account was deleted.");
    if ((await bookSingle(control, question, capsOf(workspace))) === "cap") {
      const error = { path: "/paid", code: "not_allowed", message: byCap } as const;
      throw new ServiceError("invalid_request", `/paid: ${byCap}`, { errors: [error] });
    }
    const paid = await checkPaid(config, asked);
    const spent = spentOf(paid, expected);
    if (spent !== null) await settleSingle(control, question, spent);
    return paid;
  }

  /** The vendors that some process that collects, or this one, has a credential of. */
  async #ofService(): Promise<ReadonlySet<Vendor>> {
    const { control, clock, config } = this.#tools;
    const { vendors: known } = await collectorsHealth(control, clock);
    const others = known.filter(({ state }) => state !== "no-credential");
    return new Set([...config.credentials.vendors, ...others.map(({ vendor }) => vendor)]);
  }
}

const byCap = "a cap of the account does not allow the question today.";

/** What a paid question cost; null: nobody knows, and it stays unsettled. */
function spentOf({ status, costTold, costComputed }: PaidCheck, expectedMicros: number) {
  if (status === null) return null;
  const dollars = costTold ?? costComputed;
  if (dollars !== null) {
    return { spentMicros: Math.round(dollars * 1_000_000), assumedMicros: 0 };
  }
  const assumedMicros = status >= 200 && status < 300 ? expectedMicros : 0;
  return { spentMicros: assumedMicros, assumedMicros };
}

interface ListedFrom {
  readonly ofService: ReadonlySet<Vendor>;
  readonly storedAt: number | null;
}

function listed(vendor: Vendor, { ofService, storedAt }: ListedFrom): VendorCredential {
  return {
    vendor,
    source: ofService.has(vendor) ? "environment" : "stored",
    storedAt: storedAt === null ? null : new Date(storedAt).toISOString(),
  };
}

interface Checked {
  readonly free: FreeCheck | null;
  readonly paid: PaidCheck | null;
  readonly cost: ReturnType<typeof checkCost>;
}

function tested({ adapter }: CheckedAsk, { free, paid, cost }: Checked): CredentialTest {
  const faults = [faultOf(free), paidFaultOf(paid)].filter((each) => each !== null);
  const accepted = paid?.status == null ? null : paid.status < 400;
  return {
    vendor: adapter.vendor,
    isValid: free?.isKeyValid ?? accepted,
    model: free?.model ?? null,
    isListed: free?.isListed ?? null,
    canSearch: free?.canSearch ?? null,
    citations: paid?.cited ?? null,
    fault: faults.length === 0 ? null : faults.join(" "),
    question: {
      expectedDollars: cost.expected / 1_000_000,
      mostDollars: cost.most / 1_000_000,
    },
  };
}

/** A vendor's refusal may quote the end of the credential, which nobody is shown. */
function faultOf(free: FreeCheck | null): string | null {
  if (free === null || free.fault === null) return null;
  if (free.status === null || free.status === 200) return free.fault;
  return free.isKeyValid === false
    ? `The vendor refuses the credential (HTTP ${free.status}).`
    : `The vendor replied with HTTP ${free.status}.`;
}

function paidFaultOf(paid: PaidCheck | null): string | null {
  if (paid === null || paid.status === null || ![401, 402, 403].includes(paid.status)) {
    return paid?.fault ?? null;
  }
  return `The vendor refuses the credential or the balance (HTTP ${paid.status}).`;
}
