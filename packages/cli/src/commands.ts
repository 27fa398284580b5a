import type { Command } from "commander";
import type { Surroundings } from "./surroundings.ts";

type LoadCommand = (surroundings: Surroundings) => Promise<Command>;

/** Every command by name, in the order of the help. Each loads only what it needs. */
export const commands: Readonly<Record<string, LoadCommand>> = {
  demo: async () => (await import("./commands/demo.ts")).demoCommand(),
  serve: async () => (await import("./commands/serve.ts")).serveCommand(),
  migrate: async () => (await import("./commands/migrate.ts")).migrateCommand(),
  apply: async () => (await import("./commands/apply.ts")).applyCommand(),
  accounts: async () => (await import("./commands/accounts.ts")).accountsCommand(),
  import: async () => (await import("./commands/import.ts")).importCommand(),
  imports: async () => (await import("./commands/imports.ts")).importsCommand(),
  answers: async () => (await import("./commands/answers.ts")).answersCommand(),
  collect: async () => (await import("./commands/collect.ts")).collectCommand(),
  keys: async () => (await import("./commands/keys.ts")).keysCommand(),
  hooks: async () => (await import("./commands/hooks.ts")).hooksCommand(),
  backup: async () => (await import("./commands/backup.ts")).backupCommand(),
  restore: async () => (await import("./commands/restore.ts")).restoreCommand(),
  export: async () => (await import("./commands/export.ts")).exportCommand(),
  "import-account": async () =>
    (await import("./commands/import-account.ts")).importAccountCommand(),
  doctor: async () => (await import("./commands/doctor.ts")).doctorCommand(),
  rebuild: async () => (await import("./commands/rebuild.ts")).rebuildCommand(),
  query: async (surroundings) => (await import("./commands/query.ts")).queryCommand(surroundings),
  login: async (surroundings) => (await import("./commands/login.ts")).loginCommand(surroundings),
  logout: async (surroundings) =>
    (await import("./commands/logout.ts")).logoutCommand(surroundings),
  mcp: async (surroundings) => (await import("./commands/mcp.ts")).mcpCommand(surroundings),
};
