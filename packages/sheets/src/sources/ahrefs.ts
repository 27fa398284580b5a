import { type Source, why } from "./source.ts";

/** Ahrefs Brand Radar: the export of AI responses, and the older one of AI Overviews. */
export const ahrefs: Source = {
  name: "ahrefs",
  title: "Ahrefs Brand Radar",
  tables: [
    {
      name: "responses",
      has: ["Keyword", "Response", "Model", "Cited pages"],
      answers: {
        columns: {
          prompt: "Keyword",
          provider: "Model",
          answeredAt: "Updated",
          text: "Response",
          citations: "Cited pages",
          retrieved: "Found but not cited",
          region: "Country",
          searchQueries: "Fanout Queries",
          tags: "Tags",
        },
        timeZone: "UTC",
        timeOfDay: "12:00Z",
      },
      tracks: { names: "Mentions" },
      dropped: {
        Volume: why.cost,
        Mentions: `${why.measured}; the names are proposed`,
      },
    },
    {
      name: "overviews",
      has: ["AI Overview", "Link URL"],
      answers: {
        columns: {
          prompt: ["Question", "Keyword", "Query", "Prompt"],
          text: "AI Overview",
          citations: "Link URL",
          region: ["Country", "A"],
          answeredAt: ["Updated", "Date"],
        },
        values: { provider: "GOOGLE_AI_OVERVIEW" },
        timeZone: "UTC",
        timeOfDay: "12:00Z",
      },
      dropped: { "Volume*": why.cost, "Link *": why.elsewhere },
    },
  ],
};
