import type { EvidenceQuestion } from "@sightline/client";
import type { CitedOptions } from "./question-options.ts";

/** The cited source of the options, as requests name it; empty: any. */
export function citedOf({
  sourceDomain,
  sourceUrl,
}: CitedOptions): Pick<EvidenceQuestion, "domain" | "url"> {
  return {
    ...(sourceDomain === undefined ? {} : { domain: sourceDomain }),
    ...(sourceUrl === undefined ? {} : { url: sourceUrl }),
  };
}
