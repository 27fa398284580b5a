export { decompressed } from "./answers/intake/decompress.ts";
export {
  type ImportTally,
  importAnswers,
  type RejectedLine,
} from "./answers/intake/import-answers.ts";
export {
  type Config,
  ConfigError,
  type GivenSettings,
  readConfig,
  type Setting,
  settings,
} from "./config.ts";
export type { ApplyReport } from "./control/apply-workspace.ts";
export type { KeyRecord } from "./control/key-store.ts";
export {
  readWorkspaceFile,
  WorkspaceFileError,
} from "./control/workspace-file/read-workspace-file.ts";
export type { Clock } from "./platform/clock.ts";
export { type RunningServer, startServer } from "./server.ts";
export { DataFolderInUseError, openStorage, type Storage } from "./services.ts";
