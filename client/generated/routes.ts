// Generated from contract/ by `npm run generate`.

import type { Schema } from '../check-value.ts'
import type * as types from './types.ts'
import {
  ApiKeyPage,
  AuditPage,
  ChangedReceiver,
  Check,
  CheckList,
  ChunkSources,
  Citation,
  Compatibility,
  Completeness,
  ContractVerdict,
  CreatedApiKey,
  CreatedReceiver,
  DataHubProposals,
  DatasetContract,
  DatasetDict,
  DatasetInfo,
  DatasetKeys,
  DatasetList,
  Delivery,
  DeliveryDetails,
  DeliveryPage,
  DeliveryRates,
  Diff,
  Expectation,
  ExpectationList,
  FoundRemarks,
  Gaps,
  GoodBranch,
  HeadCheck,
  HistoryPage,
  OpenMetadataContainer,
  OperationsPage,
  Receiver,
  ReceiverList,
  RefList,
  Remark,
  RemarkList,
  Replay,
  RepositoryList,
  RepositorySummary,
  RotatedWebhook,
  SearchAnswer,
  SessionPage,
  SourceList,
  StacCatalog,
  StacCollection,
  StartedReplay,
  StorageEventAnswer,
  TestResult,
  WatchedRepository,
  WatchedRepositoryList,
  ZarrDocument,
} from './schemas.ts'

/** A route of the contract, as it is called. */
export type Route<Answer> = {
  readonly method: string
  /** Path with `:names`. */
  readonly path: string
  /** Status of the success. */
  readonly status: number
  /** Schema of the answer's body, which is JSON; missing when it has none. */
  readonly answer?: Schema<Answer>
}

/** Response header with the id of the snapshot that an answer describes. */
export const snapshotHeader = 'floe-snapshot'

export const discovery: {
  repositories: Route<types.RepositoryList>
  refs: Route<types.RefList>
  datasets: Route<types.DatasetList>
  sources: Route<types.SourceList>
} = {
  repositories: {
    method: 'GET',
    path: '/v1/services/:deployment/:org/_meta/discovery',
    status: 200,
    answer: RepositoryList,
  },
  refs: { method: 'GET', path: '/v1/services/:deployment/:org/_meta/discovery/:repo', status: 200, answer: RefList },
  datasets: {
    method: 'GET',
    path: '/v1/services/:deployment/:org/_meta/discovery/:repo/:ref',
    status: 200,
    answer: DatasetList,
  },
  sources: { method: 'GET', path: '/v1/services/:deployment/:org/_meta/sources', status: 200, answer: SourceList },
}

export const datasets: {
  info: Route<types.DatasetInfo>
  groupInfo: Route<types.DatasetInfo>
  keys: Route<types.DatasetKeys>
  groupKeys: Route<types.DatasetKeys>
  dict: Route<types.DatasetDict>
  groupDict: Route<types.DatasetDict>
} = {
  info: {
    method: 'GET',
    path: '/v1/services/:deployment/:org/_meta/datasets/:repo/:ref/info',
    status: 200,
    answer: DatasetInfo,
  },
  groupInfo: {
    method: 'GET',
    path: '/v1/services/:deployment/:org/_meta/datasets/:repo/:ref/:group/info',
    status: 200,
    answer: DatasetInfo,
  },
  keys: {
    method: 'GET',
    path: '/v1/services/:deployment/:org/_meta/datasets/:repo/:ref/keys',
    status: 200,
    answer: DatasetKeys,
  },
  groupKeys: {
    method: 'GET',
    path: '/v1/services/:deployment/:org/_meta/datasets/:repo/:ref/:group/keys',
    status: 200,
    answer: DatasetKeys,
  },
  dict: {
    method: 'GET',
    path: '/v1/services/:deployment/:org/_meta/datasets/:repo/:ref/dict',
    status: 200,
    answer: DatasetDict,
  },
  groupDict: {
    method: 'GET',
    path: '/v1/services/:deployment/:org/_meta/datasets/:repo/:ref/:group/dict',
    status: 200,
    answer: DatasetDict,
  },
}

export const citation: { get: Route<types.Citation> } = {
  get: { method: 'GET', path: '/v1/services/:deployment/:org/_meta/cite/:repo/:ref', status: 200, answer: Citation },
}

