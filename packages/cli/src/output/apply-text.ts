import type { ApplyEffects, ApplyReport, Change } from "@sightline/server/apply-workspace";
import { safeText } from "./safe-text.ts";

/** The result of an apply, and its consequences. */
export interface AppliedFile extends Omit<ApplyReport, "revision">, ApplyEffects {
  readonly dryRun: boolean;
  /** For people: changes that may be unintended. */
  readonly warnings: readonly string[];
}

/** As many items as fit on a screen; `--json` lists all. */
const namedMax = 20;
const nameCharactersMax = 100;

/** The counts in one line, then created and retired items, one per line. */
export function appliedText(applied: AppliedFile): string {
  const { accountId, created, updated, retired, unchanged, changes, dryRun } = applied;
  const counts = `${created} created, ${updated} updated, ${retired} retired`;
  const again = applied.answersCountedAgain;
  const opening = dryRun ? "Dry run, nothing was written. " : "";
  return [
    `${opening}Account ${accountId}: ${counts}, ${unchanged} unchanged.`,
    ...(again === 0 ? [] : [`Recorded answers that count again: ${again}.`]),
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
