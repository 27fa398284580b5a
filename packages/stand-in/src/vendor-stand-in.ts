import type { Vendor } from "@sightline/contract";
import type { Draws, StandInAnswer } from "./answers.ts";
import type { Fault, modelFaults } from "./faults.ts";
import type { Consumed } from "./prices.ts";

/** A request as a vendor sees it. */
export interface StandInRequest {
  readonly method: string;
  readonly host: string;
  readonly path: string;
  readonly query: URLSearchParams;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** Parsed; undefined: there is none, or it is not JSON. */
  readonly body: unknown;
}

/** A reply, and what it costs. */
export interface StandInReply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON; undefined: empty. */
  readonly body?: unknown;
  /** Absent: nothing is billed. */
  readonly charge?: Consumed & { readonly micros: number };
  /** A task that the reply promises. */
  readonly task?: Task;
}

/** What is asked for money. */
export interface PaidAsk {
  readonly prompt: string;
  readonly region: string | null;
  /** As it is asked for; for vendors without models, what kind of page. */
  readonly model: string;
  readonly reply: (context: AskContext) => StandInReply;
}

/** What a reply is made of. */
export interface AskContext {
  readonly answer: StandInAnswer;
  /** Of this request. */
  readonly draws: Draws;
  /** Whether a fault happens to this request. */
  readonly happens: (fault: Fault) => boolean;
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly tasks: Tasks;
  /** How long a task that is given now is queued, and how long it runs. */
  readonly taskTimes: () => { readonly queueMs: number; readonly runMs: number };
}

/** What a request asks for. */
export type Reading =
  | { readonly kind: "paid"; readonly ask: PaidAsk }
  /** Something that costs nothing, such as a task's result. */
  | { readonly kind: "free"; readonly reply: (context: FreeContext) => StandInReply }
  /** The vendor does not take it. */
  | { readonly kind: "bad"; readonly reply: StandInReply };

/** What a free reply is made of. */
export interface FreeContext {
  readonly tasks: Tasks;
  readonly now: number;
}

/** Why a vendor does not answer a request that is well-formed. */
export type Refusal = "credential" | "money" | "limit" | "server" | "overloaded";

/** A vendor, as the stand-in speaks it. */
export interface VendorStandIn {
  readonly vendor: Vendor;
  /** Without those that redirect alone. */
  readonly hosts: readonly string[];
  /** What the request authorises itself with; null: nothing. */
  readonly credentialOf: (request: StandInRequest) => string | null;
  readonly refuse: (refusal: Refusal) => StandInReply;
  /** What it replies to faults of a model; without one that it has not, nothing happens. */
  readonly modelErrors?: Readonly<Partial<Record<(typeof modelFaults)[number], StandInReply>>>;
  /** Null: there is nothing at this address. */
  readonly read: (request: StandInRequest) => Reading | null;
}

/** What follows `Bearer` in the field `authorization`. */
export function bearerOf({ headers }: StandInRequest): string | null {
  return headers.authorization?.match(/^Bearer (.+)$/)?.[1] ?? null;
}

/** A reading of what a vendor does not take. */
export function badReading(status: number, body: unknown): Reading {
  return { kind: "bad", reply: { status, body } };
}

/** The free reading of a vendor's list of models, where a request asks for it; else null. */
export function modelsReading(
  { method, path }: StandInRequest,
  address: string,
  body: unknown,
): Reading | null {
  if (method !== "GET" || path !== address) return null;
  return { kind: "free", reply: () => ({ status: 200, body }) };
}

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
type TaskState = "queued" | "running" | "ended";

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
