import type { ParsedRequest } from "../http/route.ts";
import { writeInTurns } from "../http/write-in-turns.ts";
import { type SeriesReply, timeSeriesBytesMost, timeSeriesJson } from "./series-json.ts";

/** What a request for a time series asks, and how its reply is made. */
export function seriesRequest(made: SeriesReply): ParsedRequest {
  const { request, question, points } = made;
  const { metric, selection } = question;
  return {
    // The reply repeats the range as it was sent.
    key: JSON.stringify([metric, request.interval, request.filters.timeRange, selection]),
    reply: async (call) => {
      const { services, accountId, signal } = call;
      const { facts } = services;
      const found = await (points === "values"
        ? facts.timeSeries(accountId, question, signal)
        : facts.countedSeries(accountId, question, signal));
      return writeInTurns(call, {
        bytesMost: timeSeriesBytesMost(made, found.entities.length),
        steps: timeSeriesJson(made, found),
      });
    },
  };
}
