import { availableParallelism, cpus, totalmem } from "node:os";

/** What a result was measured on. */
export interface Machine {
  readonly processor: string;
  readonly cores: number;
  readonly memoryGb: number;
  readonly node: string;
  /** The day of the measurement, UTC. */
  readonly day: string;
}

/** This machine, today. */
export function thisMachine(): Machine {
  return {
    processor: cpus()[0]?.model.trim() ?? "unknown",
    cores: availableParallelism(),
    memoryGb: Math.round(totalmem() / 1024 ** 3),
    node: process.versions.node,
    day: new Date().toISOString().slice(0, 10),
  };
}
