/**
 * What a key may do: `read` asks for numbers, `import` records answers, `manage` changes the
 * workspace, keys and answers, `accounts` creates other accounts, `people` invites people and sets
 * their roles. None includes another one.
 */
export const scopes = ["read", "import", "manage", "accounts", "people"] as const;

/** One of the scopes of a key. */
export type Scope = (typeof scopes)[number];
