import type { Workload } from "../generator/workload.ts";

/**
 * What the process with ClickHouse is told; statements run at the same time. The first message
 * opens a folder.
 */
export type ClickHouseOrder =
  | { readonly kind: "open"; readonly folder: string }
  | { readonly kind: "fill"; readonly workload: Workload }
  | { readonly kind: "ask"; readonly statements: readonly string[] };

/** The rows of a statement, each as a list of its columns. */
export type ClickHouseRows = readonly (readonly unknown[])[];

/** What it replies, to one order after the other. */
export type ClickHouseReply =
  | { readonly kind: "done"; readonly results: readonly ClickHouseRows[]; readonly ms: number }
  | { readonly kind: "failed"; readonly reason: string };
