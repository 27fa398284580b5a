import {
  type CollectionRequest,
  collectionRequestSchema,
  collectionsPath,
  type FieldError,
} from "@sightline/contract";
import { unlessFailed } from "../../../http/refused-work.ts";
import { jsonReply, type OperationRoute, type Reply } from "../../../http/route.ts";
import { validated } from "../../../http/validation.ts";
import { ServiceError } from "../../../platform/service-error.ts";
import type { PlanOrder, PlanOutcome } from "../../schedule/plan-now.ts";
import { isCollectionOff, startedCollection } from "../../started-collection.ts";

/** POST /v1/collections, an addition to the interface: asks now, or says what it would cost. */
export const startCollectionRoute: OperationRoute = {
  access: "operation",
  scope: "manage",
  method: "POST",
  path: collectionsPath,
  reply: async ({ collection }, { caller: { accountId }, body }) => {
    const order = orderOf(accountId, validated(collectionRequestSchema, body));
    return replyOf(await unlessFailed(collection.api.plan(order), refused), order);
  },
};

function orderOf(accountId: string, request: CollectionRequest): PlanOrder {
  const { promptIds, topics, providers, regions, samples, dryRun = false } = request;
  const lower = (ids: readonly string[]) => ids.map((id) => id.toLowerCase());
  return {
    accountId,
    ...(promptIds === undefined ? {} : { promptIds: lower(promptIds) }),
    ...(topics === undefined ? {} : { topicIds: lower(topics.map(({ id }) => id)) }),
    ...(providers === undefined ? {} : { providers }),
    ...(regions === undefined ? {} : { regions: [...new Set(regions)] }),
    ...(samples === undefined ? {} : { samples }),
    dryRun,
  };
}

function replyOf(outcome: PlanOutcome, { dryRun }: PlanOrder): Reply {
  switch (outcome.kind) {
    case "planned":
      if (dryRun) return jsonReply(startedCollection(outcome));
      if (isCollectionOff(outcome)) throw off(outcome);
      if (outcome.sweepId === null) throw invalid("not_allowed", nothingToAsk);
      return { ...jsonReply(startedCollection(outcome)), status: 202 };
    case "too-many":
      throw invalid("too_large", `would be more than ${outcome.jobsMax} questions. Select fewer.`);
    case "no-account":
      throw new ServiceError("not_found", "The account was deleted.");
  }
}

const refused = { failed: "The sweep could not be planned.", advice: "Retry." };

const nothingToAsk =
  "selects no prompt of which a provider is asked. Name providers, or declare `collection` in " +
  "the workspace; retired and paused prompts are not asked.";

function off(outcome: Extract<PlanOutcome, { kind: "planned" }>): ServiceError {
  const reasons = startedCollection(outcome).unanswered.map(({ reason }) => reason);
  return new ServiceError("collection_off", [...new Set(reasons)].join(" "));
}

function invalid(code: FieldError["code"], message: string): ServiceError {
  return new ServiceError("invalid_request", `/: ${message}`, {
    errors: [{ path: "", code, message }],
  });
}
