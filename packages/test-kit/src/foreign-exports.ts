import { DatabaseSync } from "node:sqlite";

/** Cells of a table by column; what is omitted is empty. */
export type Cells = Readonly<Record<string, string>>;

/** A table as text, every cell quoted, with CRLF as spreadsheet programs write. */
export function csvOf(columns: readonly string[], rows: readonly Cells[], separator = ","): string {
  const line = (cells: readonly string[]) =>
    `${cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(separator)}\r\n`;
  return line(columns) + rows.map((row) => line(columns.map((name) => row[name] ?? ""))).join("");
}

const citationColumns = Array.from({ length: 48 }, (_, place) => `citation_${place + 1}`);

/** The columns of Profound's raw export. */
export const profoundColumns: readonly string[] = [
  ...["run_id", "date", "platformId", "platform", "topic", "tags", "region", "persona", "type"],
  ...["prompt", "mentions", "normalized_mentions", "position", "response", "search_queries"],
  ...["mentioned?", ...citationColumns],
];

/** An answer of Profound's raw export, with as many sources as it has columns. */
export const profoundRow: Cells = {
  run_id: "r1",
  date: "2026-11-02",
  platformId: "p1",
  platform: "ChatGPT",
  topic: "Anvils",
  tags: "tools, steel",
  region: "United States",
  persona: "Buyer",
  type: "open-ended",
  prompt: "What is the best anvil?",
  mentions: "tarnfell, Globex",
  normalized_mentions: "Tarnfell, Globex",
  position: "#1",
  response: 'Take **Tarnfell**,\nor "Globex".',
  search_queries: "best anvils, anvil test",
  "mentioned?": "Yes",
  ...Object.fromEntries(
    citationColumns.map((name, place) => [name, `https://globex.example/${place + 1}`]),
  ),
};

/** The columns of Ahrefs Brand Radar's export of responses. */
export const ahrefsColumns: readonly string[] = [
  ...["Country", "Keyword", "Tags", "Volume", "Response", "Model", "Mentions", "Fanout Queries"],
  ...["Cited pages", "Found but not cited", "Updated"],
];

/** An answer of Ahrefs Brand Radar. */
export const ahrefsRow: Cells = {
  Country: "us",
  Keyword: "What is the best anvil?",
  Tags: "tools",
  Volume: "90",
  Response: "Take Tarnfell.",
  Model: "Google AI Overviews",
  Mentions: "Tarnfell\nGlobex",
  "Fanout Queries": "best anvils\nanvil test, 2026",
  "Cited pages": "https://tarnfell.example/\nhttps://globex.example/a,b",
  "Found but not cited": "https://acme.example/",
  Updated: "2026-11-02 08:00:00",
};

/** The columns of Peec's export of prompts. */
export const peecColumns: readonly string[] = [
  ...["status", "topic_id", "topic_name", "id", "prompt", "visibility", "visibility_delta"],
  ...["sentiment", "position", "mentions", "volume", "tags", "location", "share_of_voice"],
  "added_at",
];

/** Two prompts of Peec, one of which is asked no longer. */
export const peecRows: readonly Cells[] = [
  {
    status: "active",
    topic_name: "Anvils",
    id: "pr_1",
    prompt: "What is the best anvil?",
    visibility: "0.5",
    mentions: "Tarnfell, Globex",
    tags: "tools",
    location: "US",
  },
  {
    status: "inactive",
    topic_name: "Hammers",
    id: "pr_2",
    prompt: "Which hammer?",
    mentions: "Globex",
  },
];

const run = "3f0c8f0e-5a0f-4a52-9d0a-0d5b6f1c2a11";
const prompt = "11111111-1111-4111-8111-111111111111";

/** Elmo's tables, as PostgreSQL writes them as CSV: arrays in braces, booleans as letters. */
export const elmoTables = {
  prompt_runs: [
    {
      id: run,
      prompt_id: prompt,
      brand_id: "tarnfell",
      model: "chatgpt",
      provider: "openai-api",
      version: "gpt-5-mini",
      web_search_enabled: "t",
      raw_output: JSON.stringify({
        output: [
          { type: "web_search_call" },
          { type: "message", content: [{ type: "output_text", text: "Take Tarnfell." }] },
        ],
      }),
      web_queries: '{anvils,"best, anvil"}',
      brand_mentioned: "t",
      competitors_mentioned: "{}",
      created_at: "2026-11-02 08:00:00.25+00",
    },
  ],
  citations: [
    {
      prompt_run_id: run,
      url: "https://globex.example/",
      domain: "globex.example",
      title: "",
      citation_index: "1",
    },
    {
      prompt_run_id: run,
      url: "https://tarnfell.example/",
      domain: "tarnfell.example",
      title: "Tarnfell",
      citation_index: "0",
    },
  ],
  prompts: [
    {
      id: prompt,
      brand_id: "tarnfell",
      value: "What is the best anvil?",
      enabled: "t",
      tags: "{a}",
    },
    {
      id: "22222222-2222-4222-8222-222222222222",
      brand_id: "tarnfell",
      value: "Which hammer?",
      enabled: "f",
      tags: "{}",
    },
  ],
  competitors: [
    {
      brand_id: "tarnfell",
      name: "Globex",
      domains: "{globex.example}",
      aliases: '{"Globex Inc"}',
    },
  ],
  brands: [
    {
      id: "tarnfell",
      name: "Tarnfell",
      website: "https://tarnfell.example",
      additional_domains: "{}",
      aliases: "{}",
    },
  ],
} as const satisfies Readonly<Record<string, readonly Cells[]>>;

