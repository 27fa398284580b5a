import type { Command } from "commander";
import type { CommandIo } from "./command-io.ts";

/** A command that is loaded when it is asked for. */
export interface LoadedLater {
  /** What it does, in the list of commands and in its own help. */
  readonly description: string;
  readonly load: (io: CommandIo) => Promise<Command>;
}

/** Every command by name, in the order of the help. Each loads only what it needs. */
export const commands: Readonly<Record<string, LoadedLater>> = {
  demo: {
    description: "serve a year of generated demo answers",
    load: async () => (await import("./commands/demo.ts")).demoCommand(),
  },
  serve: {
    description: "serve the HTTP interface",
    load: async () => (await import("./commands/serve.ts")).serveCommand(),
  },
  migrate: {
    description: "create or update the tables of ClickHouse and PostgreSQL; safe to repeat",
    load: async () => (await import("./commands/migrate.ts")).migrateCommand(),
  },
  apply: {
    description: "make accounts track exactly what workspace files (YAML or JSON) say",
    load: async () => (await import("./commands/apply.ts")).applyCommand(),
  },
  accounts: {
    description: "list accounts, and delete one for good",
    load: async () => (await import("./commands/accounts.ts")).accountsCommand(),
  },
  import: {
    description: "record answers from NDJSON or CSV files: plain, .gz or .zst",
    load: async () => (await import("./commands/import.ts")).importCommand(),
  },
  imports: {
    description: "list imports, and undo one",
    load: async () => (await import("./commands/imports.ts")).importsCommand(),
  },
  answers: {
    description: "remove recorded answers",
    load: async () => (await import("./commands/answers.ts")).answersCommand(),
  },
  labels: {
    description: "draw answers to read, import and export what people say of them",
    load: async () => (await import("./commands/labels.ts")).labelsCommand(),
  },
  collect: {
    description: "ask the providers, by schedule or now",
    load: async () => (await import("./commands/collect.ts")).collectCommand(),
  },
  portray: {
    description: "have a model of your own read what answers say of each entity",
    load: async () => (await import("./commands/portray.ts")).portrayCommand(),
  },
  keys: {
    description: "create, list and revoke API keys",
    load: async () => (await import("./commands/keys.ts")).keysCommand(),
  },
  people: {
    description: "invite people, set their roles, remove them",
    load: async () => (await import("./commands/people.ts")).peopleCommand(),
  },
  hooks: {
    description: "create, list, test and delete webhooks",
    load: async () => (await import("./commands/hooks.ts")).hooksCommand(),
  },
  links: {
    description: "create, list and revoke share links: a view for people without a key",
    load: async () => (await import("./commands/links.ts")).linksCommand(),
  },
  audit: {
    description: "list, export and verify who changed what",
    load: async () => (await import("./commands/audit.ts")).auditCommand(),
  },
  reports: {
    description: "make, list and save reports: pages of numbers that never change",
    load: async () => (await import("./commands/reports.ts")).reportsCommand(),
  },
  backup: {
    description:
      "back up control, all records and the pepper to one file; works while a server runs",
    load: async () => (await import("./commands/backup.ts")).backupCommand(),
  },
  restore: {
    description: "create a data folder from a backup",
    load: async () => (await import("./commands/restore.ts")).restoreCommand(),
  },
  export: {
    description: "write one account to a file, for import-account; works while a server runs",
    load: async () => (await import("./commands/export.ts")).exportCommand(),
  },
  "import-account": {
    description: "create an account from a file that export wrote; works while a server runs",
    load: async () => (await import("./commands/import-account.ts")).importAccountCommand(),
  },
  freeze: {
    description:
      "write the numbers of a range and all that they rest on to one signed file; works while a " +
      "server runs",
    load: async () => (await import("./commands/freeze.ts")).freezeCommand(),
  },
  verify: {
    description: "check a file that freeze wrote and compute its numbers again; needs no service",
    load: async () => (await import("./commands/verify.ts")).verifyCommand(),
  },
  doctor: {
    description: "check every file of the data folder, or every engine of a cluster; only reads",
    load: async () => (await import("./commands/doctor.ts")).doctorCommand(),
  },
  rebuild: {
    description:
      "drop facts, so that they are rebuilt from the record; stop a data folder's server first",
    load: async () => (await import("./commands/rebuild.ts")).rebuildCommand(),
  },
  query: {
    description: "query a service: tables and charts on a terminal, JSON in a pipe",
    load: async (io) => (await import("./commands/query.ts")).queryCommand(io),
  },
  plan: {
    description: "how many prompts and answers show a change, and what they cost",
    load: async (io) => (await import("./commands/plan.ts")).planCommand(io),
  },
  login: {
    description:
      "store a service's address and API key in a profile; prompts for them on a terminal",
    load: async (io) => (await import("./commands/login.ts")).loginCommand(io),
  },
  logout: {
    description: "remove a profile and its key from this machine; the key itself stays valid",
    load: async (io) => (await import("./commands/logout.ts")).logoutCommand(io),
  },
  mcp: {
    description:
      "serve tools to an assistant over standard input and output (Model Context Protocol)",
    load: async (io) => (await import("./commands/mcp.ts")).mcpCommand(io),
  },
};