export const history: {
  commits: Route<types.HistoryPage>
  repository: Route<types.RepositorySummary>
  operations: Route<types.OperationsPage>
} = {
  commits: {
    method: 'GET',
    path: '/v1/services/:deployment/:org/_meta/history/:repo/:ref',
    status: 200,
    answer: HistoryPage,
  },
  repository: {
    method: 'GET',
    path: '/v1/services/:deployment/:org/_meta/repositories/:repo',
    status: 200,
    answer: RepositorySummary,
  },
  operations: {
    method: 'GET',
    path: '/v1/services/:deployment/:org/_meta/operations/:repo',
    status: 200,
    answer: OperationsPage,
  },
}

export const checks: { list: Route<types.CheckList>; postAll: Route<types.CheckList>; post: Route<types.Check> } = {
  list: {
    method: 'GET',
    path: '/v1/services/:deployment/:org/_meta/checks/:repo/:ref',
    status: 200,
    answer: CheckList,
  },
  postAll: {
    method: 'PUT',
    path: '/v1/services/:deployment/:org/_meta/checks/:repo/:ref',
    status: 200,
    answer: CheckList,
  },
  post: {
    method: 'PUT',
    path: '/v1/services/:deployment/:org/_meta/checks/:repo/:ref/:name',
    status: 200,
    answer: Check,
  },
}

export const good: { get: Route<types.GoodBranch> } = {
  get: { method: 'GET', path: '/v1/services/:deployment/:org/_meta/good/:repo/:ref', status: 200, answer: GoodBranch },
}

export const datasetRemarks: { list: Route<types.FoundRemarks> } = {
  list: {
    method: 'GET',
    path: '/v1/services/:deployment/:org/_meta/remarks/:repo/:ref',
    status: 200,
    answer: FoundRemarks,
  },
}

export const diff: { get: Route<types.Diff> } = {
  get: { method: 'GET', path: '/v1/services/:deployment/:org/_meta/diff/:repo/:from/:to', status: 200, answer: Diff },
}

export const compatibility: { get: Route<types.Compatibility>; check: Route<types.ContractVerdict> } = {
  get: {
    method: 'GET',
    path: '/v1/services/:deployment/:org/_meta/compatibility/:repo/:from/:to',
    status: 200,
    answer: Compatibility,
  },
  check: {
    method: 'POST',
    path: '/v1/services/:deployment/:org/_meta/compatibility/:repo/:ref',
    status: 200,
    answer: ContractVerdict,
  },
}

export const completeness: { get: Route<types.Completeness> } = {
  get: {
    method: 'GET',
    path: '/v1/services/:deployment/:org/_meta/completeness/:repo/:ref',
    status: 200,
    answer: Completeness,
  },
}

export const gaps: { get: Route<types.Gaps> } = {
  get: { method: 'GET', path: '/v1/services/:deployment/:org/_meta/gaps/:repo/:ref', status: 200, answer: Gaps },
}

export const chunkSources: { get: Route<types.ChunkSources> } = {
  get: {
    method: 'GET',
    path: '/v1/services/:deployment/:org/_meta/chunk-sources/:repo/:ref',
    status: 200,
    answer: ChunkSources,
  },
}

export const zarr: { document: Route<types.ZarrDocument>; nodeDocument: Route<types.ZarrDocument> } = {
  document: {
    method: 'GET',
    path: '/v1/services/:deployment/:org/_meta/zarr/:repo/:ref/zarr.json',
    status: 200,
    answer: ZarrDocument,
  },
  nodeDocument: {
    method: 'GET',
    path: '/v1/services/:deployment/:org/_meta/zarr/:repo/:ref/:group/zarr.json',
    status: 200,
    answer: ZarrDocument,
  },
}

export const search: { get: Route<types.SearchAnswer> } = {
  get: { method: 'GET', path: '/v1/services/:deployment/:org/_meta/search', status: 200, answer: SearchAnswer },
}

