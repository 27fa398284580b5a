import {
  appliedWorkspaceSchema,
  auditActions,
  auditResponseSchema,
  changesMetricNames,
  citationLifeResponseSchema,
  claimsRequestSchema,
  claimsResponseSchema,
  collectionRequestSchema,
  collectionSchema,
  collectionsResponseSchema,
  contributionGroupings,
  createdAccountSchema,
  createdHookSchema,
  createdInvitationSchema,
  createdKeySchema,
  createdLinkSchema,
  credentialTestRequestSchema,
  credentialTestSchema,
  declaredReportSchema,
  declaredWorkspaceSchema,
  deleteAnswersRequestSchema,
  deleteAnswersResponseSchema,
  deletedLabelsSchema,
  deliverySchema,
  errorCodes,
  evidenceAnswerSchema,
  evidenceResponseSchema,
  evidenceRoles,
  groupings,
  hookEvents,
  hookForms,
  hookRequestSchema,
  hookSchema,
  importAnswersResponseSchema,
  importLabelsResponseSchema,
  importSchema,
  insightsChangesResponseSchema,
  insightsPlanResponseSchema,
  insightsPresenceResponseSchema,
  insightsSeriesResponseSchema,
  insightsSourcesResponseSchema,
  insightsSummaryResponseSchema,
  intervals,
  invitationRequestSchema,
  invitationSchema,
  keyRequestSchema,
  keySchema,
  labelMetrics,
  labelSampleResponseSchema,
  labelsResponseSchema,
  lifeGroupings,
  linkKinds,
  linkPages,
  linkRequestSchema,
  linkSchema,
  linksResponseSchema,
  linkViewSchema,
  metricNames,
  peopleResponseSchema,
  personSchema,
  portrayalFlags,
  providers,
  readingRequestSchema,
  recordedAnswerSchema,
  removedPersonSchema,
  reportLanguages,
  reportPageSchema,
  reportRequestSchema,
  reportSchema,
  reportSections,
  reportsResponseSchema,
  reportWithNumbersSchema,
  roleRequestSchema,
  roles,
  scopes,
  searchQueriesResponseSchema,
  seriesMetricNames,
  sourceAnalysisResponseSchema,
  sourceClasses,
  sourceForms,
  sourceOrders,
  startedCollectionSchema,
  startedReadingSchema,
  summaryGroupings,
  summaryMetricNames,
  surfaces,
  timeSeriesResponseSchema,
  undoneImportResponseSchema,
  untrackedNamesResponseSchema,
  vendorCredentialSchema,
  vendorCredentialsSchema,
  vendors,
  webhookEventSchema,
  workspaceFileSchema,
  workspacePreviewRequestSchema,
  workspacePreviewResponseSchema,
  workspaceResponseSchema,
} from "@sightline/contract";
import { z } from "zod";

/** The part of JSON Schema that the contract's bodies use. */
interface Schema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  /** Of a tuple. */
  readonly prefixItems?: readonly Schema[];
  /** Of an object with any names. */
  readonly propertyNames?: Schema;
  readonly description?: string;
}

const unions: Readonly<Record<string, readonly string[]>> = {
  Interval: intervals,
  Provider: providers,
  Grouping: groupings,
  SourceOrder: sourceOrders,
  LifeGrouping: lifeGroupings,
  SourceClass: sourceClasses,
  SourceForm: sourceForms,
  SummaryGrouping: summaryGroupings,
  SummaryMetricName: summaryMetricNames,
  ContributionGrouping: contributionGroupings,
  MetricName: metricNames,
  PortrayalFlag: portrayalFlags,
  SeriesMetricName: seriesMetricNames,
  ChangesMetricName: changesMetricNames,
  LabelMetric: labelMetrics,
  AuditAction: auditActions,
  ReportSection: reportSections,
  ReportLanguage: reportLanguages,
  LinkKind: linkKinds,
  LinkPage: linkPages,
  Scope: scopes,
  Role: roles,
  HookEvent: hookEvents,
  HookForm: hookForms,
  Vendor: vendors,
  Surface: surfaces,
  EvidenceRole: evidenceRoles,
  ErrorCode: Object.keys(errorCodes),
};

