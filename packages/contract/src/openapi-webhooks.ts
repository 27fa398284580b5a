import {
  addition,
  bodyErrors,
  changeErrors,
  idInPath,
  listErrors,
  needsManage,
  ofSession,
} from "./openapi-additions.ts";
import { webhookExample } from "./openapi-examples.ts";
import { type Json, reference, replies } from "./openapi-parts.ts";
import type { SchemaName } from "./openapi-schemas.ts";
import { hooksPath } from "./webhooks.ts";

const idParameter = idInPath("id", "The webhook's id.");

/** The operations on webhooks. */
export function hooksPaths(): Json {
  return {
    [hooksPath]: { get: listOperation, post: createOperation() },
    [`${hooksPath}/{id}`]: {
      delete: {
        operationId: "deleteHook",
        tags: ["Webhooks"],
        summary: "Delete a webhook",
        description: `${addition} Deletes a webhook and the log of its deliveries. ${needsManage}`,
        ...ofSession,
        parameters: [idParameter],
        responses: replies({ schema: "HookDto" }, "The webhook, as it was.", [
          ...changeErrors,
          "not_found",
        ]),
      },
    },
    [`${hooksPath}/{id}/test`]: {
      post: {
        operationId: "testHook",
        tags: ["Webhooks"],
        summary: "Test a webhook",
        description:
          `${addition} Sends an event of the type test, once, and replies how that went. A test ` +
          `that succeeds enables a webhook that was disabled. ${needsManage}`,
        ...ofSession,
        parameters: [idParameter],
        responses: replies({ schema: "DeliveryDto" }, "The delivery, which has ended.", [
          ...changeErrors,
          "not_found",
        ]),
      },
    },
    [`${hooksPath}/{id}/deliveries`]: {
      get: {
        operationId: "hookDeliveries",
        tags: ["Webhooks"],
        summary: "List deliveries",
        description: `${addition} What was sent to a webhook, and how it went. ${needsManage}`,
        ...ofSession,
        parameters: [idParameter],
        responses: replies({ schema: "DeliveriesResponseDto" }, "The deliveries.", [
          ...listErrors,
          "not_found",
        ]),
      },
    },
  };
}

const listOperation = {
  operationId: "hooks",
  tags: ["Webhooks"],
  summary: "List webhooks",
  description: `${addition} The account's webhooks, never their secrets. ${needsManage}`,
  ...ofSession,
  responses: replies({ schema: "HooksResponseDto" }, "The webhooks.", listErrors),
};

function createOperation(): Json {
  const content = { schema: reference("HookRequestDto"), example: webhookExample };
  return {
    operationId: "createHook",
    tags: ["Webhooks"],
    summary: "Create a webhook",
    description:
      `${addition} Has events sent to an address, signed as Standard Webhooks says, and shows ` +
      `the secret that verifies them, this once. ${needsManage}`,
    ...ofSession,
    requestBody: { required: true, content: { "application/json": content } },
    responses: replies({ schema: "CreatedHookResponseDto" }, "The webhook.", bodyErrors),
  };
}

/** What the service sends by itself. */
export function sentEvents(): Json {
  const event = (schema: SchemaName, summary: string, description: string) => ({
    post: {
      operationId: `receive${schema.replace("EventDto", "")}`,
      summary,
      description,
      "x-sightline-addition": true,
      security: [], // a signature in its header fields
      requestBody: {
        required: true,
        content: { "application/json": { schema: reference(schema) } },
      },
      responses: { "200": { description: "The event was received; so is any status of 2xx." } },
    },
  });
  return {
    digest: event("DigestEventDto", "Weekly digest", "The last whole week against the one before."),
    moved: event("MovedEventDto", "What moved", "Values of the brand that moved, at most daily."),
    "collection-failed": event(
      "CollectionFailedEventDto",
      "Failing collection",
      "A provider gave no answer in three sweeps in succession.",
    ),
    test: event("TestEventDto", "Test", "What a test of a webhook sends."),
  };
}
