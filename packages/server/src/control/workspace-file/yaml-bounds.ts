/** How deep lists and objects may be nested: a workspace file needs four. */
export const depthMax = 32;

/** The maximum uses of YAML aliases (`*name`): each may stand for a long list. */
export const aliasesMax = 100;

/**
 * The maximum size of a workspace file. 100,000 prompts of 200 characters, with ids and topics,
 * take about 28 MB, and a parser's memory grows with its input.
 */
export const workspaceBytesMax = 32 * 1024 * 1024;
