import type { Vendor } from "@sightline/contract";

/** What a vendor replied when it was asked for an answer, as it is kept beside the record. */
export interface RawReply {
  /** In lower case. The answer may not be recorded yet. */
  readonly answerId: string;
  readonly vendor: Vendor;
  /** When the last reply came, in milliseconds since 1970. */
  readonly at: number;
  /** The exchanges, in order, as JSON compressed with zstd; at most `rawBytesMax`. */
  readonly body: Uint8Array;
}

/** Some of the replies that were asked for. */
export interface RawReplies {
  /** By id; those that are not kept are left out. */
  readonly replies: readonly RawReply[];
  /** The ids that were not looked at, since the others are large. */
  readonly unread: readonly string[];
}

/**
 * The instant of what does not age: a removal of old replies leaves what was kept then, unless it
 * is said to begin there.
 */
export const unagingAt = 0;

/** The most bytes of one body. A reply has at most 10 MB before it is compressed. */
export const rawBytesMax = 10 * 1024 * 1024;

/** One read returns about this much at most, regardless of its limit. */
export const rawReadBytesMax = 32 * 1024 * 1024;

/** @throws RangeError when it cannot be kept: a fault of the caller. */
export function requireKeepable({ at, body }: RawReply): void {
  if (!Number.isSafeInteger(at) || at < 0) throw new RangeError(`${at} is not an instant`);
  if (body.length <= rawBytesMax) return;
  const message = `a raw reply has at most ${rawBytesMax} bytes, and this one has ${body.length}`;
  throw new RangeError(message);
}
