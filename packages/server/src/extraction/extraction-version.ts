/**
 * The version of the rules by which answers are read. Raising it makes every stored answer be read
 * again, so it is raised with every change that can alter a mention, a rank, a canonical URL or a
 * domain: a rule, a table, and also a new release of the public suffix list or of Unicode (a new
 * Node).
 */
export const extractionVersion = 1;
