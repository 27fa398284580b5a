import {
  type DeleteAnswersResponse,
  deleteAnswersPath,
  deleteAnswersRequestSchema,
} from "@sightline/contract";
import { jsonReply, type OperationRoute } from "../../../http/route.ts";
import { validated } from "../../../http/validation.ts";
import { everyAnswer } from "../../answer-selection.ts";
import { selectionOfFilters } from "../../corrections/selection-of-filters.ts";
import { correct } from "./correct.ts";

/** POST /v1/answers/delete, an addition to the interface: removes answers for good. */
export const deleteAnswersRoute: OperationRoute = {
  access: "operation",
  scope: "manage",
  method: "POST",
  path: deleteAnswersPath,
  reply: async (services, { caller: { accountId }, body }) => {
    const { ids, filters, dryRun } = validated(deleteAnswersRequestSchema, body);
    const selection =
      filters === undefined
        ? { ...everyAnswer, ids: ids?.map((id) => id.toLowerCase()) ?? [] }
        : await selectionOfFilters(services.control, accountId, filters);
    const action = dryRun ? "count" : "remove";
    const { answers, factsCurrent } = await correct(services, accountId, { action, selection });
    const matched = answers ?? 0;
    const deleted = dryRun ? 0 : matched;
    return jsonReply({ matched, deleted, factsCurrent } satisfies DeleteAnswersResponse);
  },
};
