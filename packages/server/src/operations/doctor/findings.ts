import { statSync } from "node:fs";
import { join } from "node:path";

/** A fault of a file. */
export interface Fault {
  /** From the data folder's root. */
  readonly file: string;
  readonly fault: string;
}

type Faults = readonly string[];

/** Checked files of a data folder, and their faults. */
export class Findings {
  readonly checked: string[] = [];
  readonly faults: Fault[] = [];
  readonly skipped: Fault[] = [];
  readonly #root: string;

  constructor(root: string) {
    this.#root = root;
  }

  fault(file: string, fault: string): void {
    this.faults.push({ file, fault });
  }

  skip(file: string, reason: string): void {
    this.skipped.push({ file, fault: reason });
  }

  /** Checks a file, unless it does not exist. An unreadable file is a fault. */
  async look(file: string, check: (path: string) => Faults | Promise<Faults>): Promise<boolean> {
    const path = join(this.#root, file);
    try {
      if (statSync(path, { throwIfNoEntry: false }) === undefined) return false;
    } catch (error) {
      this.fault(file, `cannot be read: ${error instanceof Error ? error.message : String(error)}`);
      return true;
    }
    this.checked.push(file);
    for (const fault of await check(path)) this.fault(file, fault);
    return true;
  }
}
