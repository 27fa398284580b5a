import { deleteAnswersPath, importsPath } from "./corrections.ts";
import {
  addition,
  bodyErrors,
  changeErrors,
  idInPath,
  listErrors,
  needsManage,
  ofSession,
} from "./openapi-additions.ts";
import { type Json, reference, replies } from "./openapi-parts.ts";

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
        ...ofSession,
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
          `removes what is left. ${needsManage}`,
        ...ofSession,
        parameters: [idInPath("importId", "The import's id.")],
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
          `${addition} Counts or removes answers, for good, by id or by filters. ` +
          `${needsManage}`,
        ...ofSession,
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
        responses: replies({ schema: "DeleteAnswersResponseDto" }, "What was removed.", bodyErrors),
      },
    },
  };
}
