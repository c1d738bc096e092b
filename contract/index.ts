// @floe/contract: every route, body and problem of Floe's HTTP API, and the notification that webhooks receive. The
// `description` of a schema documents it, here and in the OpenAPI document.
import { c } from './dsl.ts'
import { audit } from './routes/administration/audit.ts'
import { authorization } from './routes/authorization.ts'
import { catalogues } from './routes/metadata/catalogues.ts'
import { citation } from './questions/citation.ts'
import { completeness } from './questions/completeness.ts'
import { chunkSources } from './questions/chunk-sources.ts'
import { gaps } from './questions/gaps.ts'
import { zarr } from './questions/zarr.ts'
import { compatibility } from './routes/metadata/compatibility.ts'
import { datasets } from './routes/metadata/datasets.ts'
import { deliveries, orgDeliveries } from './routes/administration/deliveries.ts'
import { diff } from './routes/metadata/diff.ts'
import { discovery } from './routes/metadata/discovery.ts'
import { documents } from './routes/documents.ts'
import { checks } from './routes/metadata/checks.ts'
import { good } from './routes/metadata/good.ts'
import { datasetRemarks } from './routes/metadata/remarks.ts'
import { history } from './routes/metadata/history.ts'
import { events } from './routes/metadata/events.ts'
import { sessions } from './routes/administration/sessions.ts'
import { keys } from './routes/administration/keys.ts'
import { search } from './routes/metadata/search.ts'
import { stac } from './routes/metadata/stac.ts'
import { mcp } from './routes/mcp.ts'
import { expectations, orgExpectations } from './routes/administration/expectations.ts'
import { remarks } from './routes/administration/remarks.ts'
import { orgReceivers, receivers } from './routes/administration/receivers.ts'
import { orgSettings, repositories, settings, storageEvents } from './routes/administration/repositories.ts'
import { signIn } from './routes/sign-in.ts'
import { monitoring } from './routes/monitoring.ts'

/** All routes of the service. */
export const contract = c.router(
  {
    discovery,
    datasets,
    citation: c.router(citation.routes),
    history,
    checks,
    good,
    datasetRemarks,
    diff,
    compatibility,
    completeness: c.router(completeness.routes),
    gaps: c.router(gaps.routes),
    chunkSources: c.router(chunkSources.routes),
    zarr: c.router(zarr.routes),
    search,
    stac,
    catalogues,
    events,
    mcp,
    documents,
    authorization,
    signIn,
    repositories,
    storageEvents,
    receivers,
    orgReceivers,
    expectations,
    orgExpectations,
    remarks,
    deliveries,
    orgDeliveries,
    keys,
    sessions,
    audit,
    settings,
    orgSettings,
    monitoring,
  },
  // The compiler then rejects handlers that answer with another status.
  { strictStatusCodes: true },
)

/** The path of a route. */
export type RoutePath = PathIn<typeof contract>

type PathIn<Routes> = Routes extends { readonly path: infer Path extends string }
  ? Path
  : { [Name in keyof Routes]: PathIn<Routes[Name]> }[keyof Routes]

