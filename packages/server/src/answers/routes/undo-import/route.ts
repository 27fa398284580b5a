import { importsPath, quoted, type UndoneImportResponse } from "@sightline/contract";
import { jsonReply, type OperationRoute } from "../../../http/route.ts";
import { ServiceError } from "../../../platform/service-error.ts";
import { correct } from "../delete-answers/correct.ts";

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** DELETE /v1/imports/{importId}, an addition: removes every answer that an import recorded. */
export const undoImportRoute: OperationRoute = {
  access: "operation",
  scope: "manage",
  method: "DELETE",
  path: `${importsPath}/:importId`,
  reply: async (services, { caller, parameters }) => {
    const { importId: given = "" } = parameters;
    const importId = given.toLowerCase();
    const { answers, factsCurrent } = uuid.test(importId)
      ? await correct(services, caller.accountId, { action: "undo", importId })
      : { answers: null, factsCurrent: true };
    if (answers === null) {
      throw new ServiceError("not_found", `The account has no import ${quoted(given)}.`);
    }
    return jsonReply({ deleted: answers, factsCurrent } satisfies UndoneImportResponse);
  },
};
