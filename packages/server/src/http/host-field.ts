import type { IncomingMessage } from "node:http";

/**
 * Whether a request names its host as RFC 9112, 3.2 wants it: one Host field; HTTP/1.0 may send
 * none. Node would refuse a missing one itself, but with an empty reply, and takes two.
 */
export function hasGoodHost({ httpVersion, rawHeaders }: IncomingMessage): boolean {
  let fields = 0;
  for (let name = 0; name < rawHeaders.length; name += 2) {
    const field = rawHeaders[name];
    if (field?.length === 4 && field.toLowerCase() === "host") fields++;
  }
  return fields === 1 || (fields === 0 && httpVersion === "1.0");
}
