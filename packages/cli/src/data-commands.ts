import type { Command } from "commander";
import { applyCommand } from "./commands/apply.ts";
import { backupCommand } from "./commands/backup.ts";
import { demoCommand } from "./commands/demo.ts";
import { doctorCommand } from "./commands/doctor.ts";
import { importCommand } from "./commands/import.ts";
import { keysCommand } from "./commands/keys.ts";
import { rebuildCommand } from "./commands/rebuild.ts";
import { restoreCommand } from "./commands/restore.ts";
import { serveCommand } from "./commands/serve.ts";

/** The commands that work on a data folder, and so load the server's engines. */
export const dataCommands: readonly (() => Command)[] = [
  demoCommand,
  serveCommand,
  applyCommand,
  importCommand,
  keysCommand,
  backupCommand,
  restoreCommand,
  doctorCommand,
  rebuildCommand,
];
