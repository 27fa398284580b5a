import type { TaggedWorkspaceFile } from "@sightline/client";
import { useMemo, useSyncExternalStore } from "react";
import { useAccount } from "../data/account.ts";
import { draftPlace, knownAccounts } from "../data/accounts.ts";
import { askBeforeLeaving } from "../data/leaving.ts";
import { type Draft, draftOf, draftOfText, type Edited, textOfDraft } from "./draft.ts";
import { changesOf, type DraftChanges, mergedDraft } from "./draft-changes.ts";
import { useWorkspaceFile } from "./queries.ts";

const placeOf = (accountId: string): string => `${draftPlace}${accountId}`;

/**
 * Keeps edits with the tab, over a reload and an upgrade; not when their reader has signed out. A
 * browser that keeps nothing, or has no space left, asks before the tab is left in any case.
 */
function keepDraft(accountId: string, edited: Edited): void {
  if (!knownAccounts().some(({ id }) => id === accountId)) return;
  try {
    sessionStorage.setItem(placeOf(accountId), textOfDraft(edited));
  } catch {
    // No space for a large workspace.
  }
}

/** The edits that the tab kept; they are kept no longer. Null: there are none. */
function takeKeptDraft(accountId: string): Edited | null {
  try {
    const text = sessionStorage.getItem(placeOf(accountId));
    sessionStorage.removeItem(placeOf(accountId));
    return text === null ? null : draftOfText(text);
  } catch {
    return null;
  }
}

/** By account. They outlive the page, so that a look at another one loses nothing. */
const edits = new Map<string, Edited>();
const changed = new EventTarget();

function subscribe(listener: () => void): () => void {
  changed.addEventListener("change", listener);
  return () => changed.removeEventListener("change", listener);
}

const looked = new Set<string>();

/** The account's edits; at first those that the tab kept over a reload. */
function editsOf(accountId: string): Edited | null {
  if (!looked.has(accountId)) {
    looked.add(accountId);
    const kept = takeKeptDraft(accountId);
    if (kept !== null) {
      edits.set(accountId, kept);
      askBeforeLeaving("draft", true);
    }
  }
  return edits.get(accountId) ?? null;
}

// A tab that is hidden may be ended without another word.
const keep = (): void => {
  for (const [accountId, edited] of edits) keepDraft(accountId, edited);
};
addEventListener("pagehide", keep);
document.addEventListener("visibilitychange", keep);

function put(accountId: string, edited: Edited | null): void {
  if (edited === null) edits.delete(accountId);
  else edits.set(accountId, edited);
  // On every page: what is not saved is lost with the tab, wherever its reader is.
  askBeforeLeaving("draft", edits.size > 0);
  if (edited === null) takeKeptDraft(accountId);
  changed.dispatchEvent(new Event("change"));
}

/** The edits from `base` to `mine`, made to what is tracked now; null: none are left. */
function rebased(base: Draft, mine: Draft, { file, etag }: TaggedWorkspaceFile): Edited | null {
  const theirs = draftOf(file);
  const merged = mergedDraft(base, mine, theirs);
  const isSame = changesOf(theirs, merged).count === 0;
  return isSame ? null : { base: theirs, draft: merged, etag };
}

/** What is tracked as it is edited, and what can be done with it. */
export interface DraftEditor {
  readonly draft: Draft;
  /** What it was made to. */
  readonly base: Draft;
  readonly changes: DraftChanges;
  /** What is to be saved is a change of this. */
  readonly etag: string | null;
  readonly change: (draft: Draft) => void;
  readonly discard: () => void;
  /** Ends edits that were saved; those made since are made to what is tracked now. */
  readonly saved: (draft: Draft, now: TaggedWorkspaceFile) => void;
  /** Rebases the edits on what was saved in the meantime. */
  readonly rebase: (theirs: TaggedWorkspaceFile) => void;
}

/** The draft of the account; null until what is tracked is known. */
export function useDraft(): DraftEditor | null {
  const { id } = useAccount();
  const { data } = useWorkspaceFile();
  const edited = useSyncExternalStore(subscribe, () => editsOf(id));
  const saved = useMemo(() => (data === undefined ? null : draftOf(data.file)), [data]);
  return useMemo(() => {
    if (saved === null || data === undefined) return null;
    const base = edited?.base ?? saved;
    const draft = edited?.draft ?? saved;
    const etag = edited === null ? data.etag : edited.etag;
    const change = (next: Draft): void => {
      put(id, changesOf(base, next).count === 0 ? null : { base, draft: next, etag });
    };
    return {
      draft,
      base,
      etag,
      change,
      changes: changesOf(base, draft),
      discard: () => put(id, null),
      saved: (sent, now) => put(id, rebased(sent, edits.get(id)?.draft ?? sent, now)),
      rebase: (theirs) => put(id, rebased(base, draft, theirs)),
    };
  }, [data, edited, id, saved]);
}
