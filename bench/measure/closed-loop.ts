import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";

/** A request that is sent again and again, on each connection as soon as it was answered. */
export interface ClosedLoop {
  /** Base address. */
  readonly url: string;
  readonly path: string;
  /** Null: no session. */
  readonly token: string | null;
  readonly body: object;
  readonly connections: number;
  readonly seconds: number;
}

/** What came back. */
export interface ClosedLoopResult {
  readonly replies: number;
  readonly seconds: number;
}

/** Runs a closed loop in a process of its own. @throws when a reply was no 200. */
export async function closedLoop(plan: ClosedLoop): Promise<ClosedLoopResult> {
  const child = fork(join(import.meta.dirname, "closed-loop-process.ts"));
  const exited = once(child, "exit");
  child.send(plan);
  const [result] = (await Promise.race([once(child, "message"), exited])) as [
    ClosedLoopResult | { readonly failure: string } | number | null,
  ];
  if (typeof result === "object" && result !== null && "replies" in result) {
    await exited;
    return result;
  }
  throw new Error(`the closed loop failed: ${JSON.stringify(result)}`);
}
