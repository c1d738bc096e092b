// Generated from contract/ by `npm run generate`.

import type { Schema } from '../check-value.ts'
import type * as types from './types.ts'
import {
  ApiKeyPage,
  AuditPage,
  ChangedChat,
  ChangedOrgChat,
  ChangedOrgWebhook,
  ChangedWebhook,
  Chat,
  ChatList,
  CreatedApiKey,
  CreatedOrgWebhook,
  CreatedWebhook,
  DatasetDict,
  DatasetInfo,
  DatasetKeys,
  DatasetList,
  Delivery,
  DeliveryDetails,
  DeliveryPage,
  Diff,
  HeadCheck,
  HistoryPage,
  OperationsPage,
  OrgChat,
  OrgChatList,
  OrgWebhook,
  OrgWebhookList,
  RefList,
  RepositoryList,
  RepositorySummary,
  RotatedOrgWebhook,
  RotatedWebhook,
  SearchAnswer,
  StorageEventAnswer,
  TestResult,
  WatchedRepository,
  WatchedRepositoryList,
  Webhook,
  WebhookList,
} from './schemas.ts'

/** A route of the contract, as it is called. */
export type Route<Answer> = {
  readonly method: string
  /** Path with `:names`. */
  readonly path: string
  /** Status of the success. */
  readonly status: number
  /** Media type of the answer's body; missing when it has none. */
  readonly mediaType?: string
  /** Schema of the answer's body; missing when it has none. */
  readonly answer?: Schema<Answer>
}

/** Response header with the id of the snapshot that an answer describes. */
export const snapshotHeader = 'floe-snapshot'

export const discovery: {
  repositories: Route<types.RepositoryList>
  refs: Route<types.RefList>
  datasets: Route<types.DatasetList>
} = {
  repositories: {
    method: 'GET',
    path: '/v1/services/:deployment/:org/_meta/discovery',
    status: 200,
    mediaType: 'application/json',
    answer: RepositoryList,
  },
  refs: {
    method: 'GET',
    path: '/v1/services/:deployment/:org/_meta/discovery/:repo',
    status: 200,
    mediaType: 'application/json',
    answer: RefList,
  },
  datasets: {
    method: 'GET',
    path: '/v1/services/:deployment/:org/_meta/discovery/:repo/:ref',
    status: 200,
    mediaType: 'application/json',
    answer: DatasetList,
  },
}

export const datasets: {
  info: Route<types.DatasetInfo>
  groupInfo: Route<types.DatasetInfo>
  keys: Route<types.DatasetKeys>
  groupKeys: Route<types.DatasetKeys>
  dict: Route<types.DatasetDict>
  groupDict: Route<types.DatasetDict>
  page: Route<string>
  groupPage: Route<string>
} = {
  info: {
    method: 'GET',
    path: '/v1/services/:deployment/:org/_meta/datasets/:repo/:ref/info',
    status: 200,
    mediaType: 'application/json',
    answer: DatasetInfo,
  },
  groupInfo: {
    method: 'GET',
    path: '/v1/services/:deployment/:org/_meta/datasets/:repo/:ref/:group/info',
    status: 200,
    mediaType: 'application/json',
    answer: DatasetInfo,
  },
  keys: {
    method: 'GET',
    path: '/v1/services/:deployment/:org/_meta/datasets/:repo/:ref/keys',
    status: 200,
    mediaType: 'application/json',
    answer: DatasetKeys,
  },
  groupKeys: {
    method: 'GET',
    path: '/v1/services/:deployment/:org/_meta/datasets/:repo/:ref/:group/keys',
    status: 200,
    mediaType: 'application/json',
    answer: DatasetKeys,
  },
  dict: {
    method: 'GET',
    path: '/v1/services/:deployment/:org/_meta/datasets/:repo/:ref/dict',
    status: 200,
    mediaType: 'application/json',
    answer: DatasetDict,
  },
  groupDict: {
    method: 'GET',
    path: '/v1/services/:deployment/:org/_meta/datasets/:repo/:ref/:group/dict',
    status: 200,
    mediaType: 'application/json',
    answer: DatasetDict,
  },
  page: {
    method: 'GET',
    path: '/v1/services/:deployment/:org/_meta/datasets/:repo/:ref',
    status: 200,
    mediaType: 'text/html',
    answer: { type: 'string' },
  },
  groupPage: {
    method: 'GET',
    path: '/v1/services/:deployment/:org/_meta/datasets/:repo/:ref/:group',
    status: 200,
    mediaType: 'text/html',
    answer: { type: 'string' },
  },
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
    mediaType: 'application/json',
    answer: HistoryPage,
  },
  repository: {
    method: 'GET',
    path: '/v1/services/:deployment/:org/_meta/repositories/:repo',
    status: 200,
    mediaType: 'application/json',
    answer: RepositorySummary,
  },
  operations: {
    method: 'GET',
    path: '/v1/services/:deployment/:org/_meta/operations/:repo',
    status: 200,
    mediaType: 'application/json',
    answer: OperationsPage,
  },
}