export const stac: {
  catalog: Route<types.StacCatalog>
  repository: Route<types.StacCatalog>
  dataset: Route<types.StacCollection>
  groupDataset: Route<types.StacCollection>
} = {
  catalog: { method: 'GET', path: '/v1/services/:deployment/:org/_meta/stac', status: 200, answer: StacCatalog },
  repository: {
    method: 'GET',
    path: '/v1/services/:deployment/:org/_meta/stac/repositories/:repo',
    status: 200,
    answer: StacCatalog,
  },
  dataset: {
    method: 'GET',
    path: '/v1/services/:deployment/:org/_meta/stac/datasets/:repo/:ref',
    status: 200,
    answer: StacCollection,
  },
  groupDataset: {
    method: 'GET',
    path: '/v1/services/:deployment/:org/_meta/stac/datasets/:repo/:ref/:group',
    status: 200,
    answer: StacCollection,
  },
}

export const catalogues: {
  datahub: Route<types.DataHubProposals>
  groupDatahub: Route<types.DataHubProposals>
  openmetadata: Route<types.OpenMetadataContainer>
  groupOpenmetadata: Route<types.OpenMetadataContainer>
} = {
  datahub: {
    method: 'GET',
    path: '/v1/services/:deployment/:org/_meta/datahub/:repo/:ref',
    status: 200,
    answer: DataHubProposals,
  },
  groupDatahub: {
    method: 'GET',
    path: '/v1/services/:deployment/:org/_meta/datahub/:repo/:ref/:group',
    status: 200,
    answer: DataHubProposals,
  },
  openmetadata: {
    method: 'GET',
    path: '/v1/services/:deployment/:org/_meta/openmetadata/:repo/:ref',
    status: 200,
    answer: OpenMetadataContainer,
  },
  groupOpenmetadata: {
    method: 'GET',
    path: '/v1/services/:deployment/:org/_meta/openmetadata/:repo/:ref/:group',
    status: 200,
    answer: OpenMetadataContainer,
  },
}

export const events: { stream: Route<string> } = {
  stream: {
    method: 'GET',
    path: '/v1/services/:deployment/:org/_meta/events',
    status: 200,
    answer: { type: 'string' },
  },
}

export const documents: {
  openapi: Route<Record<string, unknown>>
  notificationSchema: Route<Record<string, unknown>>
  datasetContractSchema: Route<Record<string, unknown>>
} = {
  openapi: {
    method: 'GET',
    path: '/v1/services/:deployment/:org/_meta/openapi.json',
    status: 200,
    answer: { type: 'object' },
  },
  notificationSchema: { method: 'GET', path: '/v1/schemas/notification.json', status: 200, answer: { type: 'object' } },
  datasetContractSchema: {
    method: 'GET',
    path: '/v1/schemas/dataset-contract.json',
    status: 200,
    answer: { type: 'object' },
  },
}

export const repositories: {
  list: Route<types.WatchedRepositoryList>
  get: Route<types.WatchedRepository>
  refresh: Route<types.HeadCheck>
  audit: Route<types.AuditPage>
} = {
  list: { method: 'GET', path: '/v1/orgs/:org/repos', status: 200, answer: WatchedRepositoryList },
  get: { method: 'GET', path: '/v1/orgs/:org/repos/:repo', status: 200, answer: WatchedRepository },
  refresh: { method: 'POST', path: '/v1/orgs/:org/repos/:repo/refresh', status: 200, answer: HeadCheck },
  audit: { method: 'GET', path: '/v1/orgs/:org/repos/:repo/audit', status: 200, answer: AuditPage },
}

export const storageEvents: { report: Route<types.StorageEventAnswer> } = {
  report: { method: 'POST', path: '/v1/orgs/:org/storage-events', status: 200, answer: StorageEventAnswer },
}

