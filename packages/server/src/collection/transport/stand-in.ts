/**
 * The address at which every vendor is stood in for, without a slash at its end; null: the text is
 * not one. A stand-in is on this machine: a credential is never sent over a network in clear text.
 */
export function standInAddress(text: string): string | null {
  const url = URL.parse(text);
  if (url === null || url.protocol !== "http:" || url.port === "") return null;
  const isLoopback = /^(?:127(?:\.\d{1,3}){3}|\[::1\])$/.test(url.hostname);
  const isBare = url.pathname === "/" && url.search === "" && url.hash === "";
  const isOpen = url.username === "" && url.password === "";
  return isLoopback && isBare && isOpen ? url.origin : null;
}
