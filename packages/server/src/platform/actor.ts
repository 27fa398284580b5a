/** The cause of a change, as the audit log has it. */
export interface Actor {
  /**
   * `key`: a caller of the API, or of the console with a key; `person`: somebody who is signed in;
   * `link`: the reader of a shared address; `command`: the user of a command on the data.
   */
  readonly kind: "key" | "person" | "link" | "command" | "service";
  /** Of the key, person or link; null: it has none. */
  readonly id: string | null;
  /** The name of the key, person or link, or the operating system's of the user. */
  readonly name: string;
  /** Of the HTTP request; null: there was none. */
  readonly requestId: string | null;
}

/** What the service does by itself: schedules, retention. */
export const theService: Actor = { kind: "service", id: null, name: "sightline", requestId: null };
