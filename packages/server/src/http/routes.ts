import { applyWorkspaceRoute } from "../accounts/routes/apply-workspace/route.ts";
import { workspaceFileRoute } from "../accounts/routes/workspace-file/route.ts";
import { answersRoute } from "../answers/routes/answers/route.ts";
import { deleteAnswersRoute } from "../answers/routes/delete-answers/route.ts";
import { importsRoute } from "../answers/routes/imports/route.ts";
import { undoImportRoute } from "../answers/routes/undo-import/route.ts";
import { cancelCollectionRoute } from "../collection/routes/cancel-collection/route.ts";
import { collectionRoute } from "../collection/routes/collection/route.ts";
import { collectionsRoute } from "../collection/routes/collections/route.ts";
import { startCollectionRoute } from "../collection/routes/start-collection/route.ts";
import { createHookRoute } from "../hooks/routes/create-hook/route.ts";
import { deleteHookRoute } from "../hooks/routes/delete-hook/route.ts";
import { hookDeliveriesRoute } from "../hooks/routes/hook-deliveries/route.ts";
import { hooksRoute } from "../hooks/routes/hooks/route.ts";
import { testHookRoute } from "../hooks/routes/test-hook/route.ts";
import { consoleSessionRoutes } from "../keys/routes/console-session/route.ts";
import { consoleSignInRoute } from "../keys/routes/console-sign-in/route.ts";
import { createKeyRoute } from "../keys/routes/create-key/route.ts";
import { descopeKeysRoute } from "../keys/routes/descope-keys/route.ts";
import { exchangeRoute } from "../keys/routes/exchange/route.ts";
import { jwksRoute } from "../keys/routes/jwks/route.ts";
import { keysRoute } from "../keys/routes/keys/route.ts";
import { revokeKeyRoute } from "../keys/routes/revoke-key/route.ts";
import { healthzRoute } from "../operations/routes/healthz/route.ts";
import { metricsRoute } from "../operations/routes/metrics/route.ts";
import { readyzRoute } from "../operations/routes/readyz/route.ts";
import { apiPageRoute } from "../pages/routes/api-page/route.ts";
import { apiPageAssetsRoute } from "../pages/routes/api-page-assets/route.ts";
import { consoleAssetsRoute } from "../pages/routes/console-assets/route.ts";
import { consolePageRoutes } from "../pages/routes/console-page/route.ts";
import { documentRoutes } from "../pages/routes/document-pages/route.ts";
import { openApiRoute } from "../pages/routes/openapi/route.ts";
import { answerRoute } from "../questions/routes/answer/route.ts";
import { citationsRoute } from "../questions/routes/citations/route.ts";
import { evidenceRoute } from "../questions/routes/evidence/route.ts";
import { insightsSeriesRoute } from "../questions/routes/insights-series/route.ts";
import { insightsSourcesRoute } from "../questions/routes/insights-sources/route.ts";
import { insightsSummaryRoute } from "../questions/routes/insights-summary/route.ts";
import { mentionsRoute } from "../questions/routes/mentions/route.ts";
import { overallVisibilityRoute } from "../questions/routes/overall-visibility/route.ts";
import { rankRoute } from "../questions/routes/rank/route.ts";
import { sourcesRoute } from "../questions/routes/sources/route.ts";
import { workspaceRoute } from "../questions/routes/workspace/route.ts";
import type { Route } from "./route.ts";

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
