import type { DeclaredWorkspaceResponse } from "@sightline/client";
import { useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import { type Call, useChange } from "./managed.ts";
import { repliesOf } from "./queries.ts";

/** The views and notes that an account keeps. */
interface Kept {
  readonly views: NonNullable<DeclaredWorkspaceResponse["views"]>;
  readonly notes: NonNullable<DeclaredWorkspaceResponse["notes"]>;
}

/** What is to be kept instead of what is kept now. */
type KeptChange = (now: Kept) => Partial<Kept>;

/** Changes what the account keeps. */
export interface Keeping extends Pick<Call, "failure" | "isRunning"> {
  /** `onKept` is called when it is. */
  readonly keep: (change: KeptChange, onKept?: () => void) => void;
}

/**
 * Changes what the account keeps as it is now, not as it was when the page was drawn: of what
 * others kept in the meantime nothing is lost.
 */
export function useKeeping(): Keeping {
  const wanted = useRef<KeptChange>(() => ({}));
  const kept = useRef<(() => void) | undefined>(undefined);
  const queries = useQueryClient();
  const { failure, isRunning, run } = useChange(async (account) => {
    const { file, etag } = await account.client.workspaceFile();
    const { views = [], notes = [] } = file;
    const changed = { ...file, ...wanted.current({ views, notes }) };
    await account.client.applyWorkspace(changed, etag === null ? {} : { ifMatch: etag });
    for (const name of ["workspace", "workspaceFile"]) {
      await queries.invalidateQueries({ queryKey: repliesOf(account, name) });
    }
    kept.current?.();
  });
  const keep = (change: KeptChange, onKept?: () => void) => {
    wanted.current = change;
    kept.current = onKept;
    void run();
  };
  return { failure, isRunning, keep };
}
