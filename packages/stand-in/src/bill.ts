import { closeSync, existsSync, openSync, readFileSync, writeSync } from "node:fs";
import type { Vendor } from "@sightline/contract";
import type { Consumed } from "./prices.ts";
import type { Task, Tasks } from "./vendor-stand-in.ts";

/** A request that asks for money, at its arrival. */
export interface ReceivedAsk {
  readonly kind: "received";
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly vendor: Vendor;
  /** What the request names itself by, such as a job's id; null: nothing. */
  readonly reference: string | null;
  readonly prompt: string;
  readonly region: string | null;
  /** Whether it was refused before any chance: a wrong credential, or too many requests. */
  readonly turnedAway: boolean;
}

/** A request that was billed. */
export interface BilledAsk extends Omit<ReceivedAsk, "kind" | "turnedAway">, Consumed {
  readonly kind: "billed";
  /** Millionths of a dollar. */
  readonly micros: number;
}

/** What a reply promised. */
interface PromisedTask {
  readonly kind: "task";
  readonly task: Task;
}

/** A line of the bill's file. */
export type BillLine = ReceivedAsk | BilledAsk | PromisedTask;

/** Sums of requests. */
export interface BillSums {
  /** Those that ask for money, answered or not. */
  readonly received: number;
  readonly billed: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly searches: number;
  /** Millionths of a dollar. */
  readonly micros: number;
}

/** The sums of a prompt. */
export interface PromptSums extends BillSums {
  readonly vendor: Vendor;
  readonly prompt: string;
}

/** What was billed so far. */
export interface BillSummary {
  /** Of the vendors that were asked. */
  readonly totals: Readonly<Partial<Record<Vendor, BillSums>>>;
  readonly prompts: readonly PromptSums[];
  /** Every billed request, oldest first. */
  readonly requests: readonly BilledAsk[];
}

const none: BillSums = {
  received: 0,
  billed: 0,
  inputTokens: 0,
  outputTokens: 0,
  searches: 0,
  micros: 0,
};

/**
 * What the vendors received, billed and promised. With a file, each line is written before the
 * reply that it is about, so that no `kill -9` of the stand-in loses one; the file's lines are read
 * at the start.
 */
export class Bill {
  readonly #file: number | null;
  readonly #tasks: Tasks;
  readonly #totals = new Map<Vendor, BillSums>();
  readonly #prompts = new Map<string, PromptSums>();
  readonly #numbers = new Map<string, number>();
  readonly #billed: BilledAsk[] = [];

  constructor(file: string | null, tasks: Tasks) {
    this.#tasks = tasks;
    const isEarlier = file !== null && existsSync(file);
    if (isEarlier) for (const line of linesOf(readFileSync(file, "utf8"))) this.#count(line);
    this.#file = file === null ? null : openSync(file, "a", 0o600);
    // A line that a killed stand-in did not finish must not spoil the next one.
    if (isEarlier && this.#file !== null) writeSync(this.#file, "\n");
  }

  /** Adds lines, by one write: they are in the file when this returns. */
  add(...lines: readonly BillLine[]): void {
    if (this.#file !== null && lines.length > 0) {
      writeSync(this.#file, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
    }
    for (const line of lines) this.#count(line);
  }

  /** How many asks of a prompt came so far and were not turned away. */
  numberOf(vendor: Vendor, prompt: string): number {
    return this.#numbers.get(`${vendor} ${prompt}`) ?? 0;
  }

  /** The sums, and what was billed. */
  summary(): BillSummary {
    return {
      totals: Object.fromEntries(this.#totals),
      prompts: [...this.#prompts.values()],
      requests: [...this.#billed],
    };
  }

  /** Closes the file. */
  close(): void {
    if (this.#file !== null) closeSync(this.#file);
  }

  #count(line: BillLine): void {
    if (line.kind === "task") {
      this.#tasks.add(line.task);
      return;
    }
    const { vendor, prompt } = line;
    if (line.kind === "billed") this.#billed.push(line);
    this.#totals.set(vendor, added(this.#totals.get(vendor) ?? none, line));
    const key = `${vendor} ${prompt}`;
    if (line.kind === "received" && !line.turnedAway) {
      this.#numbers.set(key, this.numberOf(vendor, prompt) + 1);
    }
    const earlier = this.#prompts.get(key) ?? none;
    this.#prompts.set(key, { vendor, prompt, ...added(earlier, line) });
  }
}

function added(sums: BillSums, line: ReceivedAsk | BilledAsk): BillSums {
  if (line.kind === "received") return { ...sums, received: sums.received + 1 };
  return {
    ...sums,
    billed: sums.billed + 1,
    inputTokens: sums.inputTokens + line.inputTokens,
    outputTokens: sums.outputTokens + line.outputTokens,
    searches: sums.searches + line.searches,
    micros: sums.micros + line.micros,
  };
}

/** The whole lines of a bill's file. One that was cut off is left out: its reply was not sent. */
function linesOf(text: string): readonly BillLine[] {
  return text.split("\n").flatMap((line): readonly BillLine[] => {
    try {
      const read: BillLine = JSON.parse(line);
      return [read];
    } catch {
      return [];
    }
  });
}
