import {
  type FieldError,
  type FieldErrorCode,
  fieldErrorsMax,
  jsonPointer,
  quoted,
} from "@sightline/contract";

/** Where something stands in a file. */
export type Path = readonly (string | number)[];

/** A value that only one place may use, and the place. */
export type Use = readonly [value: string, path: Path];

/** The faults of a file, of which the first are reported. */
export class Faults {
  readonly found: FieldError[] = [];
  readonly #refused = new Set<string>();

  /** Further faults would not be reported. */
  get isFull(): boolean {
    return this.found.length >= fieldErrorsMax;
  }

  add(path: Path, code: FieldErrorCode, message: string): void {
    if (!this.isFull) this.found.push({ path: jsonPointer(path), code, message });
  }

  /**
   * Reports each value that an earlier place already uses, once per place: two items with one name
   * also have one derived id, which is not worth a second fault.
   */
  refuseTwice(what: string, uses: readonly Use[]): void {
    const first = new Map<string, Path>();
    for (const [value, path] of uses) {
      if (this.isFull) return;
      const earlier = first.get(value);
      const pointer = jsonPointer(path);
      if (earlier === undefined) first.set(value, path);
      else if (!this.#refused.has(pointer)) {
        this.#refused.add(pointer);
        const where = jsonPointer(earlier);
        this.add(path, "excluded", `${quoted(value)} is already the ${what} of ${where}.`);
      }
    }
  }
}
