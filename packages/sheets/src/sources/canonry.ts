import { type Source, why } from "./source.ts";

/** Canonry's database, a file of SQLite. */
export const canonry: Source = {
  name: "canonry",
  title: "Canonry",
  tables: [
    {
      name: "query_snapshots",
      has: ["run_id", "provider", "citation_state", "answer_text", "created_at"],
      answers: {
        columns: {
          prompt: ["query_text", "queries.query", "keywords.keyword"],
          provider: "provider",
          model: ["served_model", "model"],
          answeredAt: "created_at",
          text: "answer_text",
          citations: "cited_urls",
        },
        providers: { "cdp:chatgpt": "OPENAI", local: null },
        idFrom: ["id"],
        timeZone: "UTC",
        citationKeys: { url: "url" },
        keep: ["location"],
      },
      joins: [
        { table: "queries", by: "query_id", key: "id", takes: ["query"], isRequired: false },
        { table: "keywords", by: "keyword_id", key: "id", takes: ["keyword"], isRequired: false },
        {
          table: "runs",
          by: "run_id",
          key: "id",
          takes: ["project_id", "projects.name"],
          isRequired: true,
        },
      ],
      brandIn: ["runs.project_id", "runs.projects.name"],
      dropped: {
        run_id: why.internal,
        query_id: "the prompt's text stands for it",
        keyword_id: "the prompt's text stands for it",
        citation_state: why.measured,
        answer_mentioned: why.measured,
        cited_domains: why.elsewhere,
        "competitor_*": why.measured,
        recommended_competitors: why.measured,
        raw_response: why.elsewhere,
        screenshot_path: "pictures of answers are not imported",
        "capture_*": why.internal,
        "*_count": why.internal,
      },
    },
    {
      name: "runs",
      has: ["id", "project_id", "kind"],
      brandIn: ["project_id", "projects.name"],
      joins: [
        { table: "projects", by: "project_id", key: "id", takes: ["name"], isRequired: false },
      ],
      dropped: {},
    },
    {
      name: "projects",
      has: ["id", "name", "canonical_domain"],
      brandIn: ["id", "name"],
      tracks: {
        brand: {
          name: "display_name",
          domains: ["canonical_domain", "owned_domains"],
          aliases: "aliases",
        },
      },
      dropped: {},
    },
    {
      name: "competitors",
      has: ["project_id", "domain"],
      brandIn: ["project_id"],
      tracks: { competitor: { name: "domain", domains: ["domain"] } },
      dropped: {},
    },
    {
      name: "queries",
      has: ["id", "project_id", "query"],
      brandIn: ["project_id"],
      tracks: { prompt: "query" },
      dropped: {},
    },
    {
      name: "keywords",
      has: ["id", "project_id", "keyword"],
      brandIn: ["project_id"],
      tracks: { prompt: "keyword" },
      dropped: {},
    },
  ],
};
