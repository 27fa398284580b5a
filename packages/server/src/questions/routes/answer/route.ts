import { answersPath, uuidSchema } from "@sightline/contract";
import type { AccountRoute } from "../../../http/route.ts";
import { ServiceError } from "../../../platform/service-error.ts";

/** GET /v1/answers/{id}, an addition to the interface: one answer as it was recorded. */
export const answerRoute: AccountRoute = {
  access: "session",
  scope: "read",
  method: "GET",
  path: `${answersPath}/:id`,
  parse: async (_services, _accountId, { id = "" }) => {
    if (!uuidSchema.safeParse(id).success) throw noAnswer();
    const answerId = id.toLowerCase();
    return {
      key: answerId,
      showsTexts: true,
      reply: async ({ services, accountId, signal }) => {
        const { json } = await services.facts.answer(accountId, answerId, signal);
        if (json === null) throw noAnswer();
        return Buffer.from(json.buffer, json.byteOffset, json.byteLength);
      },
    };
  },
};

function noAnswer(): ServiceError {
  return new ServiceError("answer_not_found", "The account has no answer with this id.");
}
