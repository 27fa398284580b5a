import { urlCharactersMax } from "../../answers/intake/answer-schema.ts";
import type { AnswerWarning } from "../adapter.ts";
import type { RetrievedPage } from "./cited-pages.ts";
import type { JsonObject } from "./read-json.ts";

/**
 * The sources of a reply that cannot be read. Its text is whole, and what it mentions is sure: they
 * are dropped and counted, and the rest is an answer.
 */
export class DamagedSources {
  readonly #byReason = new Map<string, number>();

  /** Notes a source that is dropped, or a part of one. */
  note(reason: string): void {
    this.#byReason.set(reason, (this.#byReason.get(reason) ?? 0) + 1);
  }

  /** The page that an object of a reply names; null: its URL cannot be read, which is noted. */
  pageAt(
    holder: JsonObject,
    field: string,
    { title: titleField = "title" }: { readonly title?: string } = {},
  ): RetrievedPage | null {
    const url = holder[field];
    if (typeof url !== "string" || url.trim() === "") {
      this.note(`a source lacks "${field}"`);
      return null;
    }
    if (url.length > urlCharactersMax) {
      this.note("the URL of a source is too long");
      return null;
    }
    const title = holder[titleField] ?? null;
    if (title === null || typeof title === "string") return { url, title };
    this.note(`"${titleField}" of a source is not a text`);
    return { url, title: null };
  }

  /** The pages of a list, without those that cannot be read. */
  pagesOf(list: readonly JsonObject[], field: string): readonly RetrievedPage[] {
    return list.flatMap((holder) => this.pageAt(holder, field) ?? []);
  }

  /** By reason, in the order in which they were found. */
  get warnings(): readonly AnswerWarning[] {
    return [...this.#byReason].map(([reason, count]) => ({ reason, count }));
  }
}
