import type { Adapter } from "../../adapter.ts";
import { asksOf } from "../asks-of.ts";
import { bearer } from "../bearer.ts";
import { readResponse } from "../response-object.ts";
import { singleRequestStep } from "../single-request.ts";
import { openaiErrors } from "./errors.ts";
import { openaiDialect } from "./parse.ts";
import { openaiHost, openaiRequest } from "./request.ts";

/** OpenAI's Responses API with web search. */
export const openai: Adapter = {
  vendor: "openai",
  hosts: [openaiHost],
  asks: asksOf("openai"),
  regionOf: ({ region }) => region,
  refusal: () => null,
  step: singleRequestStep(openaiRequest, {
    rules: openaiErrors,
    usageOf: openaiDialect.usageOf,
    stepOf: (body) => readResponse(body, openaiDialect),
  }),
  authorize: bearer,
};
