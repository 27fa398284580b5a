import { parse } from "tldts";

/**
 * A longer label is prose. The bound also keeps nested links linear: each level's label contains
 * all inner ones.
 */
const labelCharactersMax = 300;

const decoration = /^[\s*_~`"'([<]+|[\s*_~`"')\]>.,:;]+$/g;
const invisible = /\p{Default_Ignorable_Code_Point}/gu;
const scheme = /(?:[a-z][a-z0-9+.-]*:\/\/)?/;
const dottedName = /((?:[\p{L}\p{M}\p{N}_-]+\.)+[\p{L}\p{M}\p{N}-]+)\.?/u;
const portAndPath = /(?::\d+)?(?:[/?#]\S*)?/;
const address = new RegExp(`^${scheme.source}${dottedName.source}${portAndPath.source}$`, "iu");

/** A label without the emphasis, quotes and brackets around it; "" when it is prose. */
export function plainLabel(label: string): string {
  if (label.length > labelCharactersMax || !label.includes(".")) return "";
  return label.replace(invisible, "").replace(decoration, "");
}

/**
 * The host of a plain label that is only a host name or URL (`samsung.com`,
 * `www.acme.com/phones`): it names a source and mentions nobody. Null for other labels. The host
 * must end in a known public suffix: `Node.js` is a name.
 */
export function publicHost(plain: string): string | null {
  const host = address.exec(plain)?.[1];
  if (host === undefined) return null;
  const parsed = parse(host, { allowPrivateDomains: true, extractHostname: false });
  const isPublic = parsed.isIp === true || parsed.isIcann === true || parsed.isPrivate === true;
  return isPublic ? host : null;
}