export * from './compatibility-rules.ts'
export { listRoutes, type RouteMetadata } from './dsl.ts'
export {
  expectationForms,
  ExpectationAlias,
  ExpectationSeverity,
  ExpectationId,
  ExpectedBranch,
  ExpectedRepos,
  Grace,
  Reminder,
  maxListedStates,
} from './schemas/metadata/expectations/expectation-forms.ts'
export * from './schemas/metadata/expectations/expectation.ts'
export { type ExpectationKinds, expectationKinds } from './schemas/metadata/expectations/kinds.ts'
export type { BrokenPromise } from './schemas/metadata/expectations/kinds/contract.ts'
export { findSettingFaults } from './schemas/metadata/expectations/expectation-kind.ts'
export type {
  AcceptedGap,
  IgnoredSlices,
  IncompleteArray,
  IncompleteSteps,
} from './schemas/metadata/expectations/kinds/written.ts'
export * from './http/headers.ts'
export * from './limits.ts'
export {
  type ChangeVerdict,
  changeVerdicts,
  noLicence,
  type NodeChange,
  nodeChanges,
  type SearchFacet,
  searchFacets,
  type ViewName,
  viewNames,
} from './lists.ts'
export * from './http/media-types.ts'
export * from './http/notification-headers.ts'
export * from './http/paths.ts'
export type { Question, QuestionTool } from './questions/question.ts'
export { type AnswerTo, questions, type Questions } from './questions/questions.ts'
export { formatProblemType, problemDefinitions } from './problems.ts'
export {
  type AuthorizationRequest,
  ClientMetadata,
  type OAuthError,
  type TokenRequest,
} from './schemas/authorization.ts'
export { ProtectedResource } from './routes/documents.ts'
export type { Health } from './routes/monitoring.ts'
export * from './schemas/administration/api-key.ts'
export * from './schemas/administration/audit.ts'
export { Chat, type ChatChange, type ChatCreation, ChatService } from './schemas/administration/receivers/chat.ts'
export * from './schemas/administration/receivers/delivery.ts'
export { settingsOf } from './schemas/administration/receivers/filter.ts'
export * from './schemas/administration/receivers/receiver.ts'
export { Alias, Resume, Warning } from './schemas/administration/receivers/receiver-members.ts'
export * from './schemas/administration/receivers/replay.ts'
export type { Account, Session } from './schemas/administration/session.ts'
export * from './schemas/administration/storage-event.ts'
export { EventPage } from './schemas/notifications/event-page.ts'
export { StoredSearchCreation, StoredSearch } from './schemas/administration/receivers/stored-search.ts'
export { TestResult } from './schemas/administration/receivers/test-result.ts'
export * from './schemas/administration/watched-repository.ts'
export {
  RotatedWebhook,
  SigningSecret,
  Webhook,
  type WebhookChange,
  WebhookCreation,
} from './schemas/administration/receivers/webhook.ts'
export { Citation } from './schemas/metadata/catalogues/citation.ts'
export {
  Compatibility,
  ContractVerdict,
  DatasetChange,
  type DatasetNote,
  writeRules,
} from './schemas/metadata/compatibility.ts'
export { GoodBranch } from './schemas/metadata/good.ts'
export { Check, CheckFigure, CheckList, CheckReport, CheckResult, CheckState } from './schemas/metadata/checks.ts'
export { Remark, RemarkChange, RemarkCreation, RemarkList } from './schemas/metadata/remarks.ts'
export * from './schemas/metadata/completeness.ts'
export * from './schemas/metadata/chunk-sources.ts'
export * from './schemas/metadata/gaps.ts'
export {
  checkDatasetContract,
  datasetContractLimits,
  createDatasetContractSchema,
  DatasetContract,
  findDatasetContractExcess,
} from './schemas/metadata/dataset-contract.ts'
export * from './schemas/metadata/dataset.ts'
export * from './schemas/metadata/diff.ts'
export * from './schemas/metadata/repositories/discovery.ts'
export * from './schemas/metadata/repositories/history.ts'
export { DataHubProposals } from './schemas/metadata/catalogues/datahub.ts'
export { CroissantDataset, DcatCatalog } from './schemas/metadata/catalogues/linked-data.ts'
export { OpenMetadataContainer } from './schemas/metadata/catalogues/openmetadata.ts'
export * from './schemas/mcp.ts'
export * from './schemas/metadata/repositories/operation.ts'
export { PublishedStorage } from './schemas/metadata/repositories/published-storage.ts'
export * from './schemas/metadata/repositories/repository.ts'
export * from './schemas/metadata/search.ts'
export { SourceList, VirtualContainer } from './schemas/metadata/repositories/virtual-container.ts'
export { StacCatalog, StacCollection } from './schemas/metadata/catalogues/stac.ts'
export { ZarrDocument } from './schemas/metadata/zarr-document.ts'
export { MaxAge, parseMaxAge } from './schemas/max-age.ts'
export { DeploymentName, Glob, GroupPath, OrgName, RefName, RepoName, SnapshotId } from './schemas/names.ts'
export {
  type ChangedPaths,
  CommitsUnavailableReason,
  NewCommit,
  NewCommitDetails,
  NotificationCommit,
  SentChangedPaths,
  SentNewCommit,
} from './schemas/notifications/new-commit.ts'
export {
  type NotComparedReason,
  type SchemaChangedDetails,
  SentSchemaChanged,
} from './schemas/notifications/schema-changed.ts'
export {
  createNotificationSchema,
  EventName,
  Notification,
  SentNotification,
  StreamedEventName,
} from './schemas/notifications/notification.ts'
export { listKnownValues, openKinds, openLists } from './schemas/open-lists.ts'
export type { ServiceStatus } from './schemas/service-status.ts'
export { Problem, ProblemCode, type ProblemError, ProblemType } from './schemas/problem.ts'
