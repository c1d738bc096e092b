// The types of the client are those of the contract. The compiler is the test: it refuses this file when two differ.
import type * as Client from '@floe/client'
import type * as Contract from '@floe/contract'
import { t } from 'tap'
import type { z } from 'zod'

/** True when each type is assignable to the other. */
type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false

type Named = {
  ApiKey: Same<Client.ApiKey, Contract.ApiKey>
  AuditEntry: Same<Client.AuditEntry, Contract.AuditEntry>
  ChangedChat: Same<Client.ChangedChat, Contract.ChangedChat>
  ChangedWebhook: Same<Client.ChangedWebhook, Contract.ChangedWebhook>
  Chat: Same<Client.Chat, Contract.Chat>
  ChatChange: Same<Client.ChatChange, Contract.ChatChange>
  ChatToTest: Same<Client.ChatToTest, Contract.ChatToTest>
  ChatService: Same<Client.ChatService, Contract.Chat['service']>
  CommitsUnavailableReason: Same<Client.CommitsUnavailableReason, Contract.CommitsUnavailableReason>
  CreatedApiKey: Same<Client.CreatedApiKey, Contract.CreatedApiKey>
  CreatedWebhook: Same<Client.CreatedWebhook, Contract.CreatedWebhook>
  DatasetDict: Same<Client.DatasetDict, Contract.DatasetDict>
  DatasetInfo: Same<Client.DatasetInfo, Contract.DatasetInfo>
  DatasetKeys: Same<Client.DatasetKeys, Contract.DatasetKeys>
  Delivery: Same<Client.Delivery, Contract.Delivery>
  DeliveryAttempt: Same<Client.DeliveryAttempt, Contract.DeliveryAttempt>
  DeliveryDetails: Same<Client.DeliveryDetails, Contract.DeliveryDetails>
  DeliveryState: Same<Client.DeliveryState, Contract.DeliveryState>
  Diff: Same<Client.Diff, Contract.Diff>
  HeadCheck: Same<Client.HeadCheck, Contract.HeadCheck>
  HistoryCommit: Same<Client.HistoryCommit, Contract.HistoryCommit>
  HistoryPage: Same<Client.HistoryPage, Contract.HistoryPage>
  JsonValue: Same<Client.JsonValue, Contract.JsonValue>
  NewApiKey: Same<Client.NewApiKey, Contract.NewApiKey>
  NewChat: Same<Client.NewChat, Contract.NewChat>
  NewCommit: Same<Client.NewCommit, Contract.NewCommit>
  NewCommitDetails: Same<Client.NewCommitDetails, Contract.NewCommitDetails>
  NewWebhook: Same<Client.NewWebhook, Contract.NewWebhook>
  NotificationCommit: Same<Client.NotificationCommit, Contract.NotificationCommit>
  Operation: Same<Client.Operation, Contract.Operation>
  OperationsPage: Same<Client.OperationsPage, Contract.OperationsPage>
  Problem: Same<Client.Problem, Contract.Problem>
  ProblemError: Same<Client.ProblemError, Contract.ProblemError>
  TestResult: Same<Client.TestResult, Contract.TestResult>
  RepositorySummary: Same<Client.RepositorySummary, Contract.RepositorySummary>
  Resume: Same<Client.Resume, Contract.Resume>
  Role: Same<Client.Role, Contract.Role>
  RotatedWebhook: Same<Client.RotatedWebhook, Contract.RotatedWebhook>
  StorageEvents: Same<Client.StorageEvents, Contract.StorageEvents>
  Warning: Same<Client.Warning, Contract.Warning>
  WatchedRepository: Same<Client.WatchedRepository, Contract.WatchedRepository>
  Webhook: Same<Client.Webhook, Contract.Webhook>
  WebhookChange: Same<Client.WebhookChange, Contract.WebhookChange>
  WebhookToTest: Same<Client.WebhookToTest, Contract.WebhookToTest>
  ProblemCode: Same<Client.ProblemCode, Contract.ProblemCode>
  ProblemType: Same<Client.ProblemType<'internal'>, Contract.ProblemType<'internal'>>
}

type Routes = typeof Contract.contract
type Answer<Route extends { readonly responses: { readonly 200: z.ZodType } }> = z.infer<Route['responses'][200]>

type Answers = {
  repositories: Same<Client.RepositoryList, Answer<Routes['discovery']['repositories']>>
  refs: Same<Client.RefList, Answer<Routes['discovery']['refs']>>
  datasets: Same<Client.DatasetList, Answer<Routes['discovery']['datasets']>>
  openapi: Same<Awaited<ReturnType<Client.Client['openapi']>>, Answer<Routes['documents']['openapi']>>
  watchedRepositories: Same<Client.WatchedRepositoryList, Answer<Routes['repositories']['list']>>
  storageEvents: Same<Client.StorageEventAnswer, Answer<Routes['storageEvents']['report']>>
  webhooks: Same<Client.WebhookList, Answer<Routes['webhooks']['list']>>
  chats: Same<Client.ChatList, Answer<Routes['chats']['list']>>
  deliveries: Same<Client.DeliveryPage, Answer<Routes['deliveries']['list']>>
  keys: Same<Client.ApiKeyList, Answer<Routes['keys']['list']>>
  audit: Same<Client.AuditPage, Answer<Routes['audit']['list']>>
}

/** Names in the path of a route, without those that are options of the client. */
type NamesOf<Route extends { readonly pathParams: z.ZodType }> = Omit<
  z.infer<Route['pathParams']>,
  'deployment' | 'org'
>

type Addresses = {
  repository: Same<Client.RepositoryAddress, NamesOf<Routes['discovery']['refs']>>
  ref: Same<Client.RefAddress, NamesOf<Routes['discovery']['datasets']>>
  group: Same<Client.GroupAddress & { readonly group: string }, NamesOf<Routes['datasets']['groupInfo']>>
  diff: Same<Client.DiffAddress, NamesOf<Routes['diff']['get']>>
  receiver: Same<Client.ReceiverAddress, NamesOf<Routes['webhooks']['get']>>
  delivery: Same<Client.DeliveryAddress, NamesOf<Routes['deliveries']['get']>>
  key: Same<Client.ApiKeyAddress, NamesOf<Routes['keys']['revoke']>>
}

type Comparisons = Named & Answers & Addresses

/** Compiles only when every comparison is true. */
type AllTrue<Results extends Record<string, true>> = Results

t.test('the types of the client are those of the contract', async (t) => {
  const compared: Partial<AllTrue<Comparisons>> = {}
  t.strictSame(compared, {})
})
