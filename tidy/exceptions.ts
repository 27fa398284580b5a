/** A breach that is allowed, with its reason. */
export interface Exception {
  /** The rule's name, as in tidy/README.md. */
  readonly rule: string;
  readonly path: string;
  /** What inside the file is meant (a function's name). Without it, the whole file. */
  readonly subject?: string;
  /** For a rule with a limit: the figure that is allowed instead. It only ever goes down. */
  readonly atMost?: number;
  /** Why the rule is wrong here. "Too much work" is not a reason. */
  readonly reason: string;
}

/** Every allowed breach. One that is no longer needed fails its rule's test. */
export const exceptions: readonly Exception[] = [
  {
    rule: "layers",
    path: "packages/server/src/control/migrations.ts",
    reason: "One list orders the migrations of all capabilities, as Kysely applies them.",
  },
  {
    rule: "layers",
    path: "packages/server/src/control/schema.ts",
    reason: "One type names the tables of all capabilities, so that a statement may join them.",
  },
  {
    rule: "layers",
    path: "packages/server/src/accounts/apply-workspace.ts",
    reason: "A change of a workspace and the check of its schedule are one transaction.",
  },
  {
    rule: "layers",
    path: "packages/server/src/accounts/apply-worker.ts",
    reason: "The entry of a thread, which opens what it works with: a composition of its own.",
  },
  {
    rule: "layers",
    path: "packages/server/src/questions/preview/preview-worker.ts",
    reason: "The entry of a thread, which opens what it works with: a composition of its own.",
  },
  {
    rule: "layers",
    path: "packages/server/src/collection/publish-parts.ts",
    reason: "It records the event of a failed part, from which hooks deliver.",
  },
  {
    rule: "phrases",
    path: "CHANGELOG.md",
    subject: ["an", "ew"].join(""),
    reason: "What was said of earlier versions is not rewritten.",
  },
  {
    rule: "phrases",
    path: "CHANGELOG.md",
    subject: "Who",
    reason: "What was said of earlier versions is not rewritten.",
  },
  {
    rule: "sleeping-tests",
    path: "packages/test-kit/src/until.ts",
    reason:
      "It pauses between two looks at what no event tells: without a pause it takes a core from " +
      "the process it waits for.",
  },
  {
    rule: "sleeping-tests",
    path: "packages/server/test/load/three-accounts.ts",
    reason:
      "Clients of a load keep to a pace below the limit of calls, and rest when they were refused.",
  },
  {
    rule: "sleeping-tests",
    path: "packages/test-kit/src/engines/fault-proxy.ts",
    reason: "Delaying what it passes on is what the proxy is for; no test waits on it by time.",
  },
  {
    rule: "sql",
    path: "packages/server/src/operations/doctor/cluster/postgres-state.ts",
    reason: "The doctor asks PostgreSQL about the server itself, which no store does.",
  },
  {
    rule: "sql",
    path: "packages/cli/src/sqlite-tables.ts",
    reason: "It reads a file of another tool, whose tables no store of this service owns.",
  },
];
