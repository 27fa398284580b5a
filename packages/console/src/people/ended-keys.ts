import type { ListedKey, Role, Scope } from "@sightline/client";

/** The scopes of each role, as the service has them. */
const scopesOfRole: Readonly<Record<Role, readonly Scope[]>> = {
  viewer: ["read"],
  analyst: ["read", "import"],
  manager: ["read", "import", "manage"],
  owner: ["read", "import", "manage", "people"],
};

/**
 * Which of a person's keys end with another role: valid ones that may do more than it.
 * @param role null: none, since the person is removed.
 */
export function endedKeys(
  keys: readonly ListedKey[],
  role: Role | null,
  nowMs: number = Date.now(),
): readonly ListedKey[] {
  const left: readonly Scope[] = role === null ? [] : scopesOfRole[role];
  return keys.filter(({ revokedAt, expiresAt, scopes }) => {
    if (revokedAt !== null || (expiresAt !== null && Date.parse(expiresAt) <= nowMs)) return false;
    return scopes.some((scope) => !left.includes(scope));
  });
}