/** Ansvisor's tables, as JSON of its database has them. */
export const ansvisorTables = {
  prompt_results: [
    {
      id: run,
      prompt_id: prompt,
      brand_id: "b1",
      platform: "chatgpt-web",
      response: "Take Tarnfell.",
      citations: [{ url: "https://tarnfell.example/", title: "Tarnfell", domain: "x" }],
      mention_count: 1,
      model_used: "gpt-5",
      region: "US",
      created_at: "2026-11-02T08:00:00+00:00",
      search_queries: ["best anvils"],
    },
    {
      id: "3f0c8f0e-5a0f-4a52-9d0a-0d5b6f1c2a12",
      prompt_id: prompt,
      brand_id: "b1",
      platform: "chatgpt-shopping",
      response: "Products.",
      citations: [],
      model_used: null,
      region: null,
      created_at: "2026-11-02T08:00:00+00:00",
    },
  ],
  prompts: [
    {
      id: prompt,
      prompt_set_id: "s1",
      text: "What is the best anvil?",
      topic_id: "t1",
      is_active: true,
    },
  ],
  topics: [{ id: "t1", brand_id: "b1", name: "Anvils" }],
  competitors: [{ brand_id: "b1", name: "Globex", domain: "globex.example" }],
  brands: [{ id: "b1", organization_id: "o1", name: "Tarnfell", slug: "tarnfell" }],
} as const;

/** In place of Canonry's answers: a view whose rows never end. */
export const endlessView = `
  DROP TABLE query_snapshots;
  CREATE VIEW query_snapshots AS
    WITH RECURSIVE n(run_id) AS (SELECT 1 UNION ALL SELECT run_id + 1 FROM n)
    SELECT run_id, 1 AS provider, 1 AS citation_state, 1 AS answer_text, 1 AS created_at FROM n;`;

/** Writes a database as Canonry has it; `more` is run in it at the end. */
export function writeCanonry(path: string, more = ""): void {
  const database = new DatabaseSync(path);
  database.exec(`
    CREATE TABLE projects (id TEXT PRIMARY KEY, name TEXT, display_name TEXT, canonical_domain TEXT,
      owned_domains TEXT, aliases TEXT);
    CREATE TABLE queries (id TEXT PRIMARY KEY, project_id TEXT, query TEXT);
    CREATE TABLE competitors (id TEXT PRIMARY KEY, project_id TEXT, domain TEXT);
    CREATE TABLE runs (id TEXT PRIMARY KEY, project_id TEXT, kind TEXT);
    CREATE TABLE query_snapshots (id TEXT PRIMARY KEY, run_id TEXT, query_id TEXT, query_text TEXT,
      provider TEXT, model TEXT, served_model TEXT, citation_state TEXT, answer_text TEXT,
      cited_domains TEXT, cited_urls TEXT, location TEXT, raw_response TEXT, created_at TEXT);
    INSERT INTO projects VALUES ('p1', 'tarnfell', 'Tarnfell', 'tarnfell.example', '[]', '["TF"]');
    INSERT INTO queries VALUES ('q1', 'p1', 'What is the best anvil?');
    INSERT INTO competitors VALUES ('c1', 'p1', 'globex.example');
    INSERT INTO runs VALUES ('r1', 'p1', 'answer-visibility');
    INSERT INTO query_snapshots VALUES
      ('s1', 'r1', 'q1', NULL, 'gemini', 'gemini-flash', 'gemini-flash-001', 'cited',
       'Take Tarnfell.', '["tarnfell.example"]', '["https://tarnfell.example/"]', 'us', '{}',
       '2026-11-02T08:00:00.000Z'),
      ('s2', 'r1', 'q1', 'What is the best anvil?', 'claude', 'sonnet', NULL, 'not-cited',
       'Take Globex.', '[]', NULL, NULL, NULL, '2026-11-02 08:00:00'),
      ('s3', 'r1', 'q1', 'What is the best anvil?', 'local', 'llama', NULL, 'not-cited', NULL,
       '[]', NULL, NULL, x'00ff', '2026-11-02 08:00:00');
    ${more}`);
  database.close();
}
