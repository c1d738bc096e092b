import type { PromiseSection } from '../../proven-promise.ts'

const testReceiver = 'server/administration/receivers/test-receiver.ts'

/** How webhooks and chats are set up. */
export const receivers: PromiseSection = {
  title: 'Webhooks and chats',
  promises: {
    'a webhook has Webhook URL, Alias, Secret Token and Events': [
      'server/administration/receivers/webhook-rules.ts',
      'has_secret_token: ',
      'has_secret_token: false && ',
    ],
    'a chat has Webhook URL, Alias and Events': [
      'server/administration/receivers/chat-rules.ts',
      'url: maskUrl',
      'url: receiver.url || maskUrl',
    ],
    'Webhook URL, Alias and Events are required, Secret Token is not': [
      'contract/schemas/administration/receivers/receiver-members.ts',
      'alias: Alias,',
      'alias: Alias.optional(),',
    ],
    'the events are `NewCommit`, those of branches and tags, and for organisations notices; others are refused': [
      'contract/schemas/notifications/notification.ts',
      '.enum(eventNames',
      ".enum([...eventNames, 'NewTag']",
    ],
    'an alias is unique in its repository': [
      'storage/records/database/migrations/0001-tables.ts',
      ', alias)`',
      ', alias, id)`',
    ],
    'a repository can have several webhooks and chats': [
      'storage/records/database/receivers/add-receiver.ts',
      '= 50',
      '= 1',
    ],
    'the settings page creates, tests, lists and deletes webhooks and chats': [
      testReceiver,
      'status: ',
      'status: null && ',
    ],
    'the settings page edits webhooks and chats': [
      'server/administration/receivers/receiver-routes.ts',
      'alias, isEnabled, resume }',
      'isEnabled, resume }',
    ],
    'a receiver can be tested before it is saved': [testReceiver, 'parentId === null', 'true'],
    'Secret Token and headers of a webhook never go to another host': [
      'storage/records/database/receivers/change-receiver.ts',
      'from.origin === to.origin',
      'true',
    ],
    'the values of headers are never shown': [testReceiver, '|| Object.hasOwn(own, name)', ''],
  },
}
