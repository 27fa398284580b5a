import type { Role, Scope } from "@sightline/client";

/** The roles, from the least to the most. */
export const roleNames = ["viewer", "analyst", "manager", "owner"] as const;

/** What each role may do. */
export const roleTexts: Readonly<Record<Role, string>> = {
  viewer: "sees every page but Setup",
  analyst: "sees every page, and records answers and labels",
  manager: "changes everything but people: what is tracked and collected, keys, webhooks",
  owner: "changes everything, and says who belongs to the account",
};

/** A role with its article: an owner. */
export function aRole(role: Role): string {
  return `${/^[aeiou]/.test(role) ? "an" : "a"} ${role}`;
}

/** The people that have a scope, in words. No role creates accounts. */
export const rolesWith: Readonly<Record<Scope, string>> = {
  read: "anybody of the account",
  import: "an analyst, manager or owner",
  manage: "a manager or owner",
  people: "an owner",
  accounts: "a key with that scope",
};
