import { checkSqlite } from "../platform/check-sqlite.ts";

/** What is wrong with control: the engine's own check of structure and references. */
export function checkControl(path: string): readonly string[] {
  return checkSqlite(path, () => []);
}
