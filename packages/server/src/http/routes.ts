import type { Route } from "./route.ts";
import { answerRoute } from "./routes/answer/route.ts";
import { answersRoute } from "./routes/answers/route.ts";
import { apiPageRoute } from "./routes/api-page/route.ts";
import { apiPageAssetsRoute } from "./routes/api-page-assets/route.ts";
import { applyWorkspaceRoute } from "./routes/apply-workspace/route.ts";
import { cancelCollectionRoute } from "./routes/cancel-collection/route.ts";
import { citationsRoute } from "./routes/citations/route.ts";
import { collectionRoute } from "./routes/collection/route.ts";
import { collectionsRoute } from "./routes/collections/route.ts";
import { consoleAssetsRoute } from "./routes/console-assets/route.ts";
import { consolePageRoutes } from "./routes/console-page/route.ts";
import { consoleSessionRoutes } from "./routes/console-session/route.ts";
import { consoleSignInRoute } from "./routes/console-sign-in/route.ts";
import { createHookRoute } from "./routes/create-hook/route.ts";
import { createKeyRoute } from "./routes/create-key/route.ts";
import { deleteAnswersRoute } from "./routes/delete-answers/route.ts";
import { deleteHookRoute } from "./routes/delete-hook/route.ts";
import { descopeKeysRoute } from "./routes/descope-keys/route.ts";
import { documentRoutes } from "./routes/document-pages/route.ts";
import { evidenceRoute } from "./routes/evidence/route.ts";
import { exchangeRoute } from "./routes/exchange/route.ts";
import { healthzRoute } from "./routes/healthz/route.ts";
import { hookDeliveriesRoute } from "./routes/hook-deliveries/route.ts";
import { hooksRoute } from "./routes/hooks/route.ts";
import { importsRoute } from "./routes/imports/route.ts";
import { insightsSeriesRoute } from "./routes/insights-series/route.ts";
import { insightsSourcesRoute } from "./routes/insights-sources/route.ts";
import { insightsSummaryRoute } from "./routes/insights-summary/route.ts";
import { jwksRoute } from "./routes/jwks/route.ts";
import { keysRoute } from "./routes/keys/route.ts";
import { mentionsRoute } from "./routes/mentions/route.ts";
import { metricsRoute } from "./routes/metrics/route.ts";
import { openApiRoute } from "./routes/openapi/route.ts";
import { overallVisibilityRoute } from "./routes/overall-visibility/route.ts";
import { rankRoute } from "./routes/rank/route.ts";
import { readyzRoute } from "./routes/readyz/route.ts";
import { revokeKeyRoute } from "./routes/revoke-key/route.ts";
import { sourcesRoute } from "./routes/sources/route.ts";
import { startCollectionRoute } from "./routes/start-collection/route.ts";
import { testHookRoute } from "./routes/test-hook/route.ts";
import { undoImportRoute } from "./routes/undo-import/route.ts";
import { workspaceRoute } from "./routes/workspace/route.ts";
import { workspaceFileRoute } from "./routes/workspace-file/route.ts";

/** The addresses of the console, beside those of the API that its pages ask. */
export const consoleRoutes: readonly Route[] = [
  ...consolePageRoutes,
  consoleAssetsRoute,
  consoleSignInRoute,
  ...consoleSessionRoutes,
];

/** Every other address of the service. */
export const routes: readonly Route[] = [
  mentionsRoute,
  overallVisibilityRoute,
  citationsRoute,
  rankRoute,
  sourcesRoute,
  insightsSeriesRoute,
  insightsSummaryRoute,
  insightsSourcesRoute,
  workspaceRoute,
  applyWorkspaceRoute,
  workspaceFileRoute,
  answersRoute,
  importsRoute,
  undoImportRoute,
  deleteAnswersRoute,
  keysRoute,
  createKeyRoute,
  revokeKeyRoute,
  hooksRoute,
  createHookRoute,
  deleteHookRoute,
  testHookRoute,
  hookDeliveriesRoute,
  collectionsRoute,
  startCollectionRoute,
  collectionRoute,
  cancelCollectionRoute,
  evidenceRoute,
  answerRoute,
  exchangeRoute,
  jwksRoute,
  descopeKeysRoute,
  openApiRoute,
  apiPageRoute,
  apiPageAssetsRoute,
  ...documentRoutes,
  healthzRoute,
  readyzRoute,
  metricsRoute,
];