const bodies: Readonly<Record<string, z.ZodType>> = {
  TimeSeriesResponse: timeSeriesResponseSchema,
  SourceAnalysisResponse: sourceAnalysisResponseSchema,
  WorkspaceResponse: workspaceResponseSchema,
  InsightsSeriesResponse: insightsSeriesResponseSchema,
  ImportAnswersResponse: importAnswersResponseSchema,
  WorkspaceFile: workspaceFileSchema,
  DeclaredWorkspaceResponse: declaredWorkspaceSchema,
  AppliedWorkspace: appliedWorkspaceSchema,
  WorkspacePreviewRequest: workspacePreviewRequestSchema,
  WorkspacePreviewResponse: workspacePreviewResponseSchema,
  InvitationRequest: invitationRequestSchema,
  RoleRequest: roleRequestSchema,
  KeyRequest: keyRequestSchema,
  CreatedAccountResponse: createdAccountSchema,
  CreatedKeyResponse: createdKeySchema,
  ListedKey: keySchema,
  LinkRequest: linkRequestSchema,
  LinkView: linkViewSchema,
  CreatedLinkResponse: createdLinkSchema,
  ListedLink: linkSchema,
  LinksResponse: linksResponseSchema,
  HookRequest: hookRequestSchema,
  CreatedHookResponse: createdHookSchema,
  ListedHook: hookSchema,
  ListedDelivery: deliverySchema,
  WebhookEvent: webhookEventSchema,
  CollectionRequest: collectionRequestSchema,
  StartedCollection: startedCollectionSchema,
  ListedCollection: collectionSchema,
  CollectionsResponse: collectionsResponseSchema,
  VendorCredential: vendorCredentialSchema,
  VendorCredentialsResponse: vendorCredentialsSchema,
  CredentialTestRequest: credentialTestRequestSchema,
  CredentialTest: credentialTestSchema,
  ListedImport: importSchema,
  UndoneImportResponse: undoneImportResponseSchema,
  DeleteAnswersRequest: deleteAnswersRequestSchema,
  DeleteAnswersResponse: deleteAnswersResponseSchema,
  ImportLabelsResponse: importLabelsResponseSchema,
  LabelsResponse: labelsResponseSchema,
  LabelSampleResponse: labelSampleResponseSchema,
  ListedPerson: personSchema,
  ListedInvitation: invitationSchema,
  CreatedInvitationResponse: createdInvitationSchema,
  PeopleResponse: peopleResponseSchema,
  ChangedPersonResponse: removedPersonSchema,
  AuditResponse: auditResponseSchema,
  DeclaredReport: declaredReportSchema,
  Report: reportSchema,
  ReportPage: reportPageSchema,
  ReportRequest: reportRequestSchema,
  ReportWithNumbers: reportWithNumbersSchema,
  ReportsResponse: reportsResponseSchema,
  DeletedLabelsResponse: deletedLabelsSchema,
  EvidenceResponse: evidenceResponseSchema,
  EvidenceAnswer: evidenceAnswerSchema,
  RecordedAnswerResponse: recordedAnswerSchema,
  InsightsSummaryResponse: insightsSummaryResponseSchema,
  InsightsSourcesResponse: insightsSourcesResponseSchema,
  InsightsChangesResponse: insightsChangesResponseSchema,
  InsightsPlanResponse: insightsPlanResponseSchema,
  CitationLifeResponse: citationLifeResponseSchema,
  ClaimsRequest: claimsRequestSchema,
  ClaimsResponse: claimsResponseSchema,
  ReadingRequest: readingRequestSchema,
  StartedReading: startedReadingSchema,
  SearchQueriesResponse: searchQueriesResponseSchema,
  UntrackedNamesResponse: untrackedNamesResponseSchema,
  InsightsPresenceResponse: insightsPresenceResponseSchema,
};

