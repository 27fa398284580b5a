import { scopesOfRole } from "@sightline/contract";
import type { ControlEngine } from "../control/control-engine.ts";
import type { CallerKey } from "../http/operation.ts";
import { isWritten } from "../platform/failed-work.ts";
import { isUnseen, type Member, memberOf, noteSeen } from "./person-store.ts";

/** The most members that are cached; then the cache is emptied. */
const membersMax = 10_000;

/**
 * The members of accounts. Cached until control is written again, so that a change of a role
 * by any process takes effect with the next call.
 */
export class MemberDirectory {
  readonly #control: ControlEngine;
  /** By account and person, as of control's version `#version`; null: no member. */
  readonly #members = new Map<string, Member | null>();
  #version = "";

  constructor(control: ControlEngine) {
    this.#control = control;
  }

  /** A person in an account; null: the person does not belong to it. */
  async find(accountId: string, personId: string): Promise<Member | null> {
    const version = await this.#control.version();
    if (version !== this.#version || this.#members.size >= membersMax) this.#members.clear();
    this.#version = version;
    const place = `${accountId} ${personId}`;
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
    const place = `${member.accountId} ${member.id}`;
    const cached = this.#members.get(place);
    if (cached) this.#members.set(place, { ...cached, seenAt: now });
    await isWritten(() => noteSeen(this.#control, member, now));
  }
}

/** A member as a caller. People have no daily quota: what they ask is bounded by their hands. */
export function callerOfMember({ id, name, accountId, role }: Member): CallerKey {
  const scopes = scopesOfRole[role];
  return { kind: "person", id, name, accountId, scopes, ratePerSecond: null, dailyQuota: "off" };
}
