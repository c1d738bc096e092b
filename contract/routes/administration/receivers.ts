// Webhooks and chats of repositories and of organisations. All are receivers.
import { c, orgPrefix, repoPrefix } from '../../dsl.ts'
import {
  ChangedChat,
  ChangedOrgChat,
  Chat,
  ChatChange,
  ChatToTest,
  ChatList,
  NewChat,
  NewOrgChat,
  OrgChat,
  OrgChatChange,
  OrgChatList,
} from '../../schemas/administration/chat.ts'
import {
  ChangedOrgWebhook,
  ChangedWebhook,
  CreatedOrgWebhook,
  CreatedWebhook,
  NewOrgWebhook,
  NewWebhook,
  OrgWebhook,
  OrgWebhookChange,
  OrgWebhookList,
  RotatedOrgWebhook,
  RotatedWebhook,
  Webhook,
  WebhookChange,
  WebhookToTest,
  WebhookList,
} from '../../schemas/administration/webhook.ts'
import { OfAdministeredRepository, OfOrg, OfOrgReceiver, OfReceiver } from '../addresses.ts'
import { collectionRoutes, itemRoutes, replayRoutes, rotateSecret } from './receiver-routes.ts'

const inRepository = { noun: 'repository', sample: '', collection: OfAdministeredRepository, item: OfReceiver } as const
const inOrganisation = {
  noun: 'organisation',
  sample: ' of the repository that moved last',
  collection: OfOrg,
  item: OfOrgReceiver,
} as const

/** Receivers of the JSON notification. */
export const webhooks = c.router(
  {
    ...collectionRoutes('webhooks', inRepository, {
      list: WebhookList,
      creation: NewWebhook,
      created: CreatedWebhook,
      tested: WebhookToTest,
    }),
    ...itemRoutes('webhooks', inRepository, { one: Webhook, change: WebhookChange, changed: ChangedWebhook }),
    rotateSecret: rotateSecret(inRepository, RotatedWebhook),
    ...replayRoutes(inRepository),
  },
  { pathPrefix: `${repoPrefix}/webhooks` },
)

/** Team chats that receive one line of text for each event. */
export const chats = c.router(
  {
    ...collectionRoutes('chats', inRepository, {
      list: ChatList,
      creation: NewChat,
      created: ChangedChat,
      tested: ChatToTest,
    }),
    ...itemRoutes('chats', inRepository, { one: Chat, change: ChatChange, changed: ChangedChat }),
  },
  { pathPrefix: `${repoPrefix}/chats` },
)

/** Webhooks of an organisation, for administrators of all its repositories. */
export const orgWebhooks = c.router(
  {
    ...collectionRoutes('webhooks', inOrganisation, {
      list: OrgWebhookList,
      creation: NewOrgWebhook,
      created: CreatedOrgWebhook,
      tested: WebhookToTest,
    }),
    ...itemRoutes('webhooks', inOrganisation, {
      one: OrgWebhook,
      change: OrgWebhookChange,
      changed: ChangedOrgWebhook,
    }),
    rotateSecret: rotateSecret(inOrganisation, RotatedOrgWebhook),
    ...replayRoutes(inOrganisation),
  },
  { pathPrefix: `${orgPrefix}/webhooks` },
)

/** Team chats of an organisation. */
export const orgChats = c.router(
  {
    ...collectionRoutes('chats', inOrganisation, {
      list: OrgChatList,
      creation: NewOrgChat,
      created: ChangedOrgChat,
      tested: ChatToTest,
    }),
    ...itemRoutes('chats', inOrganisation, { one: OrgChat, change: OrgChatChange, changed: ChangedOrgChat }),
  },
  { pathPrefix: `${orgPrefix}/chats` },
)
