import { deleteAnswersPath, importsPath } from "./corrections.ts";
import type { ErrorCode } from "./error-codes.ts";
import { type Json, reference, replies } from "./openapi-parts.ts";

const listErrors: readonly ErrorCode[] = [
  "session_invalid",
  "scope_missing",
  "rate_limited",
  "internal_error",
  "overloaded",
];
const changeErrors: readonly ErrorCode[] = [...listErrors, "storage_full"];
const addition = "An addition to the published interface, which has no such operation.";

/** The operations that take answers back. */
export function correctionPaths(): Json {
  return { ...importsPaths(), ...deletePath() };
}

function importsPaths(): Json {
  return {
    [importsPath]: {
      get: {
        operationId: "imports",
        tags: ["Answers"],
        summary: "List imports",
        description: `${addition} The account's imports. The key needs the scope import.`,
        "x-sightline-addition": true,
        security: [{ session: [] }],
        responses: replies({ schema: "ImportsResponseDto" }, "The imports.", listErrors),
      },
    },
    [`${importsPath}/{importId}`]: {
      delete: {
        operationId: "undoImport",
        tags: ["Answers"],
        summary: "Undo an import",
        description:
          `${addition} Removes every answer that the import recorded, for good. Repeating it ` +
          "removes what is left. The key needs the scope manage.",
        "x-sightline-addition": true,
        security: [{ session: [] }],
        parameters: [
          {
            name: "importId",
            in: "path",
            required: true,
            description: "The import's id.",
            schema: { type: "string", format: "uuid" },
          },
        ],
        responses: replies({ schema: "UndoneImportResponseDto" }, "What was removed.", [
          ...changeErrors,
          "not_found",
        ]),
      },
    },
  };
}

function deletePath(): Json {
  return {
    [deleteAnswersPath]: {
      post: {
        operationId: "deleteAnswers",
        tags: ["Answers"],
        summary: "Remove answers",
        description:
          `${addition} Counts or removes answers, for good, by id or by filters. The key needs ` +
          "the scope manage.",
        "x-sightline-addition": true,
        security: [{ session: [] }],
        requestBody: {
          required: true,
          content: {
            "application/json": {
              schema: reference("DeleteAnswersRequestDto"),
              example: {
                filters: {
                  timeRange: { from: "2062-01-01T00:00:00Z", to: "2063-01-01T00:00:00Z" },
                },
                dryRun: true,
              },
            },
          },
        },
        responses: replies({ schema: "DeleteAnswersResponseDto" }, "What was removed.", [
          "invalid_request",
          ...changeErrors,
          "payload_too_large",
          "unsupported_media_type",
        ]),
      },
    },
  };
}