export const diff: { get: Route<types.Diff> } = {
  get: {
    method: 'GET',
    path: '/v1/services/:deployment/:org/_meta/diff/:repo/:from/:to',
    status: 200,
    mediaType: 'application/json',
    answer: Diff,
  },
}

export const search: { get: Route<types.SearchAnswer> } = {
  get: {
    method: 'GET',
    path: '/v1/services/:deployment/:org/_meta/search',
    status: 200,
    mediaType: 'application/json',
    answer: SearchAnswer,
  },
}

export const events: { stream: Route<string> } = {
  stream: {
    method: 'GET',
    path: '/v1/services/:deployment/:org/_meta/events',
    status: 200,
    mediaType: 'text/event-stream',
    answer: { type: 'string' },
  },
}

export const documents: {
  index: Route<string>
  browse: Route<string>
  openapi: Route<Record<string, unknown>>
  docs: Route<string>
  redoc: Route<string>
  notificationSchema: Route<Record<string, unknown>>
} = {
  index: { method: 'GET', path: '/v1/', status: 200, mediaType: 'text/html', answer: { type: 'string' } },
  browse: {
    method: 'GET',
    path: '/v1/services/:deployment/:org/_meta/',
    status: 200,
    mediaType: 'text/html',
    answer: { type: 'string' },
  },
  openapi: {
    method: 'GET',
    path: '/v1/services/:deployment/:org/_meta/openapi.json',
    status: 200,
    mediaType: 'application/json',
    answer: { type: 'object' },
  },
  docs: {
    method: 'GET',
    path: '/v1/services/:deployment/:org/_meta/docs',
    status: 200,
    mediaType: 'text/html',
    answer: { type: 'string' },
  },
  redoc: {
    method: 'GET',
    path: '/v1/services/:deployment/:org/_meta/redoc',
    status: 200,
    mediaType: 'text/html',
    answer: { type: 'string' },
  },
  notificationSchema: {
    method: 'GET',
    path: '/v1/schemas/notification.json',
    status: 200,
    mediaType: 'application/json',
    answer: { type: 'object' },
  },
}

export const repositories: {
  list: Route<types.WatchedRepositoryList>
  get: Route<types.WatchedRepository>
  refresh: Route<types.HeadCheck>
  audit: Route<types.AuditPage>
} = {
  list: {
    method: 'GET',
    path: '/v1/orgs/:org/repos',
    status: 200,
    mediaType: 'application/json',
    answer: WatchedRepositoryList,
  },
  get: {
    method: 'GET',
    path: '/v1/orgs/:org/repos/:repo',
    status: 200,
    mediaType: 'application/json',
    answer: WatchedRepository,
  },
  refresh: {
    method: 'POST',
    path: '/v1/orgs/:org/repos/:repo/refresh',
    status: 200,
    mediaType: 'application/json',
    answer: HeadCheck,
  },
  audit: {
    method: 'GET',
    path: '/v1/orgs/:org/repos/:repo/audit',
    status: 200,
    mediaType: 'application/json',
    answer: AuditPage,
  },
}

export const storageEvents: { report: Route<types.StorageEventAnswer> } = {
  report: {
    method: 'POST',
    path: '/v1/orgs/:org/storage-events',
    status: 200,
    mediaType: 'application/json',
    answer: StorageEventAnswer,
  },
}

