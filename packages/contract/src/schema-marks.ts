import { z } from "zod";

/**
 * Marks an enumeration that a later version may add to: clients ignore unknown values. On other
 * enumerations, a new value in a reply breaks clients.
 */
export const mayGrow = { "x-sightline-may-grow": true } as const;

/** The names of the document's parts. A schema is registered last: a copy of it has no name. */
export const components = z.registry<{ id: string }>();
