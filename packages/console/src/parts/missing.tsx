import type { Scope } from "@sightline/client";
import { useAccount } from "../data/account.ts";
import css from "../setup/setup.module.css";
import { Icon } from "./icon.tsx";

interface MissingProps {
  readonly scope: Scope;
  /** What needs the scope, at the beginning of a sentence. */
  readonly what: string;
}

/** Says which scope the session lacks, and how to get it. Nothing while that is not known. */
export function Missing({ scope, what }: MissingProps) {
  const { session } = useAccount();
  if (session === null || session.scopes.includes(scope)) return null;
  return (
    <p className={css["missing"]}>
      <Icon name="warn" />
      <span>
        {what} needs a key with the scope <strong>{scope}</strong>; this session has{" "}
        {session.scopes.join(", ")}. Sign in with another key, or have one made:{" "}
        <code>sightline keys create --scope read,import,manage</code>
      </span>
    </p>
  );
}
