/**
 * Addresses, separated by commas, for messages and the log: without names, passwords and
 * parameters, which may be secrets. Of what is not an address, only how it begins.
 */
export function maskedAddress(text: string): string {
  return text.split(",").map(masked).join(",");
}

/**
 * An address; null: it is none. In one whose password has a / or # that is not encoded, the name
 * and the password would be read as a host and a port.
 */
export function parsedAddress(text: string): URL | null {
  const url = URL.parse(text.trim());
  if (url === null || url.host === "") return null;
  const isCutOff = url.username === "" && `${url.pathname}${url.hash}`.includes("@");
  return isCutOff ? null : url;
}

function masked(text: string): string {
  const url = parsedAddress(text);
  if (url === null) {
    return `${/^[a-z]{0,12}:/i.exec(text.trim())?.[0] ?? ""}***`;
  }
  const user = url.username === "" && url.password === "" ? "" : "***@";
  const parameters = url.search === "" ? "" : "?***";
  return `${url.protocol}//${user}${url.host}${url.pathname}${parameters}`;
}
