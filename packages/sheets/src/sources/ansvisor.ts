import { type Source, why } from "./source.ts";

/** Ansvisor's tables as PostgreSQL writes them, as CSV or JSON. */
export const ansvisor: Source = {
  name: "ansvisor",
  title: "Ansvisor",
  tables: [
    {
      name: "prompt_results",
      has: ["prompt_id", "platform", "response", "citations", "model_used"],
      answers: {
        columns: {
          id: "id",
          prompt: "prompts.text",
          topic: "prompts.topics.name",
          provider: "platform",
          model: "model_used",
          answeredAt: "created_at",
          text: "response",
          citations: "citations",
          region: "region",
          searchQueries: "search_queries",
        },
        providers: {
          "chatgpt-web": "OPENAI",
          "gemini-web": "GEMINI",
          "perplexity-web": "PERPLEXITY",
          "grok-web": "GROK",
          "copilot-web": "COPILOT",
          "chatgpt-shopping": null,
        },
        timeZone: "UTC",
        citationKeys: { url: "url", title: "title" },
        queriesBy: "signs",
      },
      joins: [
        {
          table: "prompts",
          by: "prompt_id",
          key: "id",
          takes: ["text", "topics.name"],
          isRequired: true,
        },
        { table: "brands", by: "brand_id", key: "id", takes: ["name"], isRequired: false },
      ],
      brandIn: ["brand_id", "brands.name"],
      dropped: {
        prompt_id: "the prompt's text stands for it",
        brand_id: "an import is of one brand",
        "mention*": why.measured,
        citation_count: why.measured,
        sentiment: why.measured,
        visibility_score: why.measured,
        competitor_mentions: why.measured,
        shopping_cards: "products in answers are not imported",
        inline_products: "products in answers are not imported",
      },
    },
    {
      name: "prompts",
      has: ["id", "prompt_set_id", "text"],
      joins: [{ table: "topics", by: "topic_id", key: "id", takes: ["name"], isRequired: false }],
      tracks: { prompt: "text", topic: "topics.name", isAsked: "is_active" },
      dropped: {},
    },
    {
      name: "competitors",
      has: ["brand_id", "name", "domain"],
      brandIn: ["brand_id"],
      tracks: { competitor: { name: "name", domains: ["domain"] } },
      dropped: {},
    },
    {
      name: "brands",
      has: ["id", "organization_id", "name", "slug"],
      brandIn: ["id", "name"],
      tracks: { brand: { name: "name", domains: [] } },
      dropped: {},
    },
    { name: "topics", has: ["id", "brand_id", "name"], dropped: {} },
  ],
};
