import {
  type AppliedWorkspace,
  InvalidRequestError,
  PreconditionFailedError,
  type WorkspaceFile,
} from "@sightline/client";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { useAccount } from "../data/account.ts";
import { useChanged } from "../data/managed.ts";
import { repliesOf } from "../data/queries.ts";
import { useChange } from "../data/use-change.ts";
import { Button } from "../parts/button.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { Failure } from "../parts/panel.tsx";
import { announce } from "../parts/save.ts";
import css from "../setup/setup.module.css";
import { Difference } from "./difference.tsx";

interface ReviewDialogProps {
  readonly title: string;
  /** What is to be tracked: an object, or the text of a file. */
  readonly file: WorkspaceFile | string;
  /** Of what the file is a change of. */
  readonly etag: string | null;
  /** What of an item is edited, in words, by its id; omitted: not known. */
  readonly edits?: ReadonlyMap<string, readonly string[]>;
  /** A place of the file in the reader's words. */
  readonly placeOf: (path: string) => string;
  /** Makes the change one of what somebody else saved; what is shown then follows. */
  readonly onConflict: () => Promise<void>;
  readonly onSaved: (etag: string | null) => void;
  readonly onClose: () => void;
}

/** What a file would change, as the service says; saved only after that was seen. */
export function ReviewDialog(props: ReviewDialogProps) {
  const { title, file, etag, placeOf, onConflict, onSaved, onClose } = props;
  const account = useAccount();
  const changed = useChanged();
  const ifMatch = etag === null ? {} : { ifMatch: etag };
  const dryRun = useQuery({
    queryKey: [...repliesOf(account, "dryRun"), file, etag],
    queryFn: ({ signal }) =>
      account.client.applyWorkspace(file, { dryRun: true, signal, ...ifMatch }),
    gcTime: 0,
    // Not asked again with the rest after a save: its tag is then the one before, and refused.
    staleTime: "static",
  });
  const { failure, isRunning, run, forget } = useChange(async ({ client }) => {
    const applied = await client.applyWorkspace(file, ifMatch);
    onSaved(applied.etag);
    changed();
    announce("Saved.");
  });
  const error = failure ?? dryRun.error;
  const isChange = dryRun.data !== undefined && changesAnything(dryRun.data);
  return (
    <Dialog
      title={title}
      onClose={onClose}
      foot={
        <>
          <Button onClick={onClose}>
            {dryRun.data !== undefined && !isChange ? "Close" : "Keep editing"}
          </Button>
          <Button
            kind="primary"
            disabled={error !== null || !isChange || isRunning}
            onClick={() => void run()}
          >
            {isRunning ? "Saving …" : "Save"}
          </Button>
        </>
      }
    >
      <div className={css["review"]} aria-busy={dryRun.isPending}>
        {error !== null ? (
          <Refusal
            error={error}
            placeOf={placeOf}
            onConflict={async () => {
              await onConflict();
              forget();
            }}
            retry={() => {
              forget();
              void dryRun.refetch();
            }}
          />
        ) : dryRun.data === undefined ? (
          <p className="quiet">The service works out what this changes …</p>
        ) : (
          <Difference applied={dryRun.data} edits={props.edits} />
        )}
      </div>
    </Dialog>
  );
}

/** Whether anything is different after a save; the account's own name counts as updated. */
function changesAnything({ created, updated, retired }: AppliedWorkspace): boolean {
  return created + updated + retired > 0;
}

interface RefusalProps {
  readonly error: Error;
  readonly placeOf: (path: string) => string;
  readonly onConflict: () => Promise<void>;
  readonly retry: () => void;
}

function Refusal({ error, placeOf, onConflict, retry }: RefusalProps): ReactNode {
  const [isLoading, setLoading] = useState(false);
  if (error instanceof PreconditionFailedError) {
    const load = async () => {
      setLoading(true);
      await onConflict().finally(() => setLoading(false));
    };
    return (
      <div className={css["conflict"]} role="alert">
        <h3>Somebody else changed the workspace meanwhile</h3>
        <p>
          Nothing of yours is saved or lost. Load the newer state: your edits are made to it, field
          by field, and you see the difference before you save.
        </p>
        <Button kind="primary" disabled={isLoading} onClick={() => void load()}>
          Load it and keep my edits
        </Button>
      </div>
    );
  }
  if (error instanceof InvalidRequestError && error.errors.length > 0) {
    return (
      <div role="alert">
        <h3>The service cannot take this yet</h3>
        <ul className={css["faults"]}>
          {error.errors.map(({ path, message }) => (
            <li key={`${path}${message}`}>
              <strong>{placeOf(path)}</strong> {message}
            </li>
          ))}
        </ul>
      </div>
    );
  }
  return <Failure error={error} retry={retry} />;
}
