import { ApiError } from "@sightline/client";
import { faultText } from "../data/fault-text.ts";
import css from "../setup/setup.module.css";
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
