import { statSync } from "node:fs";
import type { AccountFiles } from "../platform/data-folder.ts";

/**
 * Tells cheaply whether an account's record may have changed since it was last asked: by the size
 * and time of its files, without opening them, so that thousands of idle accounts cost little.
 */
export class RecordWatch {
  readonly #seen = new Map<string, string>();

  /**
   * True when the record may have new answers. A file that changed within `hotMs` of now counts as
   * changed: two commits within one tick of the file system's clock may look alike.
   */
  mayHaveChanged(accountId: string, files: AccountFiles, nowMs: number): boolean {
    const stats = [files.answers, `${files.answers}-wal`].map((path) =>
      statSync(path, { throwIfNoEntry: false }),
    );
    const stamp = stats.map((stat) => `${stat?.ino}/${stat?.size}/${stat?.mtimeMs}`).join();
    const hot = stats.some((stat) => stat !== undefined && nowMs - stat.mtimeMs < hotMs);
    const changed = hot || this.#seen.get(accountId) !== stamp;
    this.#seen.set(accountId, stamp);
    return changed;
  }

  /** Makes the record count as changed at the next look. */
  forget(accountId: string): void {
    this.#seen.delete(accountId);
  }
}

const hotMs = 2_000;
