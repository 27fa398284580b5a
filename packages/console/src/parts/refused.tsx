import { ApiError, type Scope } from "@sightline/client";
import type { ReactNode } from "react";
import { useAccount } from "../data/account.ts";
import { faultText } from "../data/fault-text.ts";
import { aRole, rolesWith } from "../people/role-texts.ts";
import { Icon } from "./icon.tsx";
import css from "./refused.module.css";
import { Worded } from "./worded.tsx";

/** Why the service did not do what a form or a button asked for; the form itself is the way on. */
export function Refused({ error }: { readonly error: Error | null }) {
  if (error === null) return null;
  const refusal = error instanceof ApiError ? error : null;
  const faults = refusal?.errors ?? [];
  return (
    <div className={css["refused"]} role="alert">
      {faults.length === 0 ? (
        <p>
          <Worded text={faultText(error)} />
        </p>
      ) : (
        faults.map(({ path, message }) => (
          <p key={`${path}${message}`}>
            <strong>{path.slice(1) || "This"}</strong> {message}
          </p>
        ))
      )}
      {refusal?.requestId == null ? null : (
        <p className="small">Nothing was done. Request {refusal.requestId}</p>
      )}
    </div>
  );
}

interface MissingProps {
  readonly scope: Scope;
  /** What needs the scope, at the beginning of a sentence. */
  readonly what: string;
}

/** Says which scope or role is missing, and how to get it. Nothing while that is not known. */
export function Missing({ scope, what }: MissingProps) {
  const { session } = useAccount();
  if (session === null || session.scopes.includes(scope)) return null;
  const { person } = session;
  if (person !== undefined) {
    return (
      <Notice>
        {what} is for {rolesWith[scope]}; you are <b>{aRole(person.role)}</b> of{" "}
        {session.account.name}. An owner changes roles.
      </Notice>
    );
  }
  return (
    <Notice>
      {what} needs a key with the scope <strong>{scope}</strong>; this session has{" "}
      {session.scopes.join(", ")}. Sign in with another key, or have one made:{" "}
      <code>sightline keys create --scope read,import,manage</code>
    </Notice>
  );
}

/** Says what does not work now, and what to do about it. */
export function Notice({ children }: { readonly children: ReactNode }) {
  return (
    <p className={css["notice"]}>
      <Icon name="warn" />
      <span>{children}</span>
    </p>
  );
}
