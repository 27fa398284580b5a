import { scopesOfRole } from "@sightline/contract";
import type { ControlEngine } from "../control/control-engine.ts";
import type { CallerKey } from "../http/operation.ts";
import type { KeyRing } from "../keys/key-ring.ts";
import { isWritten, whyFailed } from "../platform/failed-work.ts";
import { ServiceError } from "../platform/service-error.ts";
import { type ChangedMember, removePerson } from "./memberships.ts";
import {
  accountsOfPerson,
  isUnseen,
  type Member,
  memberOf,
  noteSeen,
  type PersonAccount,
} from "./person-store.ts";

/** The most members that are cached; then the cache is emptied. */
const membersMax = 10_000;

const refusedHere =
  "No space is left to write the removal. This process refuses the person from now on, and " +
  "writes it when there is space; if it stops before, remove the person again.";

/** A removal that could not be written yet. */
interface RefusedMember {
  /** Control, for whom the person is removed. */
  readonly engine: ControlEngine;
  readonly accountId: string;
  readonly personId: string;
}

/**
 * The members of accounts. Cached until control is written again, so that a change of a role
 * by any process takes effect with the next call.
 */
export class MemberDirectory {
  readonly #control: ControlEngine;
  readonly #keyRing: Pick<KeyRing, "refuseAllOf">;
  /** By account and person. */
  readonly #refused = new Map<string, RefusedMember>();
  /** By account and person, as of control's version `#version`; null: no member. */
  readonly #members = new Map<string, Member | null>();
  #version = "";

  constructor(control: ControlEngine, keyRing: Pick<KeyRing, "refuseAllOf">) {
    this.#control = control;
    this.#keyRing = keyRing;
  }

  /** A person in an account; null: the person does not belong to it. */
  async find(accountId: string, personId: string): Promise<Member | null> {
    const version = await this.#control.version();
    if (version !== this.#version || this.#members.size >= membersMax) this.#members.clear();
    this.#version = version;
    const place = placeOf({ accountId, personId });
    if (this.#refused.has(place)) return null;
    const known = this.#members.get(place);
    if (known !== undefined) return known;
    const member = await memberOf(this.#control, accountId, personId);
    const isCurrent = (await this.#control.version()) === version;
    if (isCurrent && this.#version === version) this.#members.set(place, member);
    return member;
  }

  /** Notes that a member asked; written once an hour, and not while the disk is full. */
  async noteSeen(member: Member, now: number): Promise<void> {
    if (!isUnseen(member, now)) return;
    const place = placeOf({ accountId: member.accountId, personId: member.id });
    const cached = this.#members.get(place);
    if (cached) this.#members.set(place, { ...cached, seenAt: now });
    await isWritten(() => noteSeen(this.#control, member, now));
  }

  /** The accounts of a person, by name. */
  async accountsOf(personId: string): Promise<readonly PersonAccount[]> {
    const accounts = await accountsOfPerson(this.#control, personId);
    return accounts.filter(({ id }) => !this.#refused.has(placeOf({ accountId: id, personId })));
  }

  /**
   * Removes a person from an account, with the person's keys of it. Nobody stays because a disk is
   * full: then this process refuses the person immediately and writes the removal later.
   * @param engine control, for whom the person is removed.
   * @returns null: no such person belongs to the account.
   * @throws ServiceError invalid_request; storage_full when the removal could not be written.
   */
  async remove(
    engine: ControlEngine,
    accountId: string,
    { personId, now }: { readonly personId: string; readonly now: number },
  ): Promise<ChangedMember | null> {
    try {
      return await removePerson(engine, accountId, { personId, now });
    } catch (error) {
      if (whyFailed(error) !== "disk-full") throw error;
      const refused = { engine, accountId, personId };
      this.#refused.set(placeOf(refused), refused);
      await this.#keyRing.refuseAllOf(refused);
      throw new ServiceError("storage_full", refusedHere);
    }
  }

  /** Retries the removals that could not be written; call it often. */
  async writeRemovals(now: number): Promise<void> {
    for (const [place, { engine, accountId, personId }] of this.#refused) {
      try {
        await removePerson(engine, accountId, { personId, now });
      } catch (error) {
        if (whyFailed(error) === "disk-full") return;
        // Of two owners who removed each other, one stays.
        if (!(error instanceof ServiceError)) throw error;
      }
      this.#refused.delete(place);
    }
  }
}

function placeOf({ accountId, personId }: Pick<RefusedMember, "accountId" | "personId">): string {
  return `${accountId} ${personId}`;
}

/** A member as a caller. People have no daily quota: what they ask is bounded by their hands. */
export function callerOfMember({ id, name, accountId, role }: Member): CallerKey {
  const scopes = scopesOfRole[role];
  return { kind: "person", id, name, accountId, scopes, ratePerSecond: null, dailyQuota: "off" };
}
