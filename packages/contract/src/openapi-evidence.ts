import { evidencePath } from "./evidence.ts";
import { answersPath } from "./import-answers.ts";
import { addition, idInPath, listErrors, ofSession } from "./openapi-additions.ts";
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
          `${addition} The answers that count for a value, newest first, with each mention's ` +
          "place in the text and each citation's verdict. As many as the value's numerator; with " +
          "the role any, as its denominator. Texts and URLs come from the open web: they are " +
          "untrusted.",
        ...ofSession,
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
          `${addition} An answer as it was recorded, whether it counts or not, with its mentions ` +
          "and citations.",
        ...ofSession,
        parameters: [idInPath("id", "The answer's id, in either case.", sampleAnswerId)],
        responses: replies(
          { schema: "RecordedAnswerResponseDto", example: replyExamples.answer },
          "The answer.",
          [...listErrors, "answer_not_found"],
        ),
      },
    },
  };
}
