import { spawnSync } from "node:child_process";
import type { TestContext } from "node:test";

/**
 * Whether a tool that snippets use is on this machine. If not, the run's last lines say so.
 * @throws in CI, where nothing may be missing.
 */
export function hasTool(t: TestContext, name: string): boolean {
  if (spawnSync("sh", ["-c", `command -v ${name}`]).status === 0) return true;
  const say = `NOT TESTED: snippets of the documents that need ${name}, which is missing`;
  if (process.env["CI"] === "true") throw new Error(say);
  t.diagnostic(say);
  return false;
}
