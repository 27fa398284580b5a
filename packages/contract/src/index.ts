export { type Ask, type AskedSurface, askOf, vendorsOf } from "./asked-vendors.ts";
export { type Vendor, vendors } from "./collection.ts";
export {
  type CollectionEstimate,
  type CollectionPart,
  type CollectionRequest,
  type CollectionsResponse,
  collectionRequestSchema,
  collectionSchema,
  collectionsPath,
  collectionsResponseSchema,
  type ListedCollection,
  type ListedVendor,
  type NextSlot,
  type ProviderSpend,
  type StartedCollection,
  startedCollectionSchema,
  sweepsListedMax,
  type UnansweredJobs,
} from "./collections.ts";
export {
  type ComparedRange,
  type InstantRange,
  overlapFault,
  rangeBefore,
  rangeFrom,
  rangeYearAgo,
} from "./compared-range.ts";
export {
  type DeleteAnswersRequest,
  type DeleteAnswersResponse,
  deleteAnswersPath,
  deleteAnswersRequestSchema,
  deleteAnswersResponseSchema,
  deletedIdsMax,
  type ImportsResponse,
  importSchema,
  importsPath,
  importsResponseSchema,
  type ListedImport,
  type UndoneImportResponse,
  undoneImportResponseSchema,
} from "./corrections.ts";
export { durationForm, durationMs } from "./duration.ts";
export { type ErrorCode, errorCodes, errorExamples } from "./error-codes.ts";
export {
  type EvidenceAnswer,
  type EvidenceRequest,
  type EvidenceResponse,
  type EvidenceRole,
  evidenceAnswerSchema,
  evidencePath,
  evidenceRequestSchema,
  evidenceResponseSchema,
  evidenceRoles,
  pageAnswersMax,
  pageAnswersUnlessSaid,
  type RecordedAnswerResponse,
  recordedAnswerSchema,
} from "./evidence.ts";
export {
  type FieldError,
  type FieldErrorCode,
  fieldErrors,
  fieldErrorsMax,
  jsonPointer,
} from "./field-errors.ts";
export {
  type AccountCollection,
  type AskedProvider,
  accountCollectionSchema,
  type CollectionRule,
  cadencesMax,
  collectionRuleSchema,
  regionsMax,
  samplesMax,
} from "./file-collection.ts";
export {
  dateTimeSchema,
  type Filters,
  filterItemsMax,
  uuidSchema,
} from "./filters.ts";
export {
  answersMediaTypes,
  answersPath,
  csvMediaType,
  type ImportAnswersResponse,
  importAnswersResponseSchema,
  importSourceSchema,
  sampleSource,
} from "./import-answers.ts";
export {
  type InsightsSeriesRequest,
  type InsightsSeriesResponse,
  insightsSeriesPath,
  insightsSeriesRequestSchema,
  insightsSeriesResponseSchema,
} from "./insights-series.ts";
export {
  type InsightsSourcesRequest,
  type InsightsSourcesResponse,
  insightsSourcesPath,
  insightsSourcesRequestSchema,
  insightsSourcesResponseSchema,
} from "./insights-sources.ts";
export {
  type InsightsSummaryRequest,
  type InsightsSummaryResponse,
  insightsSummaryPath,
  insightsSummaryRequestSchema,
  insightsSummaryResponseSchema,
  type SummaryGrouping,
  stabilityPairsMin,
  stabilitySchema,
  summaryEntriesMax,
  summaryGroupings,
} from "./insights-summary.ts";
export { type EmptyReason, estimatedValueSchema, thresholdUnlessSaid } from "./insights-values.ts";
export { instantOf } from "./instant.ts";
export {
  type CreatedKeyResponse,
  createdKeySchema,
  type KeyRequest,
  type KeysResponse,
  keyRequestSchema,
  keySchema,
  keysPath,
  keysResponseSchema,
  type ListedKey,
  listedKeysMax,
  validKeysMax,
} from "./keys.ts";
export { type MetricName, metricNames, metrics } from "./metrics.ts";
export { nearestName } from "./nearest-name.ts";
export { openApiDocument, openApiPath } from "./openapi.ts";
export { type Problem, problemSchema, problemType } from "./problem.ts";
export { type Provider, providers } from "./providers.ts";
export { quoted } from "./quoted.ts";
export { type Scope, scopes } from "./scopes.ts";
export { type SessionExchangeResponse, sessionExchangeResponseSchema } from "./session-exchange.ts";
export {
  type Grouping,
  groupings,
  pageSourcesMax,
  type SourceAnalysisRequest,
  type SourceAnalysisResponse,
  sourceAnalysisRequestSchema,
  sourceAnalysisResponseSchema,
} from "./source-analysis.ts";
export { strictObject } from "./strict-object.ts";
export {
  bucketsMax,
  type Interval,
  intervals,
  pointsMax,
  type TimeSeriesRequest,
  type TimeSeriesResponse,
  timeSeriesRequestSchema,
  timeSeriesResponseSchema,
} from "./time-series.ts";
export { dayMs, startOfDay, startOfIsoWeek, startOfMonth, startsAround } from "./utc-calendar.ts";
export {
  type CollectionFailedEvent,
  collectionFailedEventSchema,
  type DigestEvent,
  digestEventSchema,
  type MovedEvent,
  movedEventSchema,
  type SummaryMetricName,
  summaryMetricNames,
  testEventSchema,
  type WebhookEvent,
  webhookEventSchema,
} from "./webhook-events.ts";
export {
  type CreatedHookResponse,
  createdHookSchema,
  type DeliveriesResponse,
  type DeliveryAttempt,
  deliveriesKeptDays,
  deliveriesMax,
  deliveriesResponseSchema,
  deliveryAttemptsMax,
  deliverySchema,
  type HookEvent,
  type HookRequest,
  type HooksResponse,
  hookEvents,
  hookRequestSchema,
  hookSchema,
  hooksMax,
  hooksPath,
  hooksResponseSchema,
  hookUrlCharactersMax,
  type ListedDelivery,
  type ListedHook,
} from "./webhooks.ts";
export {
  type AppliedWorkspace,
  appliedWorkspaceSchema,
  type WorkspaceResponse,
  workspaceMediaTypes,
  workspacePath,
  workspaceResponseSchema,
} from "./workspace.ts";
export {
  type DeclaredWorkspaceResponse,
  declaredWorkspaceSchema,
  entitiesMax,
  entityNamesMax,
  fileAccountSchema,
  fileEntitySchema,
  filePromptSchema,
  fileTopicSchema,
  nameCharactersMax,
  promptsMax,
  type WorkspaceFile,
  workspaceFilePath,
  workspaceFileSchema,
  workspaceNamesMax,
} from "./workspace-file.ts";
