import type { IncomingHttpHeaders } from "node:http";
import { ServiceError } from "../../platform/service-error.ts";
import type { AppServices } from "../app-services.ts";
import { entityReply } from "../entity-reply.ts";
import type { Reply } from "../route.ts";
import type { DocumentSection } from "./served-links.ts";

/** A page of text loads style, icon and scripts of this service, and the index of its search. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "connect-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** The header fields of a page of text. */
export const pageFields: Readonly<Record<string, string>> = {
  "Content-Security-Policy": policy,
  "X-Frame-Options": "DENY",
};

/** Whether a page is wanted, as browsers say when somebody opens an address. */
export function wantsPage({ accept = "" }: IncomingHttpHeaders): boolean {
  return /\btext\/html\b/i.test(accept);
}

/** A page that is asked for. */
export interface AskedPage {
  readonly section: DocumentSection;
  readonly name: string;
  readonly headers: IncomingHttpHeaders;
}

/** A page of docs/: HTML for who asks for that, as browsers do, else Markdown. */
export async function pageReply(
  { documents }: AppServices,
  { section, name, headers }: AskedPage,
): Promise<Reply> {
  const page = await documents.page(section, name);
  if (page === null) {
    throw new ServiceError("not_found", "No such page. /docs/guide/README lists all pages.");
  }
  const isHtml = wantsPage(headers);
  return entityReply(isHtml ? page.html : page.markdown, headers, {
    "Cache-Control": "no-cache",
    Vary: "Accept",
    ...(isHtml ? pageFields : {}),
  });
}
