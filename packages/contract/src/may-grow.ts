/**
 * Marks an enumeration that a later version may add to: clients ignore unknown values. On other
 * enumerations, a new value in a reply breaks clients.
 */
export const mayGrow = { "x-sightline-may-grow": true } as const;
