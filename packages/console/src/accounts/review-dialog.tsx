import {
  type AppliedWorkspace,
  InvalidRequestError,
  PreconditionFailedError,
  type WorkspaceFile,
} from "@sightline/client";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { useAccount } from "../data/account.ts";
import { countOf, countText } from "../data/format.ts";
import { useChange, useChanged } from "../data/managed.ts";
import { repliesOf } from "../data/queries.ts";
import { Button } from "../parts/button.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { Icon } from "../parts/icon.tsx";
import { Failure } from "../parts/panel.tsx";
import { announce } from "../parts/save.ts";
import { Tag, type TagKind } from "../parts/tag.tsx";
import { foundNote, foundWords } from "./found-answers.ts";
import css from "./review.module.css";

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
  /** Rebases the change on what was saved in the meantime, and shows the result. */
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
  const found = useFound(file, dryRun.data);
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
          <p className="quiet">The service calculates what this changes …</p>
        ) : (
          <Difference applied={dryRun.data} edits={props.edits} found={found} />
        )}
      </div>
    </Dialog>
  );
}

/** Whether anything is different after a save; the account's own name counts as updated. */
function changesAnything({ created, updated, retired }: AppliedWorkspace): boolean {
  return created + updated + retired > 0;
}

/** What changed names and domains find in the recorded answers. */
interface Found {
  /** By an entity's id. */
  readonly words: ReadonlyMap<string, readonly string[]>;
  /** On what that rests, or why it is not known; null: no name or domain changes. */
  readonly note: string | null;
}

const entityKinds: readonly string[] = ["brand", "competitor"];

/** Asked once the change is known to be taken; closing the dialog ends it. */
function useFound(file: WorkspaceFile | string, applied: AppliedWorkspace | undefined): Found {
  const account = useAccount();
  const { created = [], updated = [], retired = [] } = applied?.changes ?? {};
  const isAsked = [...created, ...updated, ...retired].some(({ kind }) =>
    entityKinds.includes(kind),
  );
  const { data, error } = useQuery({
    queryKey: [...repliesOf(account, "preview"), file],
    queryFn: ({ signal }) => account.client.previewWorkspace(file as WorkspaceFile, { signal }),
    enabled: isAsked && typeof file !== "string",
    gcTime: 0,
    staleTime: "static",
    retry: false,
  });
  const words = data === undefined ? new Map<string, readonly string[]>() : foundWords(data);
  if (!isAsked || typeof file === "string") return { words, note: null };
  if (error !== null)
    return { words, note: `How many answers it finds is not known: ${error.message}` };
  return {
    words,
    note: data === undefined ? "Counting the answers that change …" : foundNote(data),
  };
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
        <h3>The workspace was changed in the meantime</h3>
        <p>
          Your edits are neither saved nor lost. Load the newer state: your edits are applied to it
          field by field, and you review the difference before you save.
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
        <h3>The service cannot accept this yet</h3>
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

type Change = AppliedWorkspace["changes"]["created"][number];

/** Lines of a group that are shown. */
const shownMax = 40;

type Edits = ReadonlyMap<string, readonly string[]>;

interface DifferenceProps {
  readonly applied: AppliedWorkspace;
  /** What of an item is edited, in words, by its id; undefined: not known. */
  readonly edits: Edits | undefined;
  readonly found: Found;
}

/** What an apply changes, or would change: answers first, then items by what happens to them. */
function Difference({ applied, edits, found }: DifferenceProps) {
  const { changes, answersNoLongerCounted: lost, answersCountedAgain: again } = applied;
  const { created, updated, retired, returned } = changes;
  const back = new Set(returned.map(({ kind, id }) => `${kind} ${id}`));
  const edited = updated.filter(({ kind, id }) => !back.has(`${kind} ${id}`));
  const isNothing = created.length + updated.length + retired.length === 0;
  if (isNothing) return <p>Nothing differs from what is tracked: saving would change nothing.</p>;
  return (
    <>
      {lost === 0 ? null : (
        <div className={css["warning"]}>
          <Icon name="warn" />
          <div>
            <strong>
              {countOf(lost, "answer")} {lost === 1 ? "stops" : "stop"} counting
            </strong>
            <p>
              Their prompts are removed. They stay recorded, and count again with their prompts.
            </p>
          </div>
        </div>
      )}
      {again === 0 ? null : (
        <p>
          <strong>
            {countOf(again, "answer")} {again === 1 ? "counts" : "count"} again
          </strong>
          , because their prompts return.
        </p>
      )}
      <Group title="New" kind="better" changes={created} found={found} />
      <Group title="Back, with its history" kind="better" changes={returned} found={found} />
      <Group title="Edited" kind="accent" changes={edited} edits={edits} found={found} />
      <Group title="Removed" kind="worse" changes={retired} found={found} />
      {found.note === null ? null : <p className="small quiet">{found.note}</p>}
      <p className="small quiet">
        The change applies to all recorded answers. Pages show the previous numbers until the
        answers are reread.
      </p>
    </>
  );
}

interface GroupProps {
  readonly title: string;
  readonly kind: TagKind;
  readonly changes: readonly Change[];
  readonly edits?: Edits | undefined;
  readonly found: Found;
}

function Group({ title, kind, changes, edits, found }: GroupProps) {
  if (changes.length === 0) return null;
  const more = changes.length - shownMax;
  return (
    <section className={css["group"]}>
      <h3>
        {title} <span className="quiet">{countText(changes.length)}</span>
      </h3>
      <ul>
        {changes.slice(0, shownMax).map((change) => (
          <li key={`${change.kind}${change.id}`}>
            <Tag kind={kind}>{change.kind}</Tag>
            <span>
              {change.name}
              {[...(edits?.get(change.id) ?? []), ...(found.words.get(change.id) ?? [])].map(
                (words) => (
                  <span key={words} className={css["edit"]}>
                    {words}
                  </span>
                ),
              )}
            </span>
          </li>
        ))}
        {more > 0 ? <li className="quiet">and {countText(more)} more</li> : null}
      </ul>
    </section>
  );
}
