import type { Vendor } from "@sightline/contract";

/** Work that a vendor does after its reply. Times are milliseconds since 1970. */
export interface Task {
  readonly id: string;
  readonly vendor: Vendor;
  /** What the caller named it by, once among the vendor's tasks; null: nothing. */
  readonly key: string | null;
  readonly kind: string;
  readonly createdAt: number;
  readonly startsAt: number;
  readonly endsAt: number;
  /** What its result is, once it ended. */
  readonly result: unknown;
}

/** How far a task is. */
export type TaskState = "queued" | "running" | "ended";

/** The tasks of all vendors. */
export class Tasks {
  readonly #tasks = new Map<string, Task>();
  readonly #keys = new Set<string>();

  /** Keeps a task; its state follows from the time alone. */
  add(task: Task): void {
    this.#tasks.set(`${task.vendor} ${task.id}`, task);
    if (task.key !== null) this.#keys.add(`${task.vendor} ${task.key}`);
  }

  /** Undefined: the vendor has none of this id. */
  get(vendor: Vendor, id: string): Task | undefined {
    return this.#tasks.get(`${vendor} ${id}`);
  }

  /** Whether a task of the vendor has this key. */
  hasKey(vendor: Vendor, key: string): boolean {
    return this.#keys.has(`${vendor} ${key}`);
  }
}

/** How far a task is at an instant. */
export function stateOf(task: Task, now: number): TaskState {
  if (now < task.startsAt) return "queued";
  return now < task.endsAt ? "running" : "ended";
}
