import type { AnswerStore } from "./answers/answer-store.ts";
import { sqliteAnswerStore } from "./answers/sqlite/sqlite-answer-store.ts";
import { KeyRing } from "./auth/key-ring.ts";
import { readPepper } from "./auth/pepper.ts";
import { type Control, openControl } from "./control/control.ts";
import { type Clock, systemClock } from "./platform/clock.ts";
import { type DataFolder, openDataFolder } from "./platform/data-folder.ts";

/** What the commands that write the data folder need; several processes may have it at once. */
export interface Storage {
  readonly folder: DataFolder;
  readonly control: Control;
  readonly answers: AnswerStore;
  readonly keyRing: KeyRing;
  readonly clock: Clock;
  readonly close: () => Promise<void>;
}

/** Opens a data folder, which is made when it is absent. */
export async function openStorage(dataDir: string, clock: Clock = systemClock): Promise<Storage> {
  const folder = openDataFolder(dataDir);
  const control = await openControl(folder.control, clock);
  const answers = sqliteAnswerStore(folder, clock);
  return {
    folder,
    control,
    answers,
    keyRing: new KeyRing(control, readPepper(folder.pepper), clock),
    clock,
    close: async () => {
      answers.close();
      await control.close();
    },
  };
}
