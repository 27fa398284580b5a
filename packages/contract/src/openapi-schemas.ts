import { z } from "zod";
import {
  collectionEstimateSchema,
  collectionPartSchema,
  collectionRequestSchema,
  collectionSchema,
  collectionsResponseSchema,
  nextSlotSchema,
  providerSpendSchema,
  startedCollectionSchema,
  unansweredJobsSchema,
  vendorHealthSchema,
} from "./collections.ts";
import {
  deleteAnswersRequestSchema,
  deleteAnswersResponseSchema,
  importSchema,
  importsResponseSchema,
  undoneImportResponseSchema,
} from "./corrections.ts";
import {
  citationOwnerSchema,
  evidenceAnswerSchema,
  evidenceCitationSchema,
  evidenceRequestSchema,
  evidenceResponseSchema,
  evidenceRoleSchema,
  mentionSchema,
  recordedAnswerSchema,
  recordedCitationSchema,
} from "./evidence.ts";
import {
  accountCollectionSchema,
  askedProviderSchema,
  collectionRuleSchema,
} from "./file-collection.ts";
import {
  filtersSchema,
  providerSchema,
  regionFilterSchema,
  timeRangeSchema,
  topicFilterSchema,
} from "./filters.ts";
import { importAnswersResponseSchema, lineErrorSchema } from "./import-answers.ts";
import {
  countedPointSchema,
  countedSeriesSchema,
  insightsSeriesRequestSchema,
  insightsSeriesResponseSchema,
  metricSchema,
} from "./insights-series.ts";
import {
  classifiedSourceSchema,
  insightsSourcesRequestSchema,
  insightsSourcesResponseSchema,
} from "./insights-sources.ts";
import {
  insightsSummaryRequestSchema,
  insightsSummaryResponseSchema,
  stabilitySchema,
  summaryEntitySchema,
  summaryGroupingSchema,
  summaryGroupSchema,
} from "./insights-summary.ts";
import {
  changeSchema,
  comparedSchema,
  compareSchema,
  confidenceIntervalSchema,
  emptySchema,
  estimatedValueSchema,
} from "./insights-values.ts";
import { createdKeySchema, keyRequestSchema, keySchema, keysResponseSchema } from "./keys.ts";
import { fieldErrorSchema, problemSchema } from "./problem.ts";
import { sessionExchangeResponseSchema } from "./session-exchange.ts";
import {
  groupingSchema,
  paginationSchema,
  sourceAnalysisRequestSchema,
  sourceAnalysisResponseSchema,
  sourceSchema,
} from "./source-analysis.ts";
import {
  intervalSchema,
  pointSchema,
  seriesSchema,
  timeSeriesRequestSchema,
  timeSeriesResponseSchema,
} from "./time-series.ts";
import {
  collectionFailedEventSchema,
  digestEventSchema,
  movedEventSchema,
  testEventSchema,
} from "./webhook-events.ts";
import {
  createdHookSchema,
  deliveriesResponseSchema,
  deliverySchema,
  hookRequestSchema,
  hookSchema,
  hooksResponseSchema,
} from "./webhooks.ts";
import {
  answersSchema,
  appliedWorkspaceSchema,
  entitySchema,
  promptSchema,
  topicSchema,
  workspaceChangeSchema,
  workspaceResponseSchema,
} from "./workspace.ts";
import {
  declaredEntitySchema,
  declaredPromptSchema,
  declaredWorkspaceSchema,
  fileEntitySchema,
  workspaceFileSchema,
} from "./workspace-file.ts";

