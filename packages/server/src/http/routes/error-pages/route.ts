import { readFile } from "node:fs/promises";
import { errorCodes } from "@sightline/contract";
import { ServiceError } from "../../../platform/service-error.ts";
import type { OpenRoute } from "../../route.ts";

const pages = new URL("../../../../../../docs/errors/", import.meta.url);

/** GET /docs/errors/<code>: what a problem's `type` leads to. */
export const errorPagesRoute: OpenRoute = {
  access: "open",
  method: "GET",
  path: "/docs/errors/:code",
  answer: async (_, { code = "" }) => {
    // Only a name of the closed list becomes a file's name.
    if (!Object.hasOwn(errorCodes, code)) {
      throw new ServiceError("not_found", `There is no error code ${JSON.stringify(code)}.`);
    }
    const body = await readFile(new URL(`${code}.md`, pages), "utf8");
    return { contentType: "text/markdown; charset=utf-8", body };
  },
};
