import assert from "node:assert/strict";
import type { RunningCommand } from "@sightline/test-kit/command.ts";

/** The longest delay of a kill: the first one is sure to meet the command at its work. */
export function longest(round: number, aloneMs: number): number {
  return aloneMs * (round === 0 ? 0.2 : 1.1);
}

/** When a command is killed: so long after `began` says that it is at its work. */
export interface KillMoment {
  readonly began: () => boolean;
  readonly delayMs: number;
}

/** @returns whether the kill met it; it must otherwise have succeeded. */
export async function killedAfter(command: RunningCommand, { began, delayMs }: KillMoment) {
  const stop = whenBegun(began, () => {
    const timer = setTimeout(() => command.process.kill("SIGKILL"), delayMs);
    return () => clearTimeout(timer);
  });
  const { signal, status, stderr } = await command.finished;
  stop();
  if (signal !== "SIGKILL") assert.equal(status, 0, stderr);
  return signal === "SIGKILL";
}

/** How long a command takes from the beginning of its work to its end, in ms. */
export async function timeSince(began: () => boolean, command: RunningCommand): Promise<number> {
  let started = performance.now();
  const stop = whenBegun(began, () => {
    started = performance.now();
    return () => undefined;
  });
  await succeeds(command);
  stop();
  return performance.now() - started;
}

function whenBegun(began: () => boolean, then: () => () => void): () => void {
  let cancel: (() => void) | null = null;
  const timer = setInterval(() => {
    if (cancel === null && began()) cancel = then();
  }, 1);
  return () => {
    clearInterval(timer);
    cancel?.();
  };
}

/** @throws when a command fails. */
export async function succeeds({ finished }: RunningCommand): Promise<void> {
  const { status, stderr } = await finished;
  assert.equal(status, 0, stderr);
}
