import {
  type CreatedHookResponse,
  type DeliveriesResponse,
  type FieldError,
  type HooksResponse,
  hookRequestSchema,
  hooksMax,
  isMailto,
  type ListedDelivery,
  quoted,
} from "@sightline/contract";
import { actingFor, type ControlEngine } from "../control/control-engine.ts";
import { validated } from "../http/body.ts";
import {
  type Call,
  type Change,
  declared,
  jsonReply,
  type List,
  type Operation,
} from "../http/operation.ts";
import type { SecretBox } from "../keys/secret-box.ts";
import type { Clock } from "../platform/clock.ts";
import { ServiceError } from "../platform/service-error.ts";
import { untilAborted } from "../platform/until-aborted.ts";
import { deliveriesOf } from "./delivery-store.ts";
import { deleteHook, type HookRecord, hookById, hooksOf } from "./hook-store.ts";
import { wantedHookFault } from "./hook-url.ts";
import { listedDelivery } from "./listed-delivery.ts";
import { listedHook } from "./listed-hook.ts";
import { createHook } from "./manage-hooks.ts";
import type { Webhooks } from "./webhooks.ts";

/** Dependencies of the operations on webhooks. */
export interface HookServices {
  readonly control: ControlEngine;
  readonly secretBox: SecretBox;
  readonly webhooks: Webhooks;
  readonly clock: Clock;
  readonly config: { readonly hooksToPrivate: boolean; readonly smtpUrl: string | null };
}

const hooksRoute: List<HookServices> = {
  ...declared("hooks"),
  kind: "list",
  reply: async ({ control }, { caller }) => {
    const hooks = await hooksOf(control, caller.accountId);
    return jsonReply({ hooks: hooks.map(listedHook) } satisfies HooksResponse);
  },
};

const createHookRoute: Change<HookServices> = {
  ...declared("createHook"),
  kind: "change",
  reply: async (services, { caller: { accountId }, actor, body }) => {
    const request = validated(hookRequestSchema, body);
    const { hooksToPrivate, smtpUrl } = services.config;
    const fault = wantedHookFault(request, hooksToPrivate);
    if (fault !== null) throw invalid(fault);
    if (smtpUrl === null && isMailto(request.url)) throw invalid(noMail);
    const control = actingFor(services.control, actor);
    const created = await createHook({ ...services, control }, accountId, request);
    if (created === null) throw invalid({ path: "", code: "too_large", message: tooMany });
    const { hook, secret } = created;
    return jsonReply({ ...listedHook(hook), secret } satisfies CreatedHookResponse);
  },
};

const noMail: FieldError = {
  path: "/url",
  code: "not_allowed",
  message: "must not be mailto: the service sends no mails (SIGHTLINE_SMTP_URL is not set).",
};

const tooMany = `The account has ${hooksMax} webhooks, as many as it may have. Delete one first.`;

function invalid(error: FieldError): ServiceError {
  const detail = `${error.path || "/"}: ${error.message}`;
  return new ServiceError("invalid_request", detail, { errors: [error] });
}

const deleteHookRoute: Change<HookServices> = {
  ...declared("deleteHook"),
  kind: "change",
  reply: async ({ control, clock }, { caller, actor, parameters }) => {
    const { id = "" } = parameters;
    const by = actingFor(control, actor);
    const deleted = await deleteHook(by, caller.accountId, id.toLowerCase(), clock.now());
    if (deleted === null) throw unknownHook(id);
    return jsonReply(listedHook(deleted));
  },
};

const testHookRoute: Change<HookServices> = {
  ...declared("testHook"),
  kind: "change",
  reply: async (services, call) => {
    const hook = await hookOf(services.control, call);
    // The delivery itself goes on, and is listed.
    const delivery = await untilAborted(services.webhooks.test(hook, call.actor), call.ended);
    return jsonReply(listedDelivery(delivery) satisfies ListedDelivery);
  },
};

const hookDeliveriesRoute: List<HookServices> = {
  ...declared("hookDeliveries"),
  kind: "list",
  reply: async ({ control, clock }, call) => {
    const { accountId, id } = await hookOf(control, call);
    const deliveries = await deliveriesOf(control, accountId, id, clock.now());
    return jsonReply({
      deliveries: deliveries.map(listedDelivery),
    } satisfies DeliveriesResponse);
  },
};

/**
 * The webhook that the path names. @throws ServiceError not_found when the account does not have
 * it.
 */
async function hookOf(control: ControlEngine, { caller, parameters }: Call): Promise<HookRecord> {
  const { id = "" } = parameters;
  const hook = await hookById(control, caller.accountId, id.toLowerCase());
  if (hook === null) throw unknownHook(id);
  return hook;
}

/** A webhook of another account gets the same reply as an unknown one. */
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