/** Named parts of the bodies, so that generated types have names. */
const parts = {
  FiltersDto: filtersSchema,
  TimeRangeDto: timeRangeSchema,
  ProviderDto: providerSchema,
  TopicFilterDto: topicFilterSchema,
  RegionFilterDto: regionFilterSchema,
  IntervalDto: intervalSchema,
  SeriesDto: seriesSchema,
  PointDto: pointSchema,
  GroupingDto: groupingSchema,
  SourceDto: sourceSchema,
  PaginationDto: paginationSchema,
  EntityDto: entitySchema,
  TopicDto: topicSchema,
  PromptDto: promptSchema,
  AnswersDto: answersSchema,
  MetricDto: metricSchema,
  CountedSeriesDto: countedSeriesSchema,
  CountedPointDto: countedPointSchema,
  KeyDto: keySchema,
  WorkspaceChangeDto: workspaceChangeSchema,
  AskedProviderDto: askedProviderSchema,
  CollectionRuleDto: collectionRuleSchema,
  AccountCollectionDto: accountCollectionSchema,
  FileEntityDto: fileEntitySchema,
  DeclaredEntityDto: declaredEntitySchema,
  DeclaredPromptDto: declaredPromptSchema,
  CreatedKeyResponseDto: createdKeySchema,
  ImportDto: importSchema,
  ConfidenceIntervalDto: confidenceIntervalSchema,
  EstimatedValueDto: estimatedValueSchema,
  ChangeDto: changeSchema,
  StabilityDto: stabilitySchema,
  CompareDto: compareSchema,
  ComparedDto: comparedSchema,
  EmptyDto: emptySchema,
  SummaryGroupingDto: summaryGroupingSchema,
  SummaryGroupDto: summaryGroupSchema,
  SummaryEntityDto: summaryEntitySchema,
  ClassifiedSourceDto: classifiedSourceSchema,
  FieldErrorDto: fieldErrorSchema,
  LineErrorDto: lineErrorSchema,
  EvidenceRoleDto: evidenceRoleSchema,
  EvidenceAnswerDto: evidenceAnswerSchema,
  EvidenceCitationDto: evidenceCitationSchema,
  RecordedCitationDto: recordedCitationSchema,
  CitationOwnerDto: citationOwnerSchema,
  MentionDto: mentionSchema,
  HookDto: hookSchema,
  CreatedHookResponseDto: createdHookSchema,
  DeliveryDto: deliverySchema,
  DigestEventDto: digestEventSchema,
  MovedEventDto: movedEventSchema,
  CollectionFailedEventDto: collectionFailedEventSchema,
  TestEventDto: testEventSchema,
  CollectionDto: collectionSchema,
  CollectionPartDto: collectionPartSchema,
  CollectionEstimateDto: collectionEstimateSchema,
  UnansweredJobsDto: unansweredJobsSchema,
  VendorHealthDto: vendorHealthSchema,
  ProviderSpendDto: providerSpendSchema,
  NextSlotDto: nextSlotSchema,
} as const;

const schemas = {
  TimeSeriesRequestDto: timeSeriesRequestSchema,
  TimeSeriesResponseDto: timeSeriesResponseSchema,
  SourceAnalysisRequestDto: sourceAnalysisRequestSchema,
  SourceAnalysisResponseDto: sourceAnalysisResponseSchema,
  SessionExchangeResponseDto: sessionExchangeResponseSchema,
  WorkspaceResponseDto: workspaceResponseSchema,
  InsightsSeriesRequestDto: insightsSeriesRequestSchema,
  InsightsSeriesResponseDto: insightsSeriesResponseSchema,
  InsightsSummaryRequestDto: insightsSummaryRequestSchema,
  InsightsSummaryResponseDto: insightsSummaryResponseSchema,
  InsightsSourcesRequestDto: insightsSourcesRequestSchema,
  InsightsSourcesResponseDto: insightsSourcesResponseSchema,
  ImportAnswersResponseDto: importAnswersResponseSchema,
  ImportsResponseDto: importsResponseSchema,
  UndoneImportResponseDto: undoneImportResponseSchema,
  DeleteAnswersRequestDto: deleteAnswersRequestSchema,
  DeleteAnswersResponseDto: deleteAnswersResponseSchema,
  WorkspaceFileDto: workspaceFileSchema,
  DeclaredWorkspaceResponseDto: declaredWorkspaceSchema,
  AppliedWorkspaceDto: appliedWorkspaceSchema,
  KeyRequestDto: keyRequestSchema,
  KeysResponseDto: keysResponseSchema,
  HookRequestDto: hookRequestSchema,
  HooksResponseDto: hooksResponseSchema,
  DeliveriesResponseDto: deliveriesResponseSchema,
  CollectionRequestDto: collectionRequestSchema,
  StartedCollectionDto: startedCollectionSchema,
  CollectionsResponseDto: collectionsResponseSchema,
  EvidenceRequestDto: evidenceRequestSchema,
  EvidenceResponseDto: evidenceResponseSchema,
  RecordedAnswerResponseDto: recordedAnswerSchema,
  ProblemDto: problemSchema,
  ...parts,
} as const;

/** The name of a component. */
export type SchemaName = keyof typeof schemas;

/**
 * The components of the document, by name, generated from the schemas that validate the requests.
 */
export function componentSchemas(): Readonly<Record<string, unknown>> {
  const registry = z.registry<{ id: SchemaName }>();
  for (const [name, schema] of Object.entries(schemas)) {
    registry.add(schema, { id: name as SchemaName });
  }
  const made = z.toJSONSchema(registry, { uri: (id) => `#/components/schemas/${id}`, io: "input" });
  return Object.fromEntries(
    Object.entries(made.schemas).map(([name, { $schema, $id, ...schema }]) => [name, schema]),
  );
}
