import { type Codes, type RowSelection, rowsOf, type SourcesPlan } from "./plan.ts";
import type { Selection } from "./question.ts";

/** Citations of any of these domains or pages; negated: of no such domain, or of these pages. */
export interface ListedNames {
  readonly domains: readonly string[];
  readonly isNegated: boolean;
  /** Of other domains. */
  readonly pages: readonly string[];
}

/** How the names of cited sources are read with their citations. */
export interface CitedNamesPlan {
  readonly rows: RowSelection;
  readonly groupBy: SourcesPlan["groupBy"];
  /** Only pages of these domains; null: all. */
  readonly domains: readonly string[] | null;
  /** No more rows are read. */
  readonly rowsMax: number;
}

/** A cited source. */
export interface CitedName {
  readonly name: string;
  readonly citations: number;
}

/** How lives of citations are computed from the facts. */
export interface LifePlan {
  /** Citations. */
  readonly rows: RowSelection;
  /** The same answers, by appearances. */
  readonly answers: RowSelection;
  readonly groupBy: "provider" | "domain" | "page";
  /** No more rows are read. */
  readonly rowsMax: number;
}

/** Lives of citations of a group that have one length, and ended or did not. */
export interface CitationLives {
  /** The number of a provider as a text, a domain, or a page. */
  readonly key: string;
  readonly days: number;
  /** 1: they ended; 0: they lasted until the end of the answers. */
  readonly gone: number;
  /** 1: they began after the first day of answers. */
  readonly won: number;
  readonly lives: number;
}

/** The plan of lives of citations; null when no row can pass the filters. */
export function planLife(
  selection: Selection,
  groupBy: LifePlan["groupBy"],
  codes: Codes,
): LifePlan | null {
  const rows = rowsOf(selection, "citations", codes);
  const answers = rowsOf(selection, "appearances", codes);
  return rows && answers && { rows, answers, groupBy, rowsMax: namesMax };
}

/** The most names: some 50 MB of memory. */
const namesMax = 500_000;

/** The plan of the names of cited sources; null when no row can pass the filters. */
export function planCitedNames(
  selection: Selection,
  { groupBy, domains }: Pick<CitedNamesPlan, "groupBy" | "domains">,
  codes: Codes,
): CitedNamesPlan | null {
  const rows = rowsOf(selection, "citations", codes);
  return rows && { rows, groupBy, domains, rowsMax: namesMax };
}