export const webhooks: {
  list: Route<types.WebhookList>
  create: Route<types.CreatedWebhook>
  test: Route<types.TestResult>
  get: Route<types.Webhook>
  update: Route<types.ChangedWebhook>
  delete: Route<undefined>
  rotateSecret: Route<types.RotatedWebhook>
} = {
  list: {
    method: 'GET',
    path: '/v1/orgs/:org/repos/:repo/webhooks',
    status: 200,
    mediaType: 'application/json',
    answer: WebhookList,
  },
  create: {
    method: 'POST',
    path: '/v1/orgs/:org/repos/:repo/webhooks',
    status: 201,
    mediaType: 'application/json',
    answer: CreatedWebhook,
  },
  test: {
    method: 'POST',
    path: '/v1/orgs/:org/repos/:repo/webhooks/test',
    status: 200,
    mediaType: 'application/json',
    answer: TestResult,
  },
  get: {
    method: 'GET',
    path: '/v1/orgs/:org/repos/:repo/webhooks/:id',
    status: 200,
    mediaType: 'application/json',
    answer: Webhook,
  },
  update: {
    method: 'PATCH',
    path: '/v1/orgs/:org/repos/:repo/webhooks/:id',
    status: 200,
    mediaType: 'application/json',
    answer: ChangedWebhook,
  },
  delete: { method: 'DELETE', path: '/v1/orgs/:org/repos/:repo/webhooks/:id', status: 204 },
  rotateSecret: {
    method: 'POST',
    path: '/v1/orgs/:org/repos/:repo/webhooks/:id/rotate-secret',
    status: 200,
    mediaType: 'application/json',
    answer: RotatedWebhook,
  },
}

export const chats: {
  list: Route<types.ChatList>
  create: Route<types.ChangedChat>
  test: Route<types.TestResult>
  get: Route<types.Chat>
  update: Route<types.ChangedChat>
  delete: Route<undefined>
} = {
  list: {
    method: 'GET',
    path: '/v1/orgs/:org/repos/:repo/chats',
    status: 200,
    mediaType: 'application/json',
    answer: ChatList,
  },
  create: {
    method: 'POST',
    path: '/v1/orgs/:org/repos/:repo/chats',
    status: 201,
    mediaType: 'application/json',
    answer: ChangedChat,
  },
  test: {
    method: 'POST',
    path: '/v1/orgs/:org/repos/:repo/chats/test',
    status: 200,
    mediaType: 'application/json',
    answer: TestResult,
  },
  get: {
    method: 'GET',
    path: '/v1/orgs/:org/repos/:repo/chats/:id',
    status: 200,
    mediaType: 'application/json',
    answer: Chat,
  },
  update: {
    method: 'PATCH',
    path: '/v1/orgs/:org/repos/:repo/chats/:id',
    status: 200,
    mediaType: 'application/json',
    answer: ChangedChat,
  },
  delete: { method: 'DELETE', path: '/v1/orgs/:org/repos/:repo/chats/:id', status: 204 },
}

export const orgWebhooks: {
  list: Route<types.OrgWebhookList>
  create: Route<types.CreatedOrgWebhook>
  test: Route<types.TestResult>
  get: Route<types.OrgWebhook>
  update: Route<types.ChangedOrgWebhook>
  delete: Route<undefined>
  rotateSecret: Route<types.RotatedOrgWebhook>
} = {
  list: {
    method: 'GET',
    path: '/v1/orgs/:org/webhooks',
    status: 200,
    mediaType: 'application/json',
    answer: OrgWebhookList,
  },
  create: {
    method: 'POST',
    path: '/v1/orgs/:org/webhooks',
    status: 201,
    mediaType: 'application/json',
    answer: CreatedOrgWebhook,
  },
  test: {
    method: 'POST',
    path: '/v1/orgs/:org/webhooks/test',
    status: 200,
    mediaType: 'application/json',
    answer: TestResult,
  },
  get: {
    method: 'GET',
    path: '/v1/orgs/:org/webhooks/:id',
    status: 200,
    mediaType: 'application/json',
    answer: OrgWebhook,
  },
  update: {
    method: 'PATCH',
    path: '/v1/orgs/:org/webhooks/:id',
    status: 200,
    mediaType: 'application/json',
    answer: ChangedOrgWebhook,
  },
  delete: { method: 'DELETE', path: '/v1/orgs/:org/webhooks/:id', status: 204 },
  rotateSecret: {
    method: 'POST',
    path: '/v1/orgs/:org/webhooks/:id/rotate-secret',
    status: 200,
    mediaType: 'application/json',
    answer: RotatedOrgWebhook,
  },
}

