import type { ApplyReport, Change } from "@sightline/server/apply-workspace";
import { safeText } from "./safe-text.ts";

/** What an apply did, and what follows from it. */
export interface AppliedFile extends ApplyReport {
  readonly dryRun: boolean;
  /** How many recorded answers counted until now, and their prompts were retired. */
  readonly answersNoLongerCounted: number;
  /** For people: what may not have been meant. */
  readonly warnings: readonly string[];
}

/** As many of a kind are named as a screen holds; `--json` names all. */
const namedMax = 20;
const nameCharactersMax = 100;

/** The counts in one line, then what was created and retired, a line each. */
export function appliedText(applied: AppliedFile): string {
  const { accountId, created, updated, retired, unchanged, changes, dryRun } = applied;
  const counts = `${created} created, ${updated} updated, ${retired} retired`;
  const opening = dryRun ? "Dry run, nothing was written. " : "";
  return [
    `${opening}Account ${accountId}: ${counts}, ${unchanged} unchanged.`,
    ...listed("created", changes.created),
    ...listed("retired", changes.retired),
  ].join("\n");
}

function listed(what: string, changes: readonly Change[]): readonly string[] {
  if (changes.length === 0) return [];
  const lines = changes
    .slice(0, namedMax)
    .map(({ kind, id, name }) => `  ${kind.padEnd("competitor".length)}  ${id}  ${shown(name)}`);
  const left = changes.length - lines.length;
  return [`${what}:`, ...lines, ...(left > 0 ? [`  and ${left} more; --json names all`] : [])];
}

function shown(name: string): string {
  const short = name.length > nameCharactersMax ? `${name.slice(0, nameCharactersMax)}…` : name;
  return safeText(short.toWellFormed());
}
