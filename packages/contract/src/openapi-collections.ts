import { collectionsPath } from "./collections.ts";
import type { ErrorCode } from "./error-codes.ts";
import { collectionExample } from "./openapi-examples.ts";
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
const needsManage = "The key needs the scope manage.";
const ofSession = {
  tags: ["Collection"],
  "x-sightline-addition": true,
  security: [{ session: [] }],
};
const idParameter = {
  name: "id",
  in: "path",
  required: true,
  description: "The collection's id.",
  schema: { type: "string", format: "uuid" },
};

/** The operations on collection: asking the providers, and how it goes. */
export function collectionsPaths(): Json {
  return {
    [collectionsPath]: { get: listOperation(), post: startOperation() },
    [`${collectionsPath}/{id}`]: {
      get: {
        operationId: "collection",
        summary: "Get a collection",
        description:
          `${addition} How a sweep stands, part by part: a part's answers begin to count all ` +
          `together, when it is published. ${needsManage}`,
        ...ofSession,
        parameters: [idParameter],
        responses: replies({ schema: "CollectionDto" }, "The sweep.", [...listErrors, "not_found"]),
      },
      delete: {
        operationId: "cancelCollection",
        summary: "Cancel a collection",
        description:
          `${addition} Asks nothing more. What was asked ends, and what was answered counts. ` +
          needsManage,
        ...ofSession,
        parameters: [idParameter],
        responses: replies({ schema: "CollectionDto" }, "The sweep.", [
          ...changeErrors,
          "not_found",
        ]),
      },
    },
  };
}

function listOperation(): Json {
  return {
    operationId: "collections",
    summary: "List collections",
    description:
      `${addition} The latest sweeps, when the next ones come, how vendors stand and what was ` +
      `spent. ${needsManage}`,
    ...ofSession,
    responses: replies({ schema: "CollectionsResponseDto" }, "The collections.", listErrors),
  };
}

function startOperation(): Json {
  const content = { schema: reference("CollectionRequestDto"), example: collectionExample };
  const started = { "application/json": { schema: reference("StartedCollectionDto") } };
  const { 200: dryRun, ...failures } = replies(
    { schema: "StartedCollectionDto" },
    "What it would ask and cost: a dry run.",
    [
      "invalid_request",
      ...changeErrors,
      "not_found",
      "collection_off",
      "payload_too_large",
      "unsupported_media_type",
    ],
  );
  return {
    operationId: "startCollection",
    summary: "Start a collection",
    description:
      `${addition} Asks the providers now, or says what it would cost. It goes on after the ` +
      `reply: follow it by its id. A repeated call asks again. ${needsManage}`,
    ...ofSession,
    requestBody: { required: true, content: { "application/json": content } },
    responses: {
      "200": dryRun,
      "202": { description: "The sweep was planned, and is being asked.", content: started },
      ...failures,
    },
  };
}
