import { draftPlace, knownAccounts } from "../data/accounts.ts";
import type { Draft } from "./draft.ts";

/** Edits that are not saved yet, and what they were made to. */
export interface Edited {
  readonly base: Draft;
  readonly draft: Draft;
  readonly etag: string | null;
}

/** Raised with the shape of a draft: another version of the console drops what it cannot read. */
const version = 1;
const placeOf = (accountId: string): string => `${draftPlace}${accountId}`;

/**
 * Keeps edits with the tab, over a reload and an upgrade; not when their reader has signed out. A
 * browser that keeps nothing, or has no space left, asks before the tab is left in any case.
 */
export function keepDraft(accountId: string, edited: Edited): void {
  if (!knownAccounts().some(({ id }) => id === accountId)) return;
  try {
    sessionStorage.setItem(placeOf(accountId), textOfDraft(edited));
  } catch {
    // No space for a large workspace.
  }
}

/** The edits that the tab kept; they are kept no longer. Null: there are none. */
export function takeKeptDraft(accountId: string): Edited | null {
  try {
    const text = sessionStorage.getItem(placeOf(accountId));
    sessionStorage.removeItem(placeOf(accountId));
    return text === null ? null : draftOfText(text);
  } catch {
    return null;
  }
}

/** Edits as they are kept. */
export function textOfDraft(edited: Edited): string {
  return JSON.stringify({ version, ...edited });
}

/** The edits of a text; null: another version's, or no edits at all. */
export function draftOfText(text: string): Edited | null {
  try {
    const { version: its, base, draft, etag } = JSON.parse(text) as Edited & { version: unknown };
    if (its !== version || !isDraft(base) || !isDraft(draft)) return null;
    return { base, draft, etag: typeof etag === "string" ? etag : null };
  } catch {
    return null;
  }
}

function isDraft(draft: Draft | undefined): boolean {
  const lists = [draft?.competitors, draft?.topics, draft?.prompts];
  return typeof draft?.brand?.key === "string" && lists.every(Array.isArray);
}
