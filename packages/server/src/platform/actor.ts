/** The cause of a change, as the audit log has it. */
export interface Actor {
  /** `key`: a caller of the API or the console; `command`: the user of a command on the data. */
  readonly kind: "key" | "command" | "service";
  /** Of a key; null: it has none. */
  readonly id: string | null;
  /** The key's name, or the operating system's of the user. */
  readonly name: string;
  /** Of the HTTP request; null: there was none. */
  readonly requestId: string | null;
}

/** What the service does by itself: schedules, retention. */
export const theService: Actor = { kind: "service", id: null, name: "sightline", requestId: null };
