export { decompressed } from "./answers/intake/decompress.ts";
export {
  type ImportTally,
  importAnswers,
  type RejectedLine,
} from "./answers/intake/import-answers.ts";
export { rotateSigningKey } from "./auth/signing-keys.ts";
export { backup } from "./backup/backup.ts";
export { RestoreError, restore } from "./backup/restore.ts";
export {
  type Config,
  ConfigError,
  type GivenSettings,
  quotaSchema,
  rateSchema,
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
export { type Diagnosis, diagnose } from "./doctor/doctor.ts";
export type { DocumentFolders } from "./http/documents/documents.ts";
export type { Clock } from "./platform/clock.ts";
export { type DataFolder, openDataFolder } from "./platform/data-folder.ts";
export { takeExclusiveLock } from "./platform/sqlite.ts";
export { type RunningServer, startServer } from "./server.ts";
export { DataFolderInUseError, openStorage, type Storage } from "./services.ts";
