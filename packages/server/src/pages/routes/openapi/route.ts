import { openApiDocument, openApiPath } from "@sightline/contract";
import { jsonReply, type OpenRoute } from "../../../http/route.ts";

const document = jsonReply(openApiDocument());

/** GET /openapi.json: the OpenAPI 3.1 document. */
export const openApiRoute: OpenRoute = {
  access: "open",
  method: "GET",
  path: openApiPath,
  reply: async () => document,
};
