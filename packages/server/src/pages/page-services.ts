import type { ConsoleFiles } from "./console-files.ts";
import type { Documents } from "./documents.ts";

/** What pages are made of. */
export interface PageServices {
  readonly documents: Documents;
  readonly consoleFiles: ConsoleFiles;
}