export const receivers: {
  list: Route<types.ReceiverList>
  create: Route<types.CreatedReceiver>
  test: Route<types.TestResult>
  get: Route<types.Receiver>
  update: Route<types.ChangedReceiver>
  delete: Route<undefined>
  rotateSecret: Route<types.RotatedWebhook>
  replay: Route<types.StartedReplay>
  getReplay: Route<types.Replay>
  cancelReplay: Route<undefined>
} = {
  list: { method: 'GET', path: '/v1/orgs/:org/repos/:repo/receivers', status: 200, answer: ReceiverList },
  create: { method: 'POST', path: '/v1/orgs/:org/repos/:repo/receivers', status: 201, answer: CreatedReceiver },
  test: { method: 'POST', path: '/v1/orgs/:org/repos/:repo/receivers/test', status: 200, answer: TestResult },
  get: { method: 'GET', path: '/v1/orgs/:org/repos/:repo/receivers/:id', status: 200, answer: Receiver },
  update: { method: 'PATCH', path: '/v1/orgs/:org/repos/:repo/receivers/:id', status: 200, answer: ChangedReceiver },
  delete: { method: 'DELETE', path: '/v1/orgs/:org/repos/:repo/receivers/:id', status: 204 },
  rotateSecret: {
    method: 'POST',
    path: '/v1/orgs/:org/repos/:repo/receivers/:id/rotate-secret',
    status: 200,
    answer: RotatedWebhook,
  },
  replay: {
    method: 'POST',
    path: '/v1/orgs/:org/repos/:repo/receivers/:id/replay',
    status: 202,
    answer: StartedReplay,
  },
  getReplay: { method: 'GET', path: '/v1/orgs/:org/repos/:repo/receivers/:id/replay', status: 200, answer: Replay },
  cancelReplay: { method: 'DELETE', path: '/v1/orgs/:org/repos/:repo/receivers/:id/replay', status: 204 },
}

export const orgReceivers: {
  list: Route<types.ReceiverList>
  create: Route<types.CreatedReceiver>
  test: Route<types.TestResult>
  get: Route<types.Receiver>
  update: Route<types.ChangedReceiver>
  delete: Route<undefined>
  rotateSecret: Route<types.RotatedWebhook>
  replay: Route<types.StartedReplay>
  getReplay: Route<types.Replay>
  cancelReplay: Route<undefined>
} = {
  list: { method: 'GET', path: '/v1/orgs/:org/receivers', status: 200, answer: ReceiverList },
  create: { method: 'POST', path: '/v1/orgs/:org/receivers', status: 201, answer: CreatedReceiver },
  test: { method: 'POST', path: '/v1/orgs/:org/receivers/test', status: 200, answer: TestResult },
  get: { method: 'GET', path: '/v1/orgs/:org/receivers/:id', status: 200, answer: Receiver },
  update: { method: 'PATCH', path: '/v1/orgs/:org/receivers/:id', status: 200, answer: ChangedReceiver },
  delete: { method: 'DELETE', path: '/v1/orgs/:org/receivers/:id', status: 204 },
  rotateSecret: {
    method: 'POST',
    path: '/v1/orgs/:org/receivers/:id/rotate-secret',
    status: 200,
    answer: RotatedWebhook,
  },
  replay: { method: 'POST', path: '/v1/orgs/:org/receivers/:id/replay', status: 202, answer: StartedReplay },
  getReplay: { method: 'GET', path: '/v1/orgs/:org/receivers/:id/replay', status: 200, answer: Replay },
  cancelReplay: { method: 'DELETE', path: '/v1/orgs/:org/receivers/:id/replay', status: 204 },
}

export const expectations: {
  list: Route<types.ExpectationList>
  create: Route<types.Expectation>
  get: Route<types.Expectation>
  getContract: Route<types.DatasetContract>
  update: Route<types.Expectation>
  delete: Route<undefined>
} = {
  list: { method: 'GET', path: '/v1/orgs/:org/repos/:repo/expectations', status: 200, answer: ExpectationList },
  create: { method: 'POST', path: '/v1/orgs/:org/repos/:repo/expectations', status: 201, answer: Expectation },
  get: { method: 'GET', path: '/v1/orgs/:org/repos/:repo/expectations/:id', status: 200, answer: Expectation },
  getContract: {
    method: 'GET',
    path: '/v1/orgs/:org/repos/:repo/expectations/:id/contract',
    status: 200,
    answer: DatasetContract,
  },
  update: { method: 'PATCH', path: '/v1/orgs/:org/repos/:repo/expectations/:id', status: 200, answer: Expectation },
  delete: { method: 'DELETE', path: '/v1/orgs/:org/repos/:repo/expectations/:id', status: 204 },
}

