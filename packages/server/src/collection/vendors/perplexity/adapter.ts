import type { Adapter } from "../../adapter.ts";
import { asksOf } from "../asks-of.ts";
import { bearer } from "../bearer.ts";
import { readResponse } from "../response-object.ts";
import { singleRequestStep } from "../single-request.ts";
import { perplexityErrors } from "./errors.ts";
import { perplexityDialect } from "./parse.ts";
import { perplexityHost, perplexityRequest } from "./request.ts";

/** Perplexity's Agent API. */
export const perplexity: Adapter = {
  vendor: "perplexity",
  hosts: [perplexityHost],
  asks: asksOf("perplexity"),
  regionOf: ({ region }) => region,
  refusal: () => null,
  step: singleRequestStep(perplexityRequest, {
    rules: perplexityErrors,
    usageOf: perplexityDialect.usageOf,
    stepOf: (body) => readResponse(body, perplexityDialect),
  }),
  authorize: bearer,
};
