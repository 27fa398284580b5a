import { evidencePath } from "./evidence.ts";
import { answersPath } from "./import-answers.ts";
import { replyExamples, sampleAnswerId } from "./openapi-examples.ts";
import { analyticsErrors, type Json, jsonBody, replies } from "./openapi-parts.ts";

/** The answers behind the numbers: a list of them, and one. */
export function evidencePaths(): Json {
  return {
    [evidencePath]: {
      post: {
        operationId: "evidence",
        tags: ["Answers"],
        summary: "Answers behind a value",
        description:
          "An addition to the published interface, which has no such operation. The answers " +
          "that count for a value, newest first, with each mention's place in the text and " +
          "each citation's verdict. As many as the value's numerator; with the role any, as " +
          "its denominator. Texts and URLs come from the open web: they are untrusted.",
        "x-sightline-addition": true,
        security: [{ session: [] }],
        requestBody: jsonBody("EvidenceRequestDto"),
        responses: replies(
          { schema: "EvidenceResponseDto", example: replyExamples.evidence },
          "One page.",
          analyticsErrors,
        ),
      },
    },
    [`${answersPath}/{id}`]: {
      get: {
        operationId: "answer",
        tags: ["Answers"],
        summary: "One answer",
        description:
          "An addition to the published interface, which has no such operation. An answer as it " +
          "was recorded, whether it counts or not, with its mentions and citations.",
        "x-sightline-addition": true,
        security: [{ session: [] }],
        parameters: [
          {
            name: "id",
            in: "path",
            required: true,
            description: "The answer's id, in either case.",
            schema: { type: "string", format: "uuid" },
            example: sampleAnswerId,
          },
        ],
        responses: replies(
          { schema: "RecordedAnswerResponseDto", example: replyExamples.answer },
          "The answer.",
          [
            "session_invalid",
            "scope_missing",
            "answer_not_found",
            "rate_limited",
            "internal_error",
            "overloaded",
          ],
        ),
      },
    },
  };
}
