import type { IncomingMessage, Server } from "node:http";
import type { Clock } from "../platform/clock.ts";

/** A body comes within this time; of a stream of answers, the least that it brings. */
export const bodyWithinMs = 30_000;

/** What a stream of answers brings in that time; a modem sends six times as much. */
export const streamBytesMin = 32_768;

/** A stream of answers ends within this time; Node itself looks after it. */
export const requestWithinMs = 3_600_000;

interface Coming {
  readonly isStream: boolean;
  /** What was read of the connection when it had last brought enough. */
  bytesRead: number;
  sinceMs: number;
}

/** Refuses requests whose bodies come too slowly. */
export class SlowBodies {
  readonly #clock: Clock;
  readonly #coming = new Map<IncomingMessage, Coming>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** A request whose head has come. */
  add(request: IncomingMessage, { isStream }: { readonly isStream: boolean }): void {
    if (request.complete) return;
    const { bytesRead } = request.socket;
    this.#coming.set(request, { isStream, bytesRead, sinceMs: this.#clock.elapsed() });
  }

  /** To be called often: refuses as the HTTP parser refuses a head that is late. */
  refuseLate(server: Server): void {
    const nowMs = this.#clock.elapsed();
    for (const [request, coming] of this.#coming) {
      const { bytesRead, destroyed } = request.socket;
      if (request.complete || destroyed) this.#coming.delete(request);
      else if (coming.isStream && (isEnough(bytesRead, coming) || isUnread(request))) {
        coming.bytesRead = bytesRead;
        coming.sinceMs = nowMs;
      } else if (nowMs - coming.sinceMs >= bodyWithinMs) {
        this.#coming.delete(request);
        const late = Object.assign(new Error("the body is late"), {
          code: "ERR_HTTP_REQUEST_TIMEOUT",
        });
        server.emit("clientError", late, request.socket);
      }
    }
  }
}

function isEnough(bytesRead: number, coming: Coming): boolean {
  return bytesRead - coming.bytesRead >= streamBytesMin;
}

/** What came is not taken yet: it is not the sender who is slow, but a record that is locked. */
function isUnread({ readableLength }: IncomingMessage): boolean {
  return readableLength > 0;
}