/** What each type is, in a line above it. */
const meanings: Readonly<Record<string, string>> = {
  Interval: "One of the lengths of a bucket: UTC days, ISO weeks from Monday, calendar months.",
  Provider: "One of the closed list of providers.",
  Grouping: "One of the two groupings of sources.",
  LifeGrouping: "What lives of citations are grouped by.",
  SourceClass: "What kind of site a source is of.",
  SourceForm: "What a page is, by its address.",
  SourceOrder: "What sources with gaps are ordered by.",
  SummaryGrouping: "What the answers of a summary are grouped by.",
  SummaryMetricName: "The name of a value of an entity in a summary.",
  ContributionGrouping: "What a change is divided by.",
  MetricName: "The name of one of the four time series.",
  PortrayalFlag: "What an answer may say of an entity that it mentions.",
  SeriesMetricName: "The name of a time series with counts.",
  ChangesMetricName: "The name of a value of an entity whose change is divided.",
  LabelMetric: "What a label can be about.",
  Scope: "One of the scopes of a key.",
  Role: "One of the roles of a person.",
  EvidenceRole: "What an entity has to be in an answer, for the answer to be listed.",
  ErrorCode: "One of the closed list of error codes.",
  TimeSeriesResponse: "Reply of the four time series.",
  SourceAnalysisResponse: "Reply of the sources.",
  WorkspaceResponse: "Reply of the workspace.",
  InsightsSeriesResponse: "Reply of the time series with counts.",
  ImportAnswersResponse: "Reply of the recording of answers.",
  WorkspaceFile: "A workspace file as people write it.",
  DeclaredWorkspaceResponse: "Reply of the workspace file: what is tracked, with every id.",
  AppliedWorkspace: "What a workspace file changed.",
  WorkspacePreviewRequest: "What of a workspace file finds entities in answers.",
  WorkspacePreviewResponse: "How many answers other names and domains would find.",
  InvitationRequest: "The properties of an invitation to be made.",
  RoleRequest: "The role that a person is given.",
  KeyRequest: "The properties of a key to be created.",
  CreatedAccountResponse: "An account that was created, with its first key.",
  CreatedKeyResponse: "A key that was created, and the only reply that shows it.",
  ListedKey: "A key, never the key itself.",
  HookEvent: "One of the events that a webhook can ask for.",
  HookForm: "What the events of a webhook are sent as.",
  HookRequest: "The properties of a webhook to be created.",
  CreatedHookResponse: "A webhook that was created, and the only reply that shows its secret.",
  ListedHook: "A webhook, never its secret.",
  ListedDelivery: "An event for a webhook, and how its delivery went.",
  WebhookEvent: "What a webhook receives.",
  CollectionRequest: "What is to be asked of the providers.",
  StartedCollection: "What a sweep asks and is expected to cost.",
  ListedCollection: "A sweep, and how it stands.",
  CollectionsResponse: "Reply of the sweeps.",
  Vendor: "One of the closed list of vendors.",
  Surface: "Where an answer comes from: a provider's interface for programs, or its page.",
  VendorCredential: "A credential of a vendor, never its value.",
  VendorCredentialsResponse: "Reply of the credentials of vendors.",
  CredentialTestRequest: "Whether a paid question is asked, too.",
  CredentialTest: "How a credential of a vendor stands.",
  ListedImport: "An import of answers.",
  UndoneImportResponse: "Reply of undoing an import.",
  DeleteAnswersRequest: "Which answers are removed.",
  DeleteAnswersResponse: "Reply of removing answers.",
  ImportLabelsResponse: "Reply of the import of labels.",
  LabelsResponse: "Reply of the labels: a page.",
  LabelSampleResponse: "Reply of a draw of answers to label.",
  LinkKind: "What a share link gives: a page, a table or a picture.",
  LinkPage: "A page that a share link shows.",
  LinkRequest: "A share link to create.",
  LinkView: "What a share link shows.",
  CreatedLinkResponse: "A created share link, with its address.",
  ListedLink: "A share link, never its address.",
  LinksResponse: "Reply of the share links: a page.",
  AuditAction: "What an entry of the audit log tells of.",
  ListedPerson: "A person of an account.",
  ListedInvitation: "An invitation, never its code.",
  CreatedInvitationResponse: "Reply of an invitation: it with its address, this once.",
  PeopleResponse: "Reply of the list of people.",
  ChangedPersonResponse: "Reply of a change of a role, and of a removal.",
  AuditResponse: "Reply of the audit log: a page.",
  ReportSection: "A part of a report.",
  ReportLanguage: "A language in which reports are written, by BCP 47.",
  DeclaredReport: "A report that a workspace file declares.",
  Report: "A report that was made.",
  ReportPage: "The page of a report.",
  ReportRequest: "Body of making a report.",
  ReportWithNumbers: "A report with the numbers that it shows.",
  ReportsResponse: "Reply of the list of reports: a page.",
  DeletedLabelsResponse: "Reply of removing labels.",
  EvidenceResponse: "Reply of the answers behind a value.",
  EvidenceAnswer: "An answer behind a value.",
  RecordedAnswerResponse: "Reply of one answer.",
  InsightsSummaryResponse: "Reply of the summary.",
  InsightsSourcesResponse: "Reply of the sources with gaps.",
  InsightsChangesResponse: "Reply of what a change consists of.",
  SearchQueriesResponse: "Reply of what assistants searched for.",
  UntrackedNamesResponse: "Reply of names that nobody tracks.",
  ClaimsRequest: "Of which readings it is asked what they say.",
  ClaimsResponse: "Reply of what a model read in answers.",
  ReadingRequest: "Which answers a model reads.",
  StartedReading: "What a reading asks and is expected to cost.",
  CitationLifeResponse: "Reply of how long citations last.",
  InsightsPlanResponse: "Reply of a plan.",
  InsightsPresenceResponse: "Reply of how an entity is named and cited.",
};

