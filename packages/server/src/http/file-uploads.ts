import type { IncomingMessage } from "node:http";
import type { FastifyRequest } from "fastify";
import { GrowingBytes } from "../platform/growing-bytes.ts";
import { QueryQueue } from "../platform/query-queue.ts";
import { ServiceError } from "../platform/service-error.ts";
import { untilAborted } from "../platform/until-aborted.ts";
import { callerOf, endOf } from "./callers.ts";
import { noLongerGood } from "./in-flight-calls.ts";
import type { FileSize, Reply } from "./operation.ts";
import { PendingReplyBytes } from "./pending-reply-bytes.ts";

/** Of one account one after another, so that they are applied in the order in which they came. */
const accountsAtOnce = { running: Number.POSITIVE_INFINITY, runningPerAccount: 1 };
/** A file takes up to ten times its size in memory; small ones have a place that no large takes. */
const filesAtOnce = { running: 1, runningPerAccount: 1, waitingPerAccount: 1 };

/** Nobody waits for a turn longer than this. */
const turnWithinMs = 30_000;

/** Bodies that come or wait: one of the largest of each account, of three accounts at least. */
const bodiesMax = { bytes: 128 * 1024 * 1024, bytesPerAccount: 40 * 1024 * 1024 };
const bodiesDetail =
  "Too many bytes of files are being sent. Send one file after another, or retry later.";
/** Counted in pieces of so many bytes as they come, since a sender may announce any length. */
const pieceBytes = 1024 * 1024;

/** What is done with a file. */
export interface FileWork {
  readonly bytesMax: number;
  /** Whether its sender may still do anything. */
  readonly isStillGood: () => Promise<boolean>;
  readonly workOf: (bytes: number) => Promise<FileSize>;
  readonly apply: (bytes: Uint8Array<ArrayBuffer>, work: FileSize) => Promise<Reply>;
}

/** Files that are received: one is read once its sender is known, and only then waits its turn. */
export class FileUploads {
  readonly #ofAccounts = new QueryQueue({ ...accountsAtOnce, waitingPerAccount: 4 });
  readonly #ofSizes = { small: new QueryQueue(filesAtOnce), large: new QueryQueue(filesAtOnce) };
  readonly #bodies = new PendingReplyBytes(bodiesMax, bodiesDetail);

  /** @throws ServiceError payload_too_large, overloaded, or what the work throws. */
  async receive(request: FastifyRequest, work: FileWork): Promise<Reply> {
    const { accountId } = callerOf(request);
    const body = new FileBody(this.#bodies, accountId);
    try {
      const bytes = await body.read(request.raw, endOf(request), work.bytesMax);
      return await this.#inTurn(accountId, endOf(request), async (signal) => {
        const size = await work.workOf(bytes.length);
        return this.#ofSizes[size].run(accountId, signal, async () => {
          if (!(await work.isStillGood())) throw noLongerGood();
          return work.apply(bytes, size);
        });
      });
    } finally {
      body.release();
    }
  }

  async #inTurn(
    accountId: string,
    ended: AbortSignal,
    apply: (signal: AbortSignal) => Promise<Reply>,
  ): Promise<Reply> {
    const late = AbortSignal.timeout(turnWithinMs);
    try {
      const signal = AbortSignal.any([late, ended]);
      return await this.#ofAccounts.run(accountId, signal, () => apply(signal));
    } catch (error) {
      throw late.aborted && error === late.reason ? noTurn() : error;
    }
  }
}

/** The body of a file, whose bytes count as its account's until they are released. */
class FileBody {
  readonly #bodies: PendingReplyBytes;
  readonly #accountId: string;
  readonly #held: (() => void)[] = [];

  constructor(bodies: PendingReplyBytes, accountId: string) {
    this.#bodies = bodies;
    this.#accountId = accountId;
  }

  /**
   * @throws ServiceError payload_too_large, overloaded when others are being sent, or the reason of
   * the signal, without waiting for a further byte of the sender.
   */
  async read(
    raw: IncomingMessage,
    ended: AbortSignal,
    bytesMax: number,
  ): Promise<Uint8Array<ArrayBuffer>> {
    if (Number(raw.headers["content-length"]) > bytesMax) throw tooLarge(bytesMax);
    const bytes = new GrowingBytes();
    // The stream that is left is not destroyed: its sender has to get the reply.
    const chunks = raw.iterator({ destroyOnReturn: false });
    for (;;) {
      const { done, value: chunk } = await untilAborted(chunks.next(), ended);
      if (done === true) break;
      bytes.append(chunk as Buffer);
      if (bytes.length > bytesMax) throw tooLarge(bytesMax);
      while (this.#held.length * pieceBytes < bytes.length) {
        this.#held.push(this.#bodies.hold(this.#accountId, { length: pieceBytes }));
      }
    }
    return bytes.take();
  }

  release(): void {
    for (const release of this.#held) release();
  }
}

function tooLarge(bytesMax: number): ServiceError {
  const detail = `The body must be at most ${bytesMax} bytes.`;
  return new ServiceError("payload_too_large", detail);
}

function noTurn(): ServiceError {
  const detail = "Other files of this service take longer than 30 seconds. Retry later.";
  return new ServiceError("overloaded", detail, { headers: { "Retry-After": "5" } });
}
