import { z } from "zod";

/** The longest domain name, in characters (RFC 1035). */
const domainCharactersMax = 253;
/** A longer URL does not count as a citation. */
const urlCharactersMax = 8_192;

/** A cited source, by its domain, its page, or both. */
export const citedSourceShape = {
  domain: z
    .string()
    .min(1)
    .max(domainCharactersMax)
    .optional()
    .describe("A registrable domain, as `groupBy` domain lists it; in either case."),
  url: z
    .string()
    .min(1)
    .max(urlCharactersMax)
    .optional()
    .describe("A page, in any spelling with the same canonical URL."),
};
