import { answersPath } from "@sightline/contract";
import type { ImportRoute } from "../../../http/route.ts";

/** POST /v1/answers, an addition to the interface: records answers. */
export const answersRoute: ImportRoute = {
  access: "import",
  scope: "import",
  method: "POST",
  path: answersPath,
};