/**
 * The contract's types that the client shows, as TypeScript that imports nothing: made from the
 * schemas, since the contract's own are inferred by zod, which the client must not bring along.
 */
export function contractDeclarations(): string {
  const types = [
    ...Object.entries(unions).map(([name, values]) => [name, unionOf(values)] as const),
    ...Object.entries(bodies).map(([name, schema]) => {
      const text = typeOf(z.toJSONSchema(schema, { unrepresentable: "any" }) as Schema, "");
      return [name, `Readonly<${text}>`] as const;
    }),
  ];
  return types
    .map(([name, text]) => `/** ${meanings[name]} */\nexport type ${name} = ${text};\n`)
    .join("\n");
}

function typeOf(schema: Schema, indent: string): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return namedUnion(schema.enum.map(String));
  if (schema.anyOf !== undefined) {
    return schema.anyOf.map((each) => typeOf(each, indent)).join(" | ");
  }
  if (Array.isArray(schema.type)) {
    return schema.type.map((type) => typeOf({ ...schema, type }, indent)).join(" | ");
  }
  switch (schema.type) {
    case "object":
      if (schema.propertyNames !== undefined) return "Record<string, unknown>";
      return objectType(schema, indent);
    case "array": {
      if (schema.prefixItems !== undefined) {
        return `[${schema.prefixItems.map((each) => typeOf(each, indent)).join(", ")}]`;
      }
      const item = typeOf(schema.items ?? {}, indent);
      return / \| /.test(item.replace(/\{[\s\S]*\}/, "")) ? `(${item})[]` : `${item}[]`;
    }
    case "integer":
    case "number":
      return "number";
    case "string":
    case "boolean":
    case "null":
      return schema.type;
    default:
      throw new Error(`a body's schema has a type that is not known here: ${schema.type}`);
  }
}

function objectType({ properties = {}, required = [] }: Schema, indent: string): string {
  const deeper = `${indent}  `;
  const lines = Object.entries(properties).map(([name, schema]) => {
    const comment =
      schema.description === undefined ? "" : `${deeper}/** ${schema.description} */\n`;
    const optional = required.includes(name) ? "" : "?";
    const union = optional === "" ? "" : " | undefined";
    return `${comment}${deeper}${name}${optional}: ${typeOf(schema, deeper)}${union};\n`;
  });
  return `{\n${lines.join("")}${indent}}`;
}

function namedUnion(values: readonly string[]): string {
  const known = Object.entries(unions).find(([, each]) => each.join() === values.join());
  return known?.[0] ?? unionOf(values);
}

function unionOf(values: readonly string[]): string {
  return values.map((value) => JSON.stringify(value)).join(" | ");
}
