import { keysPath } from "./keys.ts";
import {
  addition,
  bodyErrors,
  changeErrors,
  listErrors,
  needsManage,
  ofSession,
} from "./openapi-additions.ts";
import { replyExamples } from "./openapi-examples.ts";
import { type Json, reference, replies } from "./openapi-parts.ts";
import { workspaceMediaTypes } from "./workspace.ts";

/** What names the state of a workspace. */
export const workspaceTagFields: Json = {
  ETag: {
    description:
      "Names the revision of what is tracked, for If-Match. Answers that come do not change it.",
    schema: { type: "string" },
  },
};

const fileExample = {
  account: "Acme",
  brand: { name: "Acme", domains: ["acme.com"] },
  competitors: ["Globex"],
  prompts: ["Which storage?"],
};

/** The operation that changes what is tracked. */
export function applyWorkspaceOperation(): Json {
  const content = { schema: reference("WorkspaceFileDto"), example: fileExample };
  return {
    operationId: "applyWorkspace",
    tags: ["Workspace"],
    summary: "Apply a workspace file",
    description:
      `${addition} Tracks exactly what a workspace file of at most 32 MiB says, as JSON or YAML. ` +
      "What it omits is retired: nothing is deleted. The same file again changes nothing. The " +
      `account is the key's, whatever name the file gives it. ${needsManage}`,
    ...ofSession,
    parameters: [
      {
        name: "dryRun",
        in: "query",
        description: "true: the same reply, and nothing is written.",
        schema: { type: "boolean", default: false },
      },
      {
        name: "If-Match",
        in: "header",
        description: "The ETag that the workspace must have; otherwise nothing is changed (412).",
        schema: { type: "string" },
      },
    ],
    requestBody: {
      required: true,
      content: Object.fromEntries(workspaceMediaTypes.map((type) => [type, content])),
    },
    responses: replies(
      { schema: "AppliedWorkspaceDto", headers: workspaceTagFields },
      "What it changed.",
      [...bodyErrors, "request_timeout", "precondition_failed"],
    ),
  };
}

/** The operation that reads back what is tracked. */
export function workspaceFileOperation(): Json {
  return {
    operationId: "workspaceFile",
    tags: ["Workspace"],
    summary: "Workspace file",
    description:
      `${addition} What the account tracks as a workspace file with every id: names, aliases and ` +
      "domains, topics and prompts. Applying it changes nothing.",
    ...ofSession,
    responses: replies(
      {
        schema: "DeclaredWorkspaceResponseDto",
        example: replyExamples.workspaceFile,
        headers: workspaceTagFields,
      },
      "The workspace file.",
      listErrors,
    ),
  };
}

/** The operations on keys. */
export function keysPaths(): Json {
  return {
    [keysPath]: {
      get: {
        operationId: "keys",
        tags: ["Keys"],
        summary: "List keys",
        description: `${addition} The account's keys, never the keys themselves. ${needsManage}`,
        ...ofSession,
        responses: replies({ schema: "KeysResponseDto" }, "The keys.", listErrors),
      },
      post: {
        operationId: "createKey",
        tags: ["Keys"],
        summary: "Create a key",
        description:
          `${addition} Creates a key and shows it, this once. It gets no scope and no higher ` +
          `limit than the key which creates it has. ${needsManage}`,
        ...ofSession,
        requestBody: {
          required: true,
          content: {
            "application/json": {
              schema: reference("KeyRequestDto"),
              example: { name: "reports", scopes: ["read"], expiresIn: "90d" },
            },
          },
        },
        responses: replies({ schema: "CreatedKeyResponseDto" }, "The key.", bodyErrors),
      },
    },
    [`${keysPath}/{keyId}`]: {
      delete: {
        operationId: "revokeKey",
        tags: ["Keys"],
        summary: "Revoke a key",
        description:
          `${addition} Revokes a key, which ends its sessions immediately. Repeating it keeps ` +
          `the first instant. ${needsManage}`,
        ...ofSession,
        parameters: [
          {
            name: "keyId",
            in: "path",
            required: true,
            description: "The key's id.",
            schema: { type: "string" },
          },
        ],
        responses: replies({ schema: "KeyDto" }, "The key, revoked.", [
          ...changeErrors,
          "not_found",
        ]),
      },
    },
  };
}
