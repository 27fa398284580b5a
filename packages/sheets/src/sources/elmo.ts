import { type Source, type SourceTable, why } from "./source.ts";

/** Where the providers' replies, and those of the vendors that Elmo asks, have their text. */
const textAt = [
  ...["output[type=message].content[type=output_text].text", "content[type=text].text"],
  ...["choices[0].message.content", "tasks[0].result[0].markdown"],
  ...["tasks[0].result[0].items[type=ai_overview].markdown", "tasks[0].result[0].items[].markdown"],
  ...["tasks[0].result[0].items[type=message].sections[].text"],
  ...["outputs[].content[type=text].text", "result.markdown_content", "answer_markdown"],
  ...["results[0].content.markdown_text", "results[0].content.answer_results_md"],
  ...["results[0].content.response_text", "aioverview.markdown", "aioverview.text"],
  ...["answer_text_markdown", "[0].answer_text_markdown", "[0].answer_text"],
  ...["answer_text", "answer", "markdown", "text"],
];

const runs: SourceTable = {
  name: "prompt_runs",
  has: ["prompt_id", "model", "version", "raw_output", "web_queries"],
  answers: {
    columns: {
      id: "id",
      prompt: "prompts.value",
      provider: "model",
      vendor: "provider",
      model: "version",
      answeredAt: "created_at",
      text: "raw_output",
      citations: "citations",
      searchQueries: "web_queries",
      tags: "prompts.tags",
    },
    timeZone: "UTC",
    textAt,
    citationKeys: { url: "url", title: "title" },
    queriesBy: "signs",
    keep: ["web_search_enabled"],
  },
  joins: [
    { table: "prompts", by: "prompt_id", key: "id", takes: ["value", "tags"], isRequired: true },
    {
      table: "citations",
      by: "id",
      key: "prompt_run_id",
      gathers: { as: "citations", url: "url", title: "title", order: "citation_index" },
      isRequired: true,
    },
    { table: "brands", by: "brand_id", key: "id", takes: ["name"], isRequired: false },
  ],
  brandIn: ["brand_id", "brands.name"],
  dropped: {
    brand_mentioned: why.measured,
    competitors_mentioned: why.measured,
    prompt_id: "the prompt's text stands for it",
    brand_id: "an import is of one brand",
  },
};

/** Elmo's tables as PostgreSQL writes them, as CSV or JSON. */
export const elmo: Source = {
  name: "elmo",
  title: "Elmo",
  tables: [
    runs,
    {
      name: "citations",
      has: ["prompt_run_id", "url", "citation_index"],
      dropped: {},
    },
    {
      name: "prompts",
      has: ["id", "value", "enabled"],
      brandIn: ["brand_id"],
      tracks: { prompt: "value", isAsked: "enabled", tags: "tags" },
      dropped: { system_tags: "Elmo sets these itself" },
    },
    {
      name: "brands",
      has: ["id", "name", "website"],
      brandIn: ["id", "name"],
      tracks: {
        brand: { name: "name", domains: ["website", "additional_domains"], aliases: "aliases" },
      },
      dropped: {},
    },
    {
      name: "competitors",
      has: ["name", "domains", "aliases"],
      brandIn: ["brand_id"],
      tracks: { competitor: { name: "name", domains: ["domains"], aliases: "aliases" } },
      dropped: {},
    },
  ],
};
