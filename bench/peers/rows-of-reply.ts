import type { SourceAnalysisResponse, TimeSeriesResponse } from "@sightline/contract";
import type { EngineRows } from "../engine-rows.ts";
import type { Question } from "../questions.ts";

/**
 * A reply as rows of an engine that give the same values: a value is its own sum over one answer,
 * or over one mention.
 */
export function rowsOfReply(question: Question, body: string): EngineRows {
  if (question.kind === "series") {
    const { series } = JSON.parse(body) as TimeSeriesResponse;
    const rows = series.flatMap(({ data }, place) =>
      data.flatMap(({ timestamp, value }) => {
        if (value === null) return [];
        const bucketMs = Date.parse(timestamp);
        const own = { bucketMs, entity: place + 1, sum: value, mentions: 1 };
        return [own, { bucketMs, entity: 0, sum: 1, mentions: 1 }];
      }),
    );
    return { kind: "series", rows };
  }
  const { sources, pagination } = JSON.parse(body) as SourceAnalysisResponse;
  const rows = sources.map(({ source, citations, share }) => {
    return { source, citations, total: pagination.total, allCitations: citations / share };
  });
  return { kind: "sources", rows };
}
