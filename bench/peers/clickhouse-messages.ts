import type { Workload } from "../generator/workload.ts";

/** What the process with ClickHouse is told; the first message opens a folder. */
export type ClickHouseOrder =
  | { readonly kind: "open"; readonly folder: string }
  | { readonly kind: "fill"; readonly workload: Workload }
  | { readonly kind: "ask"; readonly sql: string };

/** What it replies, to one order after the other. */
export type ClickHouseReply =
  | { readonly kind: "done"; readonly rows: readonly (readonly unknown[])[]; readonly ms: number }
  | { readonly kind: "failed"; readonly reason: string };
