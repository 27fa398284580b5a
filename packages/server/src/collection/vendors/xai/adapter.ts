import type { Adapter } from "../../adapter.ts";
import { asksOf } from "../asks-of.ts";
import { bearer } from "../bearer.ts";
import { readResponse } from "../response-object.ts";
import { singleRequestStep } from "../single-request.ts";
import { xaiErrors } from "./errors.ts";
import { xaiDialect } from "./parse.ts";
import { xaiHost, xaiRefusal, xaiRequest } from "./request.ts";

/** xAI's Responses API with web search: Grok. */
export const xai: Adapter = {
  vendor: "xai",
  hosts: [xaiHost],
  asks: asksOf("xai"),
  regionOf: ({ region }) => region,
  refusal: xaiRefusal,
  step: singleRequestStep(xaiRequest, {
    rules: xaiErrors,
    usageOf: xaiDialect.usageOf,
    stepOf: (body) => readResponse(body, xaiDialect),
  }),
  authorize: bearer,
};
