import { auditOperations } from "./audit.ts";
import { citationLifeOperations } from "./citation-life.ts";
import { collectionOperations } from "./collections.ts";
import { correctionOperations } from "./corrections.ts";
import { evidenceOperations } from "./evidence.ts";
import { importOperations } from "./import-answers.ts";
import { insightsChangesOperations } from "./insights-changes.ts";
import { insightsPlanOperations } from "./insights-plan.ts";
import { insightsPresenceOperations } from "./insights-presence.ts";
import { insightsSeriesOperations } from "./insights-series.ts";
import { insightsSourcesOperations } from "./insights-sources.ts";
import { insightsSummaryOperations } from "./insights-summary.ts";
import { keyOperations } from "./keys.ts";
import { labelOperations } from "./labels.ts";
import { linkOperations } from "./links.ts";
import type { DeclaredOperations } from "./operation.ts";
import { peopleOperations } from "./people.ts";
import { claimsOperations, readingOperations } from "./readings.ts";
import { reportOperations } from "./reports.ts";
import { searchQueriesOperations } from "./search-queries.ts";
import { sessionOperations } from "./session-exchange.ts";
import { sourcesOperations } from "./source-analysis.ts";
import { timeSeriesOperations } from "./time-series.ts";
import { untrackedNamesOperations } from "./untracked-names.ts";
import { vendorCredentialOperations } from "./vendor-credentials.ts";
import { hookOperations } from "./webhooks.ts";
import { workspaceOperations } from "./workspace.ts";
import { workspacePreviewOperations } from "./workspace-preview.ts";

/** Every operation of the interface and its additions, in the order of the document. */
export const operations = {
  ...timeSeriesOperations,
  ...sourcesOperations,
  ...insightsSeriesOperations,
  ...insightsSummaryOperations,
  ...insightsSourcesOperations,
  ...insightsChangesOperations,
  ...insightsPlanOperations,
  ...insightsPresenceOperations,
  ...citationLifeOperations,
  ...searchQueriesOperations,
  ...untrackedNamesOperations,
  ...claimsOperations,
  ...workspaceOperations,
  ...workspacePreviewOperations,
  ...importOperations,
  ...evidenceOperations,
  ...correctionOperations,
  ...auditOperations,
  ...reportOperations,
  ...labelOperations,
  ...keyOperations,
  ...peopleOperations,
  ...linkOperations,
  ...hookOperations,
  ...collectionOperations,
  ...vendorCredentialOperations,
  ...readingOperations,
  ...sessionOperations,
} as const satisfies DeclaredOperations;

/** The name of an operation. */
export type OperationName = keyof typeof operations;

type Declared = (typeof operations)[OperationName];

/** A method, and a path that an operation of this method has, with or without a query. */
export type OperationAddress = {
  [Method in Declared["method"]]: {
    readonly method: Method;
    readonly path: Asked<Filled<Extract<Declared, { readonly method: Method }>["path"]>>;
  };
}[Declared["method"]];

type Asked<Path extends string> = Path | `${Path}?${string}`;

/** A path with a value in place of each `{name}`. */
type Filled<Path extends string> = Path extends `${infer Before}{${string}}${infer After}`
  ? `${Before}${string}${Filled<After>}`
  : Path;