export const orgChats: {
  list: Route<types.OrgChatList>
  create: Route<types.ChangedOrgChat>
  test: Route<types.TestResult>
  get: Route<types.OrgChat>
  update: Route<types.ChangedOrgChat>
  delete: Route<undefined>
} = {
  list: { method: 'GET', path: '/v1/orgs/:org/chats', status: 200, mediaType: 'application/json', answer: OrgChatList },
  create: {
    method: 'POST',
    path: '/v1/orgs/:org/chats',
    status: 201,
    mediaType: 'application/json',
    answer: ChangedOrgChat,
  },
  test: {
    method: 'POST',
    path: '/v1/orgs/:org/chats/test',
    status: 200,
    mediaType: 'application/json',
    answer: TestResult,
  },
  get: { method: 'GET', path: '/v1/orgs/:org/chats/:id', status: 200, mediaType: 'application/json', answer: OrgChat },
  update: {
    method: 'PATCH',
    path: '/v1/orgs/:org/chats/:id',
    status: 200,
    mediaType: 'application/json',
    answer: ChangedOrgChat,
  },
  delete: { method: 'DELETE', path: '/v1/orgs/:org/chats/:id', status: 204 },
}

export const deliveries: {
  list: Route<types.DeliveryPage>
  get: Route<types.DeliveryDetails>
  redeliver: Route<types.Delivery>
} = {
  list: {
    method: 'GET',
    path: '/v1/orgs/:org/repos/:repo/deliveries',
    status: 200,
    mediaType: 'application/json',
    answer: DeliveryPage,
  },
  get: {
    method: 'GET',
    path: '/v1/orgs/:org/repos/:repo/deliveries/:id',
    status: 200,
    mediaType: 'application/json',
    answer: DeliveryDetails,
  },
  redeliver: {
    method: 'POST',
    path: '/v1/orgs/:org/repos/:repo/deliveries/:id/redeliver',
    status: 202,
    mediaType: 'application/json',
    answer: Delivery,
  },
}

export const orgDeliveries: {
  list: Route<types.DeliveryPage>
  get: Route<types.DeliveryDetails>
  redeliver: Route<types.Delivery>
} = {
  list: {
    method: 'GET',
    path: '/v1/orgs/:org/deliveries',
    status: 200,
    mediaType: 'application/json',
    answer: DeliveryPage,
  },
  get: {
    method: 'GET',
    path: '/v1/orgs/:org/deliveries/:id',
    status: 200,
    mediaType: 'application/json',
    answer: DeliveryDetails,
  },
  redeliver: {
    method: 'POST',
    path: '/v1/orgs/:org/deliveries/:id/redeliver',
    status: 202,
    mediaType: 'application/json',
    answer: Delivery,
  },
}

export const keys: { list: Route<types.ApiKeyPage>; create: Route<types.CreatedApiKey>; revoke: Route<undefined> } = {
  list: { method: 'GET', path: '/v1/orgs/:org/keys', status: 200, mediaType: 'application/json', answer: ApiKeyPage },
  create: {
    method: 'POST',
    path: '/v1/orgs/:org/keys',
    status: 201,
    mediaType: 'application/json',
    answer: CreatedApiKey,
  },
  revoke: { method: 'DELETE', path: '/v1/orgs/:org/keys/:id', status: 204 },
}

export const audit: { list: Route<types.AuditPage> } = {
  list: { method: 'GET', path: '/v1/orgs/:org/audit', status: 200, mediaType: 'application/json', answer: AuditPage },
}

export const settings: { page: Route<string> } = {
  page: {
    method: 'GET',
    path: '/v1/orgs/:org/repos/:repo/settings',
    status: 200,
    mediaType: 'text/html',
    answer: { type: 'string' },
  },
}

export const orgSettings: { page: Route<string> } = {
  page: {
    method: 'GET',
    path: '/v1/orgs/:org/settings',
    status: 200,
    mediaType: 'text/html',
    answer: { type: 'string' },
  },
}
