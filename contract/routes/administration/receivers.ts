// Webhooks and chats of repositories and of organisations. All are receivers.
import { c, orgPrefix, repoPrefix } from '../../dsl.ts'
import * as chat from '../../schemas/administration/chat.ts'
import * as webhook from '../../schemas/administration/webhook.ts'
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
      list: webhook.WebhookList,
      creation: webhook.NewWebhook,
      created: webhook.CreatedWebhook,
      tested: webhook.WebhookToTest,
    }),
    ...itemRoutes('webhooks', inRepository, {
      one: webhook.Webhook,
      change: webhook.WebhookChange,
      changed: webhook.ChangedWebhook,
    }),
    rotateSecret: rotateSecret(inRepository, webhook.RotatedWebhook),
    ...replayRoutes(inRepository),
  },
  { pathPrefix: `${repoPrefix}/webhooks` },
)

/** Team chats that receive one line of text for each event. */
export const chats = c.router(
  {
    ...collectionRoutes('chats', inRepository, {
      list: chat.ChatList,
      creation: chat.NewChat,
      created: chat.ChangedChat,
      tested: chat.ChatToTest,
    }),
    ...itemRoutes('chats', inRepository, { one: chat.Chat, change: chat.ChatChange, changed: chat.ChangedChat }),
  },
  { pathPrefix: `${repoPrefix}/chats` },
)

/** Webhooks of an organisation, for administrators of all its repositories. */
export const orgWebhooks = c.router(
  {
    ...collectionRoutes('webhooks', inOrganisation, {
      list: webhook.OrgWebhookList,
      creation: webhook.NewOrgWebhook,
      created: webhook.CreatedOrgWebhook,
      tested: webhook.WebhookToTest,
    }),
    ...itemRoutes('webhooks', inOrganisation, {
      one: webhook.OrgWebhook,
      change: webhook.OrgWebhookChange,
      changed: webhook.ChangedOrgWebhook,
    }),
    rotateSecret: rotateSecret(inOrganisation, webhook.RotatedOrgWebhook),
    ...replayRoutes(inOrganisation),
  },
  { pathPrefix: `${orgPrefix}/webhooks` },
)

/** Team chats of an organisation. */
export const orgChats = c.router(
  {
    ...collectionRoutes('chats', inOrganisation, {
      list: chat.OrgChatList,
      creation: chat.NewOrgChat,
      created: chat.ChangedOrgChat,
      tested: chat.ChatToTest,
    }),
    ...itemRoutes('chats', inOrganisation, {
      one: chat.OrgChat,
      change: chat.OrgChatChange,
      changed: chat.ChangedOrgChat,
    }),
  },
  { pathPrefix: `${orgPrefix}/chats` },
)
