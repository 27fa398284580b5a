import {
  type CreatedHookResponse,
  type DeliveriesResponse,
  type FieldError,
  type HooksResponse,
  hookRequestSchema,
  hooksMax,
  hooksPath,
  type ListedDelivery,
  quoted,
} from "@sightline/contract";
import type { ControlEngine } from "../control/control-engine.ts";
import { validated } from "../http/body.ts";
import { type Call, type Change, jsonReply, type List, type Operation } from "../http/operation.ts";
import type { SecretBox } from "../keys/secret-box.ts";
import type { Clock } from "../platform/clock.ts";
import { ServiceError } from "../platform/service-error.ts";
import { deliveriesOf } from "./delivery-store.ts";
import { deleteHook, type HookRecord, hookById, hooksOf } from "./hook-store.ts";
import { hookUrlFault } from "./hook-url.ts";
import { listedDelivery } from "./listed-delivery.ts";
import { listedHook } from "./listed-hook.ts";
import { createHook } from "./manage-hooks.ts";
import type { Webhooks } from "./webhooks.ts";

/** What the operations on webhooks are made of. */
export interface HookServices {
  readonly control: ControlEngine;
  readonly secretBox: SecretBox;
  readonly webhooks: Webhooks;
  readonly clock: Clock;
  readonly config: { readonly hooksToPrivate: boolean };
}

/** GET /v1/hooks, an addition to the interface: the webhooks of the caller's account. */
const hooksRoute: List<HookServices> = {
  kind: "list",
  scope: "manage",
  method: "GET",
  path: hooksPath,
  reply: async ({ control }, { caller }) => {
    const hooks = await hooksOf(control, caller.accountId);
    return jsonReply({ hooks: hooks.map(listedHook) } satisfies HooksResponse);
  },
};

/** POST /v1/hooks, an addition to the interface: creates a webhook, and shows its secret once. */
const createHookRoute: Change<HookServices> = {
  kind: "change",
  scope: "manage",
  method: "POST",
  path: hooksPath,
  hasBody: true,
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

/** DELETE /v1/hooks/{id}, an addition to the interface: deletes a webhook and its deliveries. */
const deleteHookRoute: Change<HookServices> = {
  kind: "change",
  scope: "manage",
  method: "DELETE",
  path: `${hooksPath}/:id`,
  hasBody: false,
  reply: async ({ control }, { caller, parameters }) => {
    const { id = "" } = parameters;
    const deleted = await deleteHook(control, caller.accountId, id.toLowerCase());
    if (deleted === null) throw unknownHook(id);
    return jsonReply(listedHook(deleted));
  },
};

/** POST /v1/hooks/{id}/test, an addition to the interface: sends a test, and says how it went. */
const testHookRoute: Change<HookServices> = {
  kind: "change",
  scope: "manage",
  method: "POST",
  path: `${hooksPath}/:id/test`,
  hasBody: false,
  reply: async (services, call) => {
    const hook = await hookOf(services.control, call);
    const delivery = await services.webhooks.test(hook);
    return jsonReply(listedDelivery(delivery) satisfies ListedDelivery);
  },
};

/** GET /v1/hooks/{id}/deliveries, an addition: what was sent to a webhook, and how it went. */
const hookDeliveriesRoute: List<HookServices> = {
  kind: "list",
  scope: "manage",
  method: "GET",
  path: `${hooksPath}/:id/deliveries`,
  reply: async ({ control, clock }, call) => {
    const { accountId, id } = await hookOf(control, call);
    const deliveries = await deliveriesOf(control, accountId, id, clock.now());
    return jsonReply({
      deliveries: deliveries.map(listedDelivery),
    } satisfies DeliveriesResponse);
  },
};

/** The webhook that a path names. @throws ServiceError not_found when the account has no such. */
async function hookOf(control: ControlEngine, { caller, parameters }: Call): Promise<HookRecord> {
  const { id = "" } = parameters;
  const hook = await hookById(control, caller.accountId, id.toLowerCase());
  if (hook === null) throw unknownHook(id);
  return hook;
}

/** A webhook of another account gets the reply of an unknown one. */
function unknownHook(id: string): ServiceError {
  return new ServiceError("not_found", `The account has no webhook ${quoted(id)}.`);
}

/** The operations on webhooks. */
export const hookOperations: readonly Operation<HookServices>[] = [
  hooksRoute,
  createHookRoute,
  deleteHookRoute,
  testHookRoute,
  hookDeliveriesRoute,
];
