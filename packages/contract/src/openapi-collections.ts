import { collectionsPath } from "./collections.ts";
import {
  addition,
  bodyErrors,
  changeErrors,
  idInPath,
  listErrors,
  needsManage,
  ofSession,
} from "./openapi-additions.ts";
import { collectionExample } from "./openapi-examples.ts";
import { type Json, reference, replies } from "./openapi-parts.ts";

const ofCollection = { tags: ["Collection"], ...ofSession };
const idParameter = idInPath("id", "The collection's id.");

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
        ...ofCollection,
        parameters: [idParameter],
        responses: replies({ schema: "CollectionDto" }, "The sweep.", [...listErrors, "not_found"]),
      },
      delete: {
        operationId: "cancelCollection",
        summary: "Cancel a collection",
        description:
          `${addition} Sends no further question. What was asked ends, and what was answered ` +
          `counts. ${needsManage}`,
        ...ofCollection,
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
    ...ofCollection,
    responses: replies({ schema: "CollectionsResponseDto" }, "The collections.", listErrors),
  };
}

function startOperation(): Json {
  const content = { schema: reference("CollectionRequestDto"), example: collectionExample };
  const started = { "application/json": { schema: reference("StartedCollectionDto") } };
  const { 200: dryRun, ...failures } = replies(
    { schema: "StartedCollectionDto" },
    "What it would ask and cost: a dry run.",
    [...bodyErrors, "not_found", "collection_off"],
  );
  return {
    operationId: "startCollection",
    summary: "Start a collection",
    description:
      `${addition} Asks the providers now, or says what it would cost. It goes on after the ` +
      `reply: follow it by its id. A repeated call asks again. ${needsManage}`,
    ...ofCollection,
    requestBody: { required: true, content: { "application/json": content } },
    responses: {
      "200": dryRun,
      "202": { description: "The sweep was planned, and is being asked.", content: started },
      ...failures,
    },
  };
}
