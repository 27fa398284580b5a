import { join } from "node:path";
import type { PeerName } from "../peers/peer.ts";

/** How a run was asked for. */
export interface BenchOptions {
  /** Where workloads are filled, and kept for the next run. */
  readonly folder: string;
  readonly peers: readonly PeerName[];
  /** Fills again what is there. */
  readonly refill: boolean;
  /** The share of each workload that is generated. */
  readonly scale: number;
  /** Only questions whose names match are asked, and nothing is written. */
  readonly only: RegExp | null;
  /** How often the service is asked each question. */
  readonly times: number;
}

/** Where one thing of a workload is kept. */
export function keptFolder(options: BenchOptions, workloadName: string, thing: string): string {
  return join(options.folder, workloadName, thing);
}

/** Tells how far a run is. */
export function say(line: string): void {
  process.stderr.write(`${line}\n`);
}
