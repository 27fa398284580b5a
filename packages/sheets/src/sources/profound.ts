import { type Source, why } from "./source.ts";

/** Profound's raw export: a row for each answer, with a column for each of its sources. */
export const profound: Source = {
  name: "profound",
  title: "Profound",
  tables: [
    {
      name: "responses",
      has: ["run_id", "platform", "prompt", "response"],
      answers: {
        columns: {
          prompt: "prompt",
          provider: "platform",
          answeredAt: "date",
          text: "response",
          citations: "citation_*",
          region: "region",
          searchQueries: "search_queries",
          topic: "topic",
          tags: "tags",
        },
        idFrom: ["run_id", "date", "platform", "region", "persona", "prompt"],
        keep: ["run_id", "persona", "type"],
        timeZone: "UTC",
        timeOfDay: "12:00Z",
        queriesBy: "signs",
      },
      tracks: { names: "normalized_mentions" },
      dropped: {
        platformId: why.elsewhere,
        mentions: why.measured,
        normalized_mentions: `${why.measured}; the names are proposed`,
        position: why.measured,
        "mentioned?": why.measured,
      },
    },
  ],
};
