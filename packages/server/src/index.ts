// What serves. What works on the data folder alone has entries of its own in package.json: so a
// command loads what it needs, and an import neither the engine nor HTTP.
export type { DocumentFolders } from "./http/documents/documents.ts";
export { type RunningServer, startServer } from "./server.ts";
export { DataFolderInUseError } from "./services.ts";
