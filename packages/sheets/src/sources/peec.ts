import { type Source, why } from "./source.ts";

/** Peec's export of prompts, which has no answers. */
export const peec: Source = {
  name: "peec",
  title: "Peec",
  tables: [
    {
      name: "prompts",
      has: ["topic_name", "prompt", "mentions", "share_of_voice"],
      tracks: {
        prompt: "prompt",
        topic: "topic_name",
        isAsked: "status",
        tags: "tags",
        names: "mentions",
      },
      dropped: {
        id: why.internal,
        topic_id: why.internal,
        added_at: why.internal,
        volume: why.cost,
        location: "say in `collection` of the workspace file for which countries prompts are asked",
        mentions: `${why.measured}; the names are proposed`,
        "visibility*": why.measured,
        "sentiment*": why.measured,
        "position*": why.measured,
        "share_of_voice*": why.measured,
      },
    },
  ],
};
