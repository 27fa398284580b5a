import { type ImportsResponse, importsPath } from "@sightline/contract";
import { jsonReply, type OperationRoute } from "../../../http/route.ts";
import type { ImportRecord } from "../../import-store.ts";

/** GET /v1/imports, an addition to the interface: the imports of the caller's account. */
export const importsRoute: OperationRoute = {
  access: "operation",
  scope: "import",
  method: "GET",
  path: importsPath,
  reply: async ({ control }, { caller }) => {
    const imports = await control.imports(caller.accountId);
    return jsonReply({ imports: imports.map(listed) } satisfies ImportsResponse);
  },
};

function listed({ startedAt, undoneAt, ...noted }: ImportRecord) {
  return {
    ...noted,
    startedAt: new Date(startedAt).toISOString(),
    undoneAt: undoneAt === null ? null : new Date(undoneAt).toISOString(),
  };
}
