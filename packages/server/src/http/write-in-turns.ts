import { inTurns } from "../platform/turns.ts";
import type { ReplyCall } from "./route.ts";

/** A reply whose facts are there, and that may take long to write. */
export interface Writing {
  /** The most bytes that it takes, about. */
  readonly bytesMost: number;
  /** Writes it; may be paused at each step. */
  readonly steps: Iterator<void, Buffer>;
}

/**
 * Writes a reply in turns of the event loop. Memory for it is reserved before.
 * @throws ServiceError overloaded when too many bytes of replies are under way.
 */
export function writeInTurns(
  { services: { repliesUnderWay }, accountId, signal }: ReplyCall,
  { bytesMost, steps }: Writing,
): Promise<Buffer> {
  const release = repliesUnderWay.hold(accountId, { length: bytesMost });
  return inTurns(steps, signal).finally(release);
}
