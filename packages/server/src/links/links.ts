import { createHash, randomBytes, randomUUID, timingSafeEqual } from "node:crypto";
import { type ListedLink, linkPasswordHours, scopesOfRole } from "@sightline/contract";
import type { ControlEngine } from "../control/control-engine.ts";
import type { KeyRing } from "../keys/key-ring.ts";
import { MemberDirectory } from "../people/member-directory.ts";
import type { Clock } from "../platform/clock.ts";
import { whyFailed } from "../platform/failed-work.ts";
import { hashOfPassword } from "./link-password.ts";
import type { LinkProperties } from "./link-request.ts";
import { addLink, addUses, type LinkRecord, linkById, linkByToken } from "./link-store.ts";

/** 128 bits: unlike that of a password, its plain SHA-256 cannot be inverted. */
const tokenBytes = 16;
/** As tokens are written: 16 bytes in base64url. */
const tokenShape = /^[\w-]{22}$/;
/** Uses are written once in this time. */
const writtenEveryMs = 60_000;

/** What a link needs of the service. */
export interface LinksOptions {
  readonly control: ControlEngine;
  readonly keyRing: KeyRing;
  readonly clock: Clock;
  /** Those of the service; omitted: of its own. */
  readonly members?: MemberDirectory;
}

/** A link that was made, and its token, which is visible only now. */
export interface MadeLink {
  readonly link: LinkRecord;
  readonly token: string;
}

interface UnwrittenUses {
  readonly link: Pick<LinkRecord, "accountId" | "id">;
  uses: number;
  lastUsedAt: number;
  writtenAt: number;
}

/** Makes share links, finds them by their tokens, and says which are good. */
export class Links {
  readonly #control: ControlEngine;
  readonly #keyRing: KeyRing;
  readonly #clock: Clock;
  readonly #members: MemberDirectory;
  readonly #unwritten = new Map<string, UnwrittenUses>();

  constructor({ control, keyRing, clock, members }: LinksOptions) {
    this.#control = control;
    this.#keyRing = keyRing;
    this.#clock = clock;
    this.#members = members ?? new MemberDirectory(control, keyRing);
  }

  /**
   * Makes a link.
   * @param engine control, for whom it is made.
   * @returns null: the account has as many valid links as it may.
   */
  async create(
    accountId: string,
    { password, ...wanted }: LinkProperties,
    engine: ControlEngine = this.#control,
  ): Promise<MadeLink | null> {
    const token = randomBytes(tokenBytes).toString("base64url");
    const { name, kind, view = null, reportId = null, showsEvidence = false, expiresAt } = wanted;
    const link = {
      id: randomUUID(),
      name,
      kind,
      view,
      reportId,
      showsEvidence,
      expiresAt,
      tokenHash: hashOfToken(token),
      passwordHash: password === undefined ? null : await hashOfPassword(password),
    };
    const added = await addLink(engine, accountId, link, this.#clock.now());
    return added === null ? null : { link: added, token };
  }

  /** The link of a token, even one that has ended; null: there is none. */
  async find(token: string): Promise<LinkRecord | null> {
    return tokenShape.test(token) ? linkByToken(this.#control, hashOfToken(token)) : null;
  }

  /** Whether a link is open now, read afresh: it may have been revoked by any process. */
  async isStillGood({ accountId, id }: Pick<LinkRecord, "accountId" | "id">): Promise<boolean> {
    const link = await linkById(this.#control, accountId, id);
    return link !== null && (await this.stateOf(link)) === "valid";
  }

  /** Whether a link is open, or why it is not. */
  async stateOf(link: LinkRecord): Promise<ListedLink["state"]> {
    const { revokedAt, expiresAt } = link;
    if (revokedAt !== null) return "revoked";
    if (expiresAt !== null && this.#clock.now() >= expiresAt) return "expired";
    return (await this.#isMakerGood(link)) ? "valid" : "makerEnded";
  }

  /**
   * Whether the key is good that made a link, or its person may still make one. Links are revoked
   * with a person's right, but while the disk is full a removal is not written yet.
   */
  async #isMakerGood({ accountId, keyId, createdBy: { kind, id } }: LinkRecord): Promise<boolean> {
    if (keyId !== null) return (await this.#keyRing.goodKey(keyId)) !== null;
    if (kind !== "person") return true;
    const member = id === null ? null : await this.#members.find(accountId, id);
    return member !== null && scopesOfRole[member.role].includes("manage");
  }

  /** A pass that says, to this service alone, that its browser gave the link's password. */
  passOf(link: LinkRecord): string {
    const until = Math.floor(this.#clock.now() / 1_000) + linkPasswordHours * 3_600;
    return `${until}.${this.#seal(link, until)}`;
  }

  /** Whether a pass is of this link and password, and has not ended. */
  isPass(pass: string, link: LinkRecord): boolean {
    const [, until = "", seal = ""] = /^(\d{1,12})\.([\w-]{43})$/.exec(pass) ?? [];
    if (seal === "" || this.#clock.now() >= Number(until) * 1_000) return false;
    return timingSafeEqual(Buffer.from(seal), Buffer.from(this.#seal(link, Number(until))));
  }

  /** With the password's hash, so that no pass outlives its password. */
  #seal({ id, passwordHash }: LinkRecord, until: number): string {
    const text = JSON.stringify(["share link", id, passwordHash, until]);
    return this.#keyRing.codeOf(text).toString("base64url");
  }

  /** Notes that a link was opened; written at most once a minute. */
  async noteUse({ accountId, id }: LinkRecord): Promise<void> {
    const now = this.#clock.now();
    const noted = this.#unwritten.get(id) ?? {
      link: { accountId, id },
      uses: 0,
      lastUsedAt: now,
      writtenAt: Number.NEGATIVE_INFINITY,
    };
    this.#unwritten.set(id, noted);
    noted.uses++;
    noted.lastUsedAt = now;
    if (now - noted.writtenAt >= writtenEveryMs) await this.#write(noted, now);
  }

  /** Writes the uses that are not written yet; call it often, and at the end. */
  async writeUses({ isEnd = false } = {}): Promise<void> {
    const now = this.#clock.now();
    for (const [id, noted] of this.#unwritten) {
      if (!isEnd && now - noted.writtenAt < writtenEveryMs) continue;
      if (noted.uses > 0) await this.#write(noted, now);
      else this.#unwritten.delete(id);
    }
  }

  async #write(noted: UnwrittenUses, now: number): Promise<void> {
    const { link, uses, lastUsedAt, writtenAt } = noted;
    noted.uses = 0;
    noted.writtenAt = now;
    try {
      await addUses(this.#control, link, { uses, lastUsedAt });
    } catch (error) {
      noted.uses += uses;
      noted.writtenAt = writtenAt;
      // A count must not close a page: it is written later.
      if (whyFailed(error) === "other") throw error;
    }
  }
}

/** A link as lists show it. */
export async function listedLink(links: Links, link: LinkRecord): Promise<ListedLink> {
  const { id, name, kind, view, reportId, showsEvidence, keyId, uses } = link;
  return {
    linkId: id,
    name,
    kind,
    view,
    reportId,
    showsEvidence,
    hasPassword: link.passwordHash !== null,
    createdAt: new Date(link.createdAt).toISOString(),
    createdBy: link.createdBy.name,
    keyId,
    expiresAt: dateTime(link.expiresAt),
    revokedAt: dateTime(link.revokedAt),
    lastUsedAt: dateTime(link.lastUsedAt),
    uses,
    state: await links.stateOf(link),
  };
}

function dateTime(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}

function hashOfToken(token: string): string {
  return createHash("sha256").update(token).digest("base64url");
}
