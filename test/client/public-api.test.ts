import { readFile } from 'node:fs/promises'
import * as client from '@floe/client'
import * as receiver from '@floe/client/receiver'
import * as testing from '@floe/client/testing'
import * as testingWithMsw from '@floe/client/testing/msw'
import * as contract from '@floe/contract'
import { t } from 'tap'

const listNames = (text: string) => text.trim().split(/\s+/)

t.test('the client exports these values and no others', async (t) => {
  t.strictSame(
    Object.keys(client).sort(),
    listNames(`
    ContractBrokenError ContractViolationError CoordinatesError FloeError HistoryRewrittenError NetworkError
    NotificationError ProblemResponseError TimeoutError UnexpectedResponseError createAdminClient createClient
    createReceiver labelGaps parseNotification
    toExpressHandler toFastifyPlugin toNodeListener verifySecretToken verifySignature
  `),
  )
})

t.test('the README names every method of both clients', async (t) => {
  const readme = await readFile(new URL('../../client/README.md', import.meta.url), 'utf8')
  const options = { baseUrl: 'https://floe.example.org/v1', org: 'acme' }
  const reading = Object.keys(client.createClient({ ...options, deployment: 'demo' }))
  const names = [...reading, ...Object.keys(client.createAdminClient(options))]
  t.strictSame(
    names.filter((name) => !new RegExp(`\`${name}[(\`.{]|\`\\.${name}\\(`).test(readme)),
    [],
  )
})

t.test('the part for receivers exports these values and no others', async (t) => {
  t.strictSame(
    Object.keys(receiver).sort(),
    listNames(`
    NotificationError createReceiver parseNotification toExpressHandler toFastifyPlugin toNodeListener verifySecretToken verifySignature
  `),
  )
})

t.test('the parts for tests export these values and no others', async (t) => {
  t.strictSame(Object.keys(testing).sort(), ['answers', 'createProblem'])
  t.strictSame(Object.keys(testingWithMsw).sort(), ['createHandlers', 'listHandlers'])
})

t.test('the contract exports these values and no others', async (t) => {
  t.strictSame(
    Object.keys(contract).sort(),
    listNames(`
    Alias ApiKey ApiKeyCreation ApiKeyId ApiKeyName ApiKeyPage ArrayGaps AuditEntry AuditPage ChangedReceiver Chat
    ChatService Check CheckFigure CheckList CheckReport CheckResult CheckState ChunkGap ChunkSources Citation ClientMetadata
    CommitsUnavailableReason Compatibility Completeness ContractVerdict CreatedApiKey CreatedReceiver CroissantDataset
    DataHubProposals DatasetChange DatasetContract DatasetDict DatasetInfo DatasetKeys DatasetList DcatCatalog Delivery
    DeliveryAttempt DeliveryDetails DeliveryId DeliveryPage DeliveryRates DeliveryState DeploymentName Diff EmptySlices
    EventBridgeEvent EventGridEvents EventName EventPage Expectation ExpectationAlias ExpectationChange
    ExpectationCreation ExpectationId ExpectationList ExpectationSeverity ExpectationState ExpectedBranch ExpectedRepos FoundDataset
    FoundVariable Gaps Glob GoodBranch Grace GroupPath HeadCheck HistoryCommit HistoryPage JsonValue MaxAge McpAnswer McpMessage
    NewCommit NewCommitDetails Notification NotificationCommit OpenMetadataContainer Operation OperationsCursor OperationsPage OrgName
    Person PositionRange Problem ProblemCode ProblemType ProtectedResource PubSubPush PublishedStorage Receiver ReceiverChange ReceiverCreation
    ReceiverList ReceiverToTest RefList RefName Remark RemarkChange RemarkCreation RemarkList Reminder Replay ReplaySelection RepoName RepositoryList RepositoryStatus
    RepositorySummary Resume RevocationOptions Role RotatedWebhook S3Event SearchAnswer SentChangedPaths SentNewCommit
    SentNotification SentSchemaChanged SigningSecret SnapshotId SnsMessage SourceList StacCatalog StacCollection
    StartedReplay StatedExtent StorageEventAnswer StorageEvents StoredBytes StoredSearch StoredSearchCreation
    StreamedEventName TestResult UncountedReason UnknownGapsReason UnknownWord VirtualContainer Warning
    WatchedRepository WatchedRepositoryList Webhook WebhookCreation WrittenChunks ZarrDocument buildAddress
    changeCategories changeKinds changeVerdicts checkDatasetContract checkLimits compatibilityRules contentTypes
    contract createDatasetContractSchema createNotificationSchema datasetContractLimits descriptiveAttributes eventRetentionDays
    expectationForms expectationKinds fillPath findDatasetContractExcess findRule findSettingFaults formatProblemType
    harmlessGribKeys headersByStatus listKnownValues listRoutes maxChangedPaths maxCommitChanges maxFileRanges
    maxGapRanges maxIndexedText maxListedArrays maxListedBreaks maxListedGaps maxListedStates maxNotifiedChanges
    maxNotifiedLength maxProfileBins maxRemarkedSnapshots maxSnapshotChecks maxSummarizedLength meaningAttributes meaningPrefixes mediaTypes
    metaPrefix noLicence nodeChanges notificationHeaders openKinds openLists orgPrefix parseMaxAge problemDefinitions
    questions rateLimitHeaders remarkLimits repoPrefix responseHeaders searchFacets searchLimits settingsOf stateVerdicts viewNames writePattern
    writeRules
    `),
  )
})
