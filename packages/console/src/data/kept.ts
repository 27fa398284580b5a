import type { DeclaredWorkspaceResponse } from "@sightline/client";
import { useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import { type Call, useChange } from "./managed.ts";
import { repliesOf } from "./queries.ts";

/** The views, notes and reports that an account keeps. */
interface Kept {
  readonly views: NonNullable<DeclaredWorkspaceResponse["views"]>;
  readonly notes: NonNullable<DeclaredWorkspaceResponse["notes"]>;
  readonly reports: NonNullable<DeclaredWorkspaceResponse["reports"]>;
}

/** What is to be kept instead of what is kept now. */
type KeptChange = (now: Kept) => Partial<Kept>;

/** Changes what the account keeps. */
export interface Keeping extends Pick<Call, "failure" | "isRunning"> {
  /** `onKept` is called when it is. */
  readonly keep: (change: KeptChange, onKept?: () => void) => void;
}

interface Wanted {
  readonly change: KeptChange;
  readonly onKept: (() => void) | undefined;
}

/**
 * Changes what the account keeps as it is now, not as it was when the page was drawn: of what
 * others kept in the meantime nothing is lost. Changes that are wanted during another one follow it
 * together.
 */
export function useKeeping(): Keeping {
  const waiting = useRef<readonly Wanted[]>([]);
  const isBusy = useRef(false);
  const queries = useQueryClient();
  const { failure, isRunning, run } = useChange(async (account) => {
    while (waiting.current.length > 0) {
      const { file, etag } = await account.client.workspaceFile();
      const all = waiting.current;
      waiting.current = [];
      const changed = { ...file, ...changedBy(all, file) };
      await account.client.applyWorkspace(changed, etag === null ? {} : { ifMatch: etag });
      for (const name of ["workspace", "workspaceFile"]) {
        await queries.invalidateQueries({ queryKey: repliesOf(account, name) });
      }
      for (const { onKept } of all) onKept?.();
    }
  });
  const keep = (change: KeptChange, onKept?: () => void) => {
    waiting.current = [...waiting.current, { change, onKept }];
    if (isBusy.current) return;
    isBusy.current = true;
    void run().finally(() => {
      // After a failure those that waited are not kept either: its words stand for all.
      waiting.current = [];
      isBusy.current = false;
    });
  };
  return { failure, isRunning, keep };
}

/** The lists that changes lead to, one after the other; the lists that none names are left out. */
function changedBy(
  wanted: readonly Wanted[],
  { views = [], notes = [], reports = [] }: DeclaredWorkspaceResponse,
): Partial<Kept> {
  let now: Kept = { views, notes, reports };
  let changed: Partial<Kept> = {};
  for (const { change } of wanted) {
    const part = change(now);
    now = { ...now, ...part };
    changed = { ...changed, ...part };
  }
  return changed;
}