export const orgExpectations: {
  list: Route<types.ExpectationList>
  create: Route<types.Expectation>
  get: Route<types.Expectation>
  getContract: Route<types.DatasetContract>
  update: Route<types.Expectation>
  delete: Route<undefined>
} = {
  list: { method: 'GET', path: '/v1/orgs/:org/expectations', status: 200, answer: ExpectationList },
  create: { method: 'POST', path: '/v1/orgs/:org/expectations', status: 201, answer: Expectation },
  get: { method: 'GET', path: '/v1/orgs/:org/expectations/:id', status: 200, answer: Expectation },
  getContract: { method: 'GET', path: '/v1/orgs/:org/expectations/:id/contract', status: 200, answer: DatasetContract },
  update: { method: 'PATCH', path: '/v1/orgs/:org/expectations/:id', status: 200, answer: Expectation },
  delete: { method: 'DELETE', path: '/v1/orgs/:org/expectations/:id', status: 204 },
}

export const remarks: {
  list: Route<types.RemarkList>
  create: Route<types.Remark>
  get: Route<types.Remark>
  update: Route<types.Remark>
  delete: Route<undefined>
} = {
  list: { method: 'GET', path: '/v1/orgs/:org/repos/:repo/remarks', status: 200, answer: RemarkList },
  create: { method: 'POST', path: '/v1/orgs/:org/repos/:repo/remarks', status: 201, answer: Remark },
  get: { method: 'GET', path: '/v1/orgs/:org/repos/:repo/remarks/:id', status: 200, answer: Remark },
  update: { method: 'PATCH', path: '/v1/orgs/:org/repos/:repo/remarks/:id', status: 200, answer: Remark },
  delete: { method: 'DELETE', path: '/v1/orgs/:org/repos/:repo/remarks/:id', status: 204 },
}

export const deliveries: {
  list: Route<types.DeliveryPage>
  rates: Route<types.DeliveryRates>
  get: Route<types.DeliveryDetails>
  redeliver: Route<types.Delivery>
} = {
  list: { method: 'GET', path: '/v1/orgs/:org/repos/:repo/deliveries', status: 200, answer: DeliveryPage },
  rates: { method: 'GET', path: '/v1/orgs/:org/repos/:repo/deliveries/rates', status: 200, answer: DeliveryRates },
  get: { method: 'GET', path: '/v1/orgs/:org/repos/:repo/deliveries/:id', status: 200, answer: DeliveryDetails },
  redeliver: {
    method: 'POST',
    path: '/v1/orgs/:org/repos/:repo/deliveries/:id/redeliver',
    status: 202,
    answer: Delivery,
  },
}

export const orgDeliveries: {
  list: Route<types.DeliveryPage>
  rates: Route<types.DeliveryRates>
  get: Route<types.DeliveryDetails>
  redeliver: Route<types.Delivery>
} = {
  list: { method: 'GET', path: '/v1/orgs/:org/deliveries', status: 200, answer: DeliveryPage },
  rates: { method: 'GET', path: '/v1/orgs/:org/deliveries/rates', status: 200, answer: DeliveryRates },
  get: { method: 'GET', path: '/v1/orgs/:org/deliveries/:id', status: 200, answer: DeliveryDetails },
  redeliver: { method: 'POST', path: '/v1/orgs/:org/deliveries/:id/redeliver', status: 202, answer: Delivery },
}

export const keys: { list: Route<types.ApiKeyPage>; create: Route<types.CreatedApiKey>; revoke: Route<undefined> } = {
  list: { method: 'GET', path: '/v1/orgs/:org/keys', status: 200, answer: ApiKeyPage },
  create: { method: 'POST', path: '/v1/orgs/:org/keys', status: 201, answer: CreatedApiKey },
  revoke: { method: 'DELETE', path: '/v1/orgs/:org/keys/:id', status: 204 },
}

export const sessions: { list: Route<types.SessionPage>; end: Route<undefined> } = {
  list: { method: 'GET', path: '/v1/orgs/:org/sessions', status: 200, answer: SessionPage },
  end: { method: 'DELETE', path: '/v1/orgs/:org/sessions/:id', status: 204 },
}

export const audit: { list: Route<types.AuditPage> } = {
  list: { method: 'GET', path: '/v1/orgs/:org/audit', status: 200, answer: AuditPage },
}
