import type { SheetMapping } from "../mapping.ts";

/** The tools whose exports are known, by what `--from` calls them. */
export const sourceNames = ["profound", "ahrefs", "peec", "elmo", "ansvisor", "canonry"] as const;

/** A tool whose exports are known. */
export type SourceName = (typeof sourceNames)[number];

/** A tool whose exports are known: its tables, and what becomes of each column. */
export interface Source {
  readonly name: SourceName;
  /** As the tool calls itself. */
  readonly title: string;
  /** One of them has answers or, where a tool exports none, prompts. */
  readonly tables: readonly SourceTable[];
}

/** A table of an export: a file, a list in a JSON file, or a table of a database. */
export interface SourceTable {
  /** As databases and JSON files call it; others are known by their columns. */
  readonly name: string;
  /** The columns that it always has. */
  readonly has: readonly string[];
  /** How its rows become answers; columns that a file lacks are left out. Omitted: it has none. */
  readonly answers?: SheetMapping;
  /** The columns that other tables add to it. */
  readonly joins?: readonly Join[];
  /** The columns that say of which brand a row is. */
  readonly brandIn?: readonly string[];
  /** What it says of prompts and brands. */
  readonly tracks?: Tracked;
  /** The columns that are left out, each with the reason; `position*` is all that begin so. */
  readonly dropped: Readonly<Record<string, string>>;
}

/** How rows of another table belong to those of this one. */
export interface Join {
  /** The other table's name. */
  readonly table: string;
  /** The column here. */
  readonly by: string;
  /** The column there. */
  readonly key: string;
  /** The new columns, `table.column`, and which they are there: of the one row that belongs. */
  readonly takes?: readonly string[];
  /** The new column that lists the rows that belong, as JSON with `url` and `title`. */
  readonly gathers?: {
    readonly as: string;
    readonly url: string;
    readonly title: string;
    readonly order: string;
  };
  /** Without this table, nothing can be read. */
  readonly isRequired: boolean;
}

/** The columns of what a workspace declares; prompts and topics of answers need not be named. */
export interface Tracked {
  readonly prompt?: string;
  readonly topic?: string;
  /** A word or a number that says whether the prompt is asked. */
  readonly isAsked?: string;
  /** Names of brands, which are proposed and not tracked. */
  readonly names?: string;
  readonly tags?: string;
  readonly brand?: TrackedEntity;
  readonly competitor?: TrackedEntity;
}

interface TrackedEntity {
  readonly name: string;
  readonly domains: readonly string[];
  readonly aliases?: string;
}

/** Reasons that several tools' columns share. */
export const why = {
  measured: "Sightline measures this itself, from the texts of answers",
  elsewhere: "the same stands in another column",
  internal: "an id or a time of the tool's own",
  cost: "volumes of search engines are not imported",
} as const;
