import { pageReply } from "../../documents/page-reply.ts";
import type { OpenRoute } from "../../route.ts";

/** GET /docs/errors/<code>: what a problem's `type` leads to; README is the list of the codes. */
export const errorPagesRoute: OpenRoute = {
  access: "open",
  method: "GET",
  path: "/docs/errors/:code",
  reply: (services, { code = "" }, headers) =>
    pageReply(services, { section: "errors", name: code, headers }),
};
