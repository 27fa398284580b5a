/**
 * An id that nothing else has, for what only this page knows. Pages over http of another machine
 * have no `crypto.randomUUID`.
 */
export function randomId(): string {
  return crypto.getRandomValues(new Uint32Array(4)).join("-");
}
