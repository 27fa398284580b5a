import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import type { AnswerStore } from "./answers/answer-store.ts";
import { openAnswerStore } from "./answers/open-answer-store.ts";
import { KeyRing } from "./auth/key-ring.ts";
import { makePepper, readPepper } from "./auth/pepper.ts";
import { type Control, type ControlOptions, openControl } from "./control/control.ts";
import { type Clock, systemClock } from "./platform/clock.ts";
import { accountsName, type DataFolder, openDataFolder } from "./platform/data-folder.ts";
import { requireServedFiles } from "./platform/served-files.ts";

/** What the commands that write the data folder need; several processes may have it open. */
export interface Storage {
  readonly folder: DataFolder;
  readonly control: Control;
  readonly answers: AnswerStore;
  readonly keyRing: KeyRing;
  readonly clock: Clock;
  /** @throws when what was written did not reach the server that runs on the folder. */
  readonly confirm: () => void;
  readonly close: () => Promise<void>;
}

/**
 * Opens a data folder, which is made when it is absent.
 * @throws when control or the pepper was lost: a new one would make all else in the folder useless;
 * when a server on the folder has other files open.
 */
export async function openStorage(
  dataDir: string,
  clock: Clock = systemClock,
  options?: ControlOptions,
): Promise<Storage> {
  const folder = openDataFolder(dataDir);
  requireServedFiles(folder);
  refuseLostControl(folder);
  const control = await openControl(folder.control, clock, options);
  try {
    const answers = openAnswerStore({ dataDir }, clock);
    return {
      folder,
      control,
      answers,
      keyRing: new KeyRing(control, await pepperOf(folder, control), clock),
      clock,
      confirm: () => requireServedFiles(folder),
      close: async () => {
        await answers.close();
        await control.close();
      },
    };
  } catch (error) {
    await control.close();
    throw error;
  }
}

/** Accounts' folders and the pepper are made after control: without control it was lost. */
function refuseLostControl({ root, control, pepper }: DataFolder): void {
  const hasPepper = existsSync(pepper); // first: another process may make both meanwhile
  const size = statSync(control, { throwIfNoEntry: false })?.size ?? null;
  if (size !== null && size > 0) return;
  const accounts = readdirSync(join(root, accountsName)).length;
  if (accounts === 0 && !hasPepper) return;
  const rest =
    accounts === 0
      ? `${pepper} is there, which is made after it`
      : `${join(root, accountsName)} holds the answers of accounts (${accounts})`;
  throw new Error(
    `${control} is ${size === null ? "missing" : "empty"}, but ${rest}. Restore a backup into a ` +
      "new folder (sightline restore), or give --data-dir a new folder to begin anew.",
  );
}

async function pepperOf({ pepper }: DataFolder, control: Control): Promise<Buffer> {
  const found = readPepper(pepper);
  if (found !== null) return found;
  const { length } = await control.keys(null);
  if (length === 0) return makePepper(pepper);
  // Another process may have made the pepper, and its first key, since it was looked for.
  const made = readPepper(pepper);
  if (made !== null) return made;
  throw new Error(
    `${pepper} is missing, but keys exist (${length}), and no key works under another pepper. ` +
      "Put back the pepper of a backup (tar --zstd -xf BACKUP pepper).",
  );
}
