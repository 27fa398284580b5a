import type { StandInReply } from "./vendor-stand-in.ts";

/** Google's host of what answers cite: each address leads to a page by a redirect. */
export const redirectHost = "vertexaisearch.cloud.google.com";
const folder = "/grounding-api-redirect/";
const prefix = "AUZIYQ";

/** The address that leads to a page. All that is known of the page is in it: none expires. */
export function redirectTo(url: string): string {
  return `https://${redirectHost}${folder}${prefix}${Buffer.from(url).toString("base64url")}`;
}

/** Where an address of the host leads; 404 where it is none of ours. */
export function redirected(path: string): StandInReply {
  const start = `${folder}${prefix}`;
  if (!path.startsWith(start)) return { status: 404 };
  const location = Buffer.from(path.slice(start.length), "base64url").toString("utf8");
  return URL.canParse(location) ? { status: 302, headers: { location } } : { status: 404 };
}
