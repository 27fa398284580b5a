import { metrics } from "@sightline/contract";
import type { LoadQuestion } from "../packages/server/test/load/load-plan.ts";
import type { Catalogue } from "./generator/catalogue.ts";
import type { Filter, Question } from "./questions.ts";

/** A question as it is put to the service. */
export function requestOf(question: Question, catalogue: Catalogue): LoadQuestion {
  const filters = {
    timeRange: {
      from: new Date(question.fromMs).toISOString(),
      to: new Date(question.toMs).toISOString(),
    },
    ...filtersOf(question.filter, catalogue),
  };
  if (question.kind === "series") {
    const { interval } = question;
    return { path: metrics[question.metric].path, body: { interval, filters } };
  }
  const { groupBy, limit, offset } = question;
  return { path: "/v1/analytics/sources", body: { groupBy, limit, offset, filters } };
}

function filtersOf(filter: Filter, catalogue: Catalogue): object {
  const { providers, regions, topics, prompts, branded } = filter;
  return {
    ...(providers === undefined ? {} : { providers }),
    ...(regions === undefined ? {} : { regions: regions.map((code) => ({ code })) }),
    ...(topics === undefined
      ? {}
      : { topics: topics.map((number) => ({ id: catalogue.topics[number] })) }),
    ...(prompts === undefined
      ? {}
      : { promptIds: prompts.map((number) => catalogue.prompts[number]?.id) }),
    ...(branded === undefined ? {} : { branded }),
  };
}
