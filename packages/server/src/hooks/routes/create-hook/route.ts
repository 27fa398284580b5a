import {
  type CreatedHookResponse,
  type FieldError,
  hookRequestSchema,
  hooksMax,
  hooksPath,
} from "@sightline/contract";
import { jsonReply, type OperationRoute } from "../../../http/route.ts";
import { validated } from "../../../http/validation.ts";
import { ServiceError } from "../../../platform/service-error.ts";
import { hooksOf } from "../../hook-store.ts";
import { hookUrlFault } from "../../hook-url.ts";
import { listedHook } from "../../listed-hook.ts";
import { createHook } from "../../manage-hooks.ts";

/** POST /v1/hooks, an addition to the interface: creates a webhook, and shows its secret once. */
export const createHookRoute: OperationRoute = {
  access: "operation",
  scope: "manage",
  method: "POST",
  path: hooksPath,
  reply: async (services, { caller: { accountId }, body }) => {
    const request = validated(hookRequestSchema, body);
    const fault = hookUrlFault(request.url, services.config.hooksToPrivate);
    if (fault !== null) throw invalid({ path: "/url", code: "not_allowed", message: `${fault}.` });
    const { length } = await hooksOf(services.control, accountId);
    if (length >= hooksMax) throw invalid({ path: "", code: "too_large", message: tooMany });
    const { hook, secret } = await createHook(services, accountId, request);
    return jsonReply({ ...listedHook(hook), secret } satisfies CreatedHookResponse);
  },
};

const tooMany = `The account has ${hooksMax} webhooks, as many as it may have. Delete one first.`;

function invalid(error: FieldError): ServiceError {
  const detail = `${error.path || "/"}: ${error.message}`;
  return new ServiceError("invalid_request", detail, { errors: [error] });
}
