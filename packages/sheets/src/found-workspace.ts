import { foldedTag, promptTagsMax, tagCharactersMax } from "@sightline/contract/tags";
import { listOfCell } from "./foreign-cells.ts";
import type { Tracked } from "./sources/source.ts";

/** A brand that an export declares. */
export interface FoundEntity {
  readonly name: string;
  readonly domains: readonly string[];
  readonly aliases: readonly string[];
}

/** A prompt that an export has. */
export interface FoundPrompt {
  readonly text: string;
  /** Null: it has none. */
  readonly topic: string | null;
  readonly tags: readonly string[];
  /** Whether the other tool no longer asks it. */
  readonly isPaused: boolean;
}

/** What an export says of a workspace. */
export interface FoundWorkspace {
  /** Null: it does not say whose the export is. */
  readonly brand: FoundEntity | null;
  readonly competitors: readonly FoundEntity[];
  readonly prompts: readonly FoundPrompt[];
  /** Names that it lists as mentioned, and in how many rows: the most frequent first. */
  readonly names: readonly { readonly name: string; readonly rows: number }[];
}

/** A prompt as a row has it; "": it has no topic. */
interface NotedPrompt extends Pick<FoundPrompt, "text" | "tags"> {
  readonly topic: string;
  readonly isPaused?: boolean;
}

/** As many as a workspace has at most. */
const promptsMax = 100_000;
const namesMax = 10_000;
const notAsked = new Set([
  ...["f", "false", "0", "no", "inactive", "paused", "archived", "disabled", "deleted"],
]);

/** Collects what the rows of an export say of a workspace. */
export class WorkspaceFinder {
  readonly #prompts = new Map<string, FoundPrompt>();
  readonly #spellings = new Map<string, string>();
  readonly #names = new Map<string, number>();
  readonly #competitors = new Map<string, FoundEntity>();
  #brand: FoundEntity | null = null;

  /** A row, whose cells are found by their column's name. */
  addRow(tracks: Tracked, cellOf: (column: string) => string): void {
    const { prompt, topic, isAsked, names, tags, brand, competitor } = tracks;
    const isPaused = isAsked !== undefined && notAsked.has(cellOf(isAsked).toLowerCase());
    if (prompt !== undefined) {
      this.addPrompt({
        text: cellOf(prompt),
        topic: topic === undefined ? "" : cellOf(topic),
        tags: tags === undefined ? [] : tagsOfCell(cellOf(tags)),
        isPaused,
      });
    }
    const named = names === undefined ? "" : cellOf(names);
    for (const name of new Set(namesIn(named))) {
      const rows = this.#names.get(name);
      if (rows !== undefined || this.#names.size < namesMax) this.#names.set(name, (rows ?? 0) + 1);
    }
    if (brand !== undefined) this.#brand ??= entityOf(brand, cellOf);
    const rival = competitor === undefined ? null : entityOf(competitor, cellOf);
    if (rival !== null && !this.#competitors.has(rival.name)) {
      this.#competitors.set(rival.name, rival);
    }
  }

  /** A prompt, as a row of it or of an answer has it: several rows add up. */
  addPrompt({ text, topic, tags, isPaused = false }: NotedPrompt): void {
    const known = this.#prompts.get(text);
    if (text === "" || (known === undefined && this.#prompts.size >= promptsMax)) return;
    this.#prompts.set(text, {
      text,
      topic: known?.topic ?? (topic === "" ? null : topic),
      tags: this.#tagsWith(known?.tags ?? [], tags),
      isPaused: known?.isPaused ?? isPaused,
    });
  }

  /** A tag has one spelling in a workspace: the first. */
  #tagsWith(known: readonly string[], more: readonly string[]): readonly string[] {
    if (more.length === 0) return known;
    const spelled = more.map((tag) => {
      const folded = foldedTag(tag);
      const spelling = this.#spellings.get(folded) ?? tag;
      this.#spellings.set(folded, spelling);
      return spelling;
    });
    return [...new Set([...known, ...spelled])].slice(0, promptTagsMax);
  }

  found(): FoundWorkspace {
    const names = [...this.#names].map(([name, rows]) => ({ name, rows }));
    return {
      brand: this.#brand,
      competitors: [...this.#competitors.values()],
      prompts: [...this.#prompts.values()],
      names: names.toSorted((a, b) => b.rows - a.rows || (a.name < b.name ? -1 : 1)),
    };
  }
}

const nameCharactersMax = 500;

/** The tags in a cell: a list of JSON or PostgreSQL, or divided by commas, semicolons or bars. */
export function tagsOfCell(cell: string): readonly string[] {
  return cell === "" ? [] : namesIn(cell, tagCharactersMax);
}

function namesIn(cell: string, charactersMax = nameCharactersMax): readonly string[] {
  return listOfCell(cell, true)
    .flatMap((each) => (cell.trim().startsWith("[") ? [each] : each.split(/[,;|]/)))
    .map((each) => each.replaceAll(/\s+/g, " ").trim())
    .filter((each) => each !== "" && each.length <= charactersMax);
}

function entityOf(
  { name: column, domains, aliases }: NonNullable<Tracked["brand"]>,
  cellOf: (column: string) => string,
): FoundEntity | null {
  const name = cellOf(column);
  if (name === "") return null;
  const listed = domains.flatMap((each) => listOfCell(cellOf(each), true));
  const others = aliases === undefined ? [] : listOfCell(cellOf(aliases), true);
  return { name, domains: [...new Set(listed)], aliases: [...new Set(others)] };
}
