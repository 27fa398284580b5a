import type { Vendor } from "@sightline/contract";
import {
  adapterOf,
  questionTo,
  repliedAt,
} from "@sightline/test-kit/collection/provider-samples.ts";
import type { Exchange, Step } from "../../src/collection/adapter.ts";

/** Where a link of Google's leads; null: it no longer works. */
export type LeadsTo = (path: string) => string | null;

/**
 * What a vendor's exchanges come to, when the requests that cost nothing get their replies: a
 * request that is paid for, a failure or an answer.
 */
export function lastStep(
  vendor: Vendor,
  exchanges: readonly Exchange[],
  leadsTo: LeadsTo = () => null,
): Step {
  const adapter = adapterOf(vendor);
  const done = [...exchanges];
  for (let requests = 0; requests <= 1_000; requests += 1) {
    const step = adapter.step(questionTo(vendor), done);
    if (step.kind !== "send" || step.request.isPaid) return step;
    const location = leadsTo(step.request.path);
    const headers: Readonly<Record<string, string>> = location === null ? {} : { location };
    const reply = { status: location === null ? 404 : 302, headers, body: "" };
    done.push({ request: step.request, reply, at: repliedAt });
  }
  throw new Error(`${vendor} asks without end`);
}
