// What the page administers: a repository, or all repositories of an organisation. The components call the API through it.
import type { AdminClient, CallOptions, ChangeOptions, Versioned } from '@floe/client'
import type {
  Chat,
  ChatToTest,
  NewOrgChat,
  NewOrgWebhook,
  OrgChatChange,
  OrgWebhookChange,
  RotatedWebhook,
  TestResult,
  Warning,
  Webhook,
  WebhookToTest,
} from '@floe/contract'

/** Only receivers of an organisation have patterns of repositories. */
export type WithRepos<One> = One & { readonly repos?: readonly string[] }

type Named = { readonly id: string }
type Saved = Promise<Versioned<{ readonly warnings: readonly Warning[] }>>

type ReceiverCalls<One, New, Candidate, Change> = {
  readonly list: (call?: CallOptions) => Promise<{ readonly items: readonly WithRepos<One>[] }>
  readonly get: (receiver: Named) => Promise<Versioned<WithRepos<One>>>
  readonly create: (receiver: New) => Saved
  readonly test: (candidate: Candidate) => Promise<TestResult>
  readonly update: (receiver: Named, change: Change, call?: ChangeOptions) => Saved
  readonly delete: (receiver: Named) => Promise<undefined>
}

/** API keys of the organisation. */
export type KeyCalls = Pick<AdminClient['keys'], 'listPage' | 'create' | 'revoke'>

/** The calls that need no name of a repository, because the place has it. */
export type Place = {
  readonly noun: 'repository' | 'organisation'
  /** Only a repository has a head. */
  readonly head?: {
    readonly get: (call?: CallOptions) => ReturnType<AdminClient['repositories']['get']>
    readonly check: () => ReturnType<AdminClient['repositories']['refresh']>
  }
  readonly webhooks: ReceiverCalls<Webhook, NewOrgWebhook, WebhookToTest, OrgWebhookChange> &
    Pick<AdminClient['orgWebhooks'], 'replay' | 'getReplay' | 'cancelReplay'> & {
      readonly rotateSecret: (webhook: Named) => Promise<Versioned<RotatedWebhook>>
    }
  readonly chats: ReceiverCalls<Chat, NewOrgChat, ChatToTest, OrgChatChange>
  readonly deliveries: Omit<AdminClient['orgDeliveries'], 'list'>
  /** Only an organisation has API keys. */
  readonly keys?: KeyCalls
  readonly auditPage: AdminClient['auditPage']
}

export function openOrganisation(client: AdminClient): Place {
  const { orgWebhooks: webhooks, orgChats: chats, orgDeliveries: deliveries, keys, auditPage } = client
  return { noun: 'organisation', webhooks, chats, deliveries, keys, auditPage }
}

export function openRepository(client: AdminClient, repo: string): Place {
  const { repositories, webhooks, chats, deliveries } = client
  const names = { repo }
  return {
    noun: 'repository',
    head: { get: (call) => repositories.get(names, call), check: () => repositories.refresh(names) },
    webhooks: {
      list: (call) => webhooks.list(names, call),
      get: ({ id }) => webhooks.get({ repo, id }),
      create: (webhook) => webhooks.create(names, webhook),
      test: (candidate) => webhooks.test(names, candidate),
      update: ({ id }, change, call) => webhooks.update({ repo, id }, change, call),
      delete: ({ id }) => webhooks.delete({ repo, id }),
      rotateSecret: ({ id }) => webhooks.rotateSecret({ repo, id }),
      replay: ({ id }, selection, call) => webhooks.replay({ repo, id }, selection, call),
      getReplay: ({ id }, call) => webhooks.getReplay({ repo, id }, call),
      cancelReplay: ({ id }, call) => webhooks.cancelReplay({ repo, id }, call),
    },
    chats: {
      list: (call) => chats.list(names, call),
      get: ({ id }) => chats.get({ repo, id }),
      create: (chat) => chats.create(names, chat),
      test: (candidate) => chats.test(names, candidate),
      update: ({ id }, change, call) => chats.update({ repo, id }, change, call),
      delete: ({ id }) => chats.delete({ repo, id }),
    },
    deliveries: {
      listPage: (selection, call) => deliveries.listPage({ repo, ...selection }, call),
      get: ({ id }, call) => deliveries.get({ repo, id }, call),
      redeliver: ({ id }, call) => deliveries.redeliver({ repo, id }, call),
    },
    auditPage: (page, call) => repositories.auditPage({ repo, ...page }, call),
  }
}
