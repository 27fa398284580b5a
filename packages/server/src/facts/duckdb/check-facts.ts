import type { RecordMark } from "../../answers/answer-store.ts";
import { factsVersion } from "../snapshot.ts";
import { Engine } from "./engine.ts";
import { readState } from "./facts-file.ts";
import { factsTables } from "./layout.ts";

/** What a check of an account's facts found. */
export interface FactsCheck {
  /** What is wrong; null: nothing. */
  readonly fault: string | null;
  /** Up to which answer of which record they go; null: the fault prevents to know. */
  readonly mark: RecordMark | null;
}

/**
 * Reads every block of an account's facts, and with it its checksum. The file is not changed; no
 * engine of this process may have it open.
 */
export async function checkFacts(path: string): Promise<FactsCheck> {
  let engine: Engine | null = null;
  try {
    engine = await Engine.open(path, "READ_ONLY");
    const { snapshot, mark } = await readState(engine);
    // Facts of another version are rebuilt: it is enough that they say so.
    const tables = snapshot.factsVersion === factsVersion ? factsTables : [];
    for (const table of tables) {
      // The hash of whole rows makes the engine read every column.
      await engine.writer.run(`select bit_xor(hash(${table})) from ${table}`);
    }
    return { fault: null, mark };
  } catch (error) {
    const [fault = ""] = (error instanceof Error ? error.message : String(error)).split("\n");
    return { fault, mark: null };
  } finally {
    engine?.close();
  }
}
