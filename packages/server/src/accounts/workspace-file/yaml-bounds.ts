/** How deep lists and objects may be nested: a workspace file needs four. */
export const depthMax = 32;

/** The maximum uses of YAML aliases (`*name`): each may stand for a long list. */
export const aliasesMax = 100;

/**
 * The maximum size of a workspace file. 100,000 prompts of 200 characters, with ids and topics,
 * take about 28 MB, and a parser's memory grows with its input.
 */
export const workspaceBytesMax = 32 * 1024 * 1024;

/**
 * The most values of a file, whose objects take up to 150 times the bytes that they have in YAML.
 * 100,000 prompts with all their fields have 1.5 million; so many take 600 MB while they are read.
 */
export const valuesMax = 2_000_000;
