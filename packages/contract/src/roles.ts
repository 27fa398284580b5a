import type { Scope } from "./scopes.ts";

/** What a person is in an account, from the least to the most. */
export const roles = ["viewer", "analyst", "manager", "owner"] as const;

/** One of the roles of a person. */
export type Role = (typeof roles)[number];

/**
 * What each role may do: a viewer reads; an analyst also records answers and labels; a manager also
 * changes what is tracked and collected, keys and webhooks; an owner also says who belongs to it.
 */
export const scopesOfRole: Readonly<Record<Role, readonly Scope[]>> = {
  viewer: ["read"],
  analyst: ["read", "import"],
  manager: ["read", "import", "manage"],
  owner: ["read", "import", "manage", "people"],
};
