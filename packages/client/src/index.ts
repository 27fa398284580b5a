export type {
  AppliedWorkspace,
  ChangesMetricName,
  CollectionRequest,
  CollectionsResponse,
  ContributionGrouping,
  CreatedAccountResponse,
  CreatedHookResponse,
  CreatedKeyResponse,
  CredentialTest,
  CredentialTestRequest,
  DeclaredWorkspaceResponse,
  DeleteAnswersRequest,
  DeleteAnswersResponse,
  DeletedLabelsResponse,
  ErrorCode,
  EvidenceAnswer,
  EvidenceResponse,
  EvidenceRole,
  Grouping,
  HookEvent,
  HookRequest,
  ImportLabelsResponse,
  InsightsChangesResponse,
  InsightsPlanResponse,
  InsightsSeriesResponse,
  InsightsSourcesResponse,
  InsightsSummaryResponse,
  Interval,
  KeyRequest,
  LabelMetric,
  LabelsResponse,
  ListedCollection,
  ListedDelivery,
  ListedHook,
  ListedImport,
  ListedKey,
  MetricName,
  PortrayalFlag,
  Provider,
  RecordedAnswerResponse,
  Scope,
  SeriesMetricName,
  SourceAnalysisResponse,
  SourceOrder,
  StartedCollection,
  SummaryGrouping,
  SummaryMetricName,
  TimeSeriesResponse,
  UndoneImportResponse,
  Vendor,
  VendorCredential,
  WebhookEvent,
  WorkspaceFile,
  WorkspaceResponse,
} from "@sightline/contract";
export type { Analytics } from "./analytics.ts";
export type { Answers, ImportOptions, ImportResult } from "./answers.ts";
export type { Clock } from "./clock.ts";
export type { Collections } from "./collections.ts";
export {
  ApiError,
  ConflictError,
  ConnectionError,
  type FieldFault,
  ForbiddenError,
  HeadersTooLargeError,
  InternalError,
  InvalidOptionError,
  InvalidRequestError,
  MethodNotAllowedError,
  MisdirectedRequestError,
  NotFoundError,
  OverloadedError,
  PayloadTooLargeError,
  PreconditionFailedError,
  QuotaExhaustedError,
  RateLimitError,
  type Refusal,
  RequestTimeoutError,
  SightlineError,
  StorageFullError,
  TimeoutError,
  UnauthorizedError,
  UnexpectedReplyError,
  UnsupportedMediaTypeError,
} from "./errors.ts";
export type { EvidencePages } from "./evidence-pages.ts";
export type { Hooks } from "./hooks.ts";
export type { LineImportOptions, RejectedLine } from "./import-lines.ts";
export type { Imports } from "./imports.ts";
export type { Insights } from "./insights.ts";
export type { Keys } from "./keys.ts";
export type { LabelSelection, Labels } from "./labels.ts";
export type { AnswerLines } from "./line-parts.ts";
export type { CallOptions, Fetch, SightlineOptions } from "./options.ts";
export type {
  AnalyticsExclude,
  AnalyticsFilters,
  Comparison,
  DateTime,
  EvidenceQuestion,
  InsightsChangesQuestion,
  InsightsPlanQuestion,
  InsightsSeriesQuestion,
  InsightsSourcesQuestion,
  InsightsSummaryQuestion,
  SourcesQuestion,
  TimeSeriesQuestion,
} from "./questions.ts";
export {
  type ApplyOptions,
  Sightline,
  type TaggedWorkspace,
  type TaggedWorkspaceFile,
} from "./sightline.ts";
export type { Source, SourcePages } from "./source-pages.ts";
export {
  type VerifyOptions,
  verifyWebhook,
  type WebhookHeaders,
  WebhookVerificationError,
} from "./verify-webhook.ts";
