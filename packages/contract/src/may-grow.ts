/**
 * On an enumeration: a later version may add to it, so that a client passes over a value which it
 * does not know. Without it, a value that is added to a reply breaks clients.
 */
export const mayGrow = { "x-sightline-may-grow": true } as const;
