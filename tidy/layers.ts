/** What a layer may import in addition to itself. */
export interface Layer {
  /** Other layers, by their name in this table. */
  readonly imports: readonly string[];
  /** Layers of which only types may be imported, so that nothing of them is shipped. */
  readonly types?: readonly string[];
  /** Single modules of other layers, which import nothing but the calendar. */
  readonly modules?: readonly string[];
  /** Third-party packages; "own": all that the package's package.json depends on. */
  readonly packages: readonly string[] | "own";
  /** Whether `node:` modules may be used: a layer that is pure or runs in a browser may not. */
  readonly node: boolean;
}

/** The folders of packages/server/src, from the outside in. */
const serverFolders = [
  "http",
  "auth",
  "limits",
  "hooks",
  "collection",
  "analytics",
  "facts",
  "answers",
  "control",
  "backup",
  "move",
  "doctor",
  "extraction",
  "platform",
] as const;
type ServerFolder = (typeof serverFolders)[number];

const inServer = (...folders: readonly ServerFolder[]): readonly string[] => [
  "contract",
  ...folders.map((folder) => `server/${folder}`),
];

/**
 * Every layer: a package, or a folder of the server. An arrow that is not here is refused, so a
 * new one is a line in this table and its reason in docs/decisions.
 */
export const layers: Readonly<Record<string, Layer>> = {
  contract: { imports: [], packages: ["zod"], node: false },
  client: { imports: [], types: ["contract"], packages: [], node: false },
  cli: {
    imports: ["server", "client", "contract", "mcp", "stand-in"],
    packages: "own",
    node: true,
  },
  // Runs in a browser. Of the contract it takes types, for the schemas would bring zod along, and
  // the rules that it shares with the command: of CSV cells, and of what is compared with what.
  console: {
    imports: ["client"],
    types: ["contract"],
    modules: ["@sightline/contract/compared-range", "@sightline/contract/spreadsheet-text"],
    packages: "own",
    node: false,
  },
  mcp: { imports: ["client", "contract"], packages: "own", node: true },
  "stand-in": { imports: ["contract"], packages: "own", node: true },
  // Composition: compositionFiles. Engines reach it through their layers alone.
  server: { imports: ["server/config", ...inServer(...serverFolders)], packages: [], node: true },
  "server/config": { imports: inServer(...serverFolders), packages: ["zod"], node: true },
  "server/http": {
    imports: [
      ...inServer("auth", "limits", "hooks", "collection", "analytics", "facts", "control"),
      ...["server/answers", "server/platform", "client", "mcp"],
    ],
    packages: ["fastify", "marked", "prom-client", "zod"],
    node: true,
  },
  "server/auth": { imports: inServer("control", "platform"), packages: ["jose"], node: true },
  "server/limits": {
    imports: inServer("control", "platform"),
    packages: ["ioredis"],
    node: true,
  },
  "server/hooks": {
    imports: inServer("auth", "analytics", "facts", "control", "platform"),
    packages: [],
    node: true,
  },
  "server/collection": {
    imports: inServer("extraction", "answers", "control", "platform"),
    packages: ["croner", "zod"],
    node: true,
  },
  "server/analytics": { imports: inServer("platform"), packages: [], node: false },
  "server/facts": {
    imports: inServer("analytics", "answers", "extraction", "control", "platform"),
    packages: ["@duckdb/node-api", "pg"],
    node: true,
  },
  "server/answers": {
    imports: inServer("extraction", "control", "platform"),
    packages: ["better-sqlite3", "csv-parse", "pg", "zod"],
    node: true,
  },
  "server/control": {
    imports: inServer("extraction", "platform"),
    packages: ["better-sqlite3", "croner", "js-yaml", "kysely", "pg", "zod"],
    node: true,
  },
  "server/backup": {
    imports: inServer("control", "platform"),
    packages: ["tar", "zod"],
    node: true,
  },
  "server/move": {
    imports: inServer("answers", "control", "platform"),
    packages: ["zod"],
    node: true,
  },
  "server/doctor": {
    imports: inServer("answers", "auth", "control", "facts", "platform"),
    packages: [],
    node: true,
  },
  "server/extraction": { imports: [], packages: ["entities", "tldts"], node: false },
  "server/platform": {
    imports: inServer(),
    packages: ["@clickhouse/client", "better-sqlite3", "pg", "pino", "prom-client"],
    node: true,
  },
};

const compositionFiles: readonly string[] = [
  ...["index.ts", "server.ts", "services.ts", "storage.ts"],
  ...["clickhouse-engines.ts", "cluster-engines.ts", "diagnose-nodes.ts", "migrate.ts"],
  ...["apply-worker.ts", "pepper-of.ts"],
];

/**
 * The layer of a file; undefined outside packages/<name>/src. A folder of the server that the table
 * does not know gets a name that is not in it.
 */
export function layerOf(path: string): string | undefined {
  const [, name, first, deeper] = path.match(/^packages\/([^/]+)\/src\/([^/]+)(\/.*)?$/) ?? [];
  if (name !== "server" || first === undefined) return name;
  if (deeper === undefined && compositionFiles.includes(first)) return name;
  return /^config(-schema|-settings)?\.ts$/.test(first) ? "server/config" : `server/${first}`;
}
