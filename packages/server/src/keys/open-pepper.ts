import { rmSync } from "node:fs";
import type { ControlEngine } from "../control/control-engine.ts";
import type { DataFolder } from "../platform/data-folder.ts";
import { keysOf } from "./key-store.ts";
import { fingerprintOf, makePepper, readPepper } from "./pepper.ts";

/**
 * The pepper of a data folder, made where there are neither keys nor a pepper.
 * @throws when it was lost: no key works under another one.
 */
export async function pepperOf({ pepper }: DataFolder, control: ControlEngine): Promise<Buffer> {
  const found = readPepper(pepper);
  if (found !== null) return found;
  const { length } = await keysOf(control, null);
  if (length === 0) return makePepper(pepper);
  // Another process may have made the pepper, and its first key, since it was looked for.
  const made = readPepper(pepper);
  if (made !== null) return made;
  throw new Error(
    `${pepper} is missing, but keys exist (${length}), and no key works under another pepper. ` +
      "Put back the pepper of a backup (tar --zstd -xf BACKUP pepper).",
  );
}

/**
 * The pepper of a node, which is that of all nodes. The first node makes it.
 * @throws when it is missing or another one: what to copy, and where to.
 */
export async function pepperOfNode(
  { pepper }: DataFolder,
  control: ControlEngine,
): Promise<Buffer> {
  const found = readPepper(pepper);
  const { length: keys } = found === null ? await keysOf(control, null) : [];
  if (keys > 0) throw new Error(missing(pepper));
  const own = found ?? makePepper(pepper);
  if (await control.claimPepper(fingerprintOf(own))) return own;
  if (found !== null) {
    throw new Error(
      `${pepper} is not the pepper of the other nodes, and no key works under another one. ` +
        `Replace it by the file \`pepper\` from the data folder of another node.`,
    );
  }
  // Made in vain: the next start must not take it for one that somebody put there.
  rmSync(pepper, { force: true });
  throw new Error(missing(pepper));
}

function missing(path: string): string {
  return (
    `${path} is missing, but the other nodes have a pepper, and no key works under another one. ` +
    "Copy the file `pepper` from the data folder of another node, or from a backup, to there."
  );
}
