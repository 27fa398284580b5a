import type { ImportsResponse, ListedImport, UndoneImportResponse } from "@sightline/contract";
import type { Caller } from "./calls.ts";
import type { CallOptions } from "./options.ts";

/** The account's imports: additions to the interface. */
export class Imports {
  readonly #call: Caller;

  constructor(call: Caller) {
    this.#call = call;
  }

  /** The latest 1,000, newest first. The client's key needs `import`. */
  async list(options?: CallOptions): Promise<readonly ListedImport[]> {
    const call = { method: "GET", path: "/v1/imports" } as const;
    return ((await this.#call(call, options)) as ImportsResponse).imports;
  }

  /**
   * Removes every answer that an import recorded, for good; repeating it removes what is left. The
   * client's key needs `manage`.
   */
  async undo(importId: string, options?: CallOptions): Promise<UndoneImportResponse> {
    const path = `/v1/imports/${encodeURIComponent(importId)}` as const;
    return (await this.#call({ method: "DELETE", path }, options)) as UndoneImportResponse;
  }
}
