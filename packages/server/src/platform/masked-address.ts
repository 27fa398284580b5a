/**
 * Addresses, separated by commas, for messages and the log: without names, passwords and
 * parameters, which may be secrets. Of what is not an address, only how it begins.
 */
export function maskedAddress(text: string): string {
  return text.split(",").map(masked).join(",");
}

function masked(text: string): string {
  const url = URL.parse(text.trim());
  if (url === null || url.host === "") {
    return `${/^[a-z]{0,12}:/i.exec(text.trim())?.[0] ?? ""}***`;
  }
  const user = url.username === "" && url.password === "" ? "" : "***@";
  const parameters = url.search === "" ? "" : "?***";
  return `${url.protocol}//${user}${url.host}${url.pathname}${parameters}`;
}
