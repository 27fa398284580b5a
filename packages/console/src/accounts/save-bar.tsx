import type { TaggedWorkspaceFile } from "@sightline/client";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useAccount } from "../data/account.ts";
import { countOf } from "../data/format.ts";
import { repliesOf } from "../data/queries.ts";
import { Button } from "../parts/button.tsx";
import { fileOfDraft, placeIn } from "./draft.ts";
import { editedFields } from "./draft-changes.ts";
import type { DraftEditor } from "./draft-store.ts";
import css from "./review.module.css";
import { ReviewDialog } from "./review-dialog.tsx";

/** Stands at the foot of the window while something is edited and not saved. */
export function SaveBar({ editor }: { readonly editor: DraftEditor }) {
  const { draft, base, changes, etag, discard, rebase } = editor;
  const account = useAccount();
  const queries = useQueryClient();
  const [isReviewed, setReviewed] = useState(false);
  const isChanged = changes.count > 0;
  if (!isChanged && !isReviewed) return null;
  const close = () => setReviewed(false);
  return (
    <>
      <div className={css["saveBar"]} role="region" aria-label="Unsaved changes">
        <span>{countOf(changes.count, "change")} not saved</span>
        <Button onClick={discard}>Discard</Button>
        <Button kind="primary" onClick={() => setReviewed(true)}>
          Review and save
        </Button>
      </div>
      {isReviewed ? (
        <ReviewDialog
          title="What this changes"
          file={fileOfDraft(draft)}
          etag={etag}
          edits={editedFields(base, draft)}
          placeOf={(path) => placeIn(draft, path)}
          onConflict={async () => {
            const theirs = await account.client.workspaceFile();
            rebase(theirs);
            queries.setQueryData(repliesOf(account, "workspaceFile"), theirs);
          }}
          onSaved={() => {
            close();
            void saved();
          }}
          onClose={close}
        />
      ) : null}
    </>
  );

  /**
   * The edits end when what was saved is there, so that nothing jumps back in between; a reader may
   * have made others by then.
   */
  async function saved(): Promise<void> {
    const queryKey = repliesOf(account, "workspaceFile");
    await queries.refetchQueries({ queryKey });
    const now = queries.getQueryData<TaggedWorkspaceFile>(queryKey);
    if (now !== undefined) editor.saved(draft, now);
  }
}
