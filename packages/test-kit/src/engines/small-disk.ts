import { spawnSync } from "node:child_process";
import { closeSync, openSync, rmSync, statfsSync, writeSync } from "node:fs";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { temporaryFolder } from "../test-service.ts";

/** A disk of 64 MB in memory; null, said plainly, where this process may not mount one. */
export function smallDisk(t: TestContext): string | null {
  const folder = temporaryFolder();
  const mounted = spawnSync("mount", ["-t", "tmpfs", "-o", "size=64m", "tmpfs", folder]);
  t.after(() => {
    if (mounted.status === 0) spawnSync("umount", ["-l", folder]);
    rmSync(folder, { recursive: true, force: true });
  });
  if (mounted.status === 0) return folder;
  t.diagnostic("NOT TESTED: this process may not mount a tmpfs (root is needed)");
  return null;
}

/** Fills a small disk with one file, whose path it returns. */
export function filledUp(disk: string): string {
  const ballast = join(disk, "ballast");
  const file = openSync(ballast, "w");
  const { bsize } = statfsSync(disk);
  while (statfsSync(disk).bavail > 0) writeSync(file, Buffer.alloc(bsize));
  closeSync(file);
  return ballast;
}
