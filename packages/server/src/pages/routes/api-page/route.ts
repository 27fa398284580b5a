import { entityReply } from "../../../http/entity-reply.ts";
import type { OpenRoute } from "../../../http/route.ts";

/**
 * What the API page may load and run: files of this service. `style-src` has the one relaxation:
 * the library puts `<style>` elements and `style` attributes into the page, whose texts differ from
 * state to state, so that neither a hash nor a nonce can name them. Scripts have none.
 */
const policy =
  "default-src 'self'; style-src 'self' 'unsafe-inline'; object-src 'none'; base-uri 'none'; " +
  "form-action 'none'; frame-ancestors 'none'";

/** GET /docs: the API page, over /openapi.json. */
export const apiPageRoute: OpenRoute = {
  access: "open",
  method: "GET",
  path: "/docs",
  reply: async ({ documents }, _, headers) =>
    entityReply(await documents.apiPage(), headers, {
      "Cache-Control": "no-cache",
      "Content-Security-Policy": policy,
      "Referrer-Policy": "no-referrer",
      "X-Frame-Options": "DENY", // for browsers that do not know frame-ancestors
    }),
};
