import type { PromiseSection } from '../proven-promise.ts'

const webhooksTest = 'server/administration/receivers/webhooks.test.ts'
const badInputTest = 'server/administration/bad-input.test.ts'

/** How webhooks and chats are set up. */
export const receivers: PromiseSection = {
  title: 'Webhooks and chats',
  promises: [
    {
      promise: 'a webhook has Webhook URL, Alias, Secret Token and Events',
      test: [webhooksTest, 'a webhook is made, read, listed and deleted (SQLite)'],
      mutation: [
        'server/administration/receivers/webhook-rules.ts',
        'has_secret_token: receiver.secretToken !== null',
        'has_secret_token: false',
      ],
    },
    {
      promise: 'a chat has Webhook URL, Alias and Events',
      test: [
        'server/administration/receivers/chats.test.ts',
        'the URL of a chat is shown without its path, which is a secret',
      ],
      mutation: ['server/administration/receivers/chat-rules.ts', 'url: maskUrl(receiver)', 'url: receiver.url'],
    },
    {
      promise: 'Webhook URL, Alias and Events are required, Secret Token is not',
      test: [badInputTest, 'a URL, an alias and events are required, and a secret token is not'],
      mutation: [
        'contract/schemas/administration/receiver.ts',
        '  alias: Alias,\n  events: RepositoryEventNames,',
        "  alias: Alias,\n  events: RepositoryEventNames.default(['NewCommit']),",
      ],
    },
    {
      promise:
        'the events are `NewCommit`, `BranchCreated`, `BranchDeleted`, `TagCreated` and `TagDeleted`, for an organisation also notices, and no others',
      test: [badInputTest, 'an unknown event is named'],
      mutation: [
        'contract/schemas/notifications/notification.ts',
        '.enum([...refEvents, ...notices], {',
        ".enum([...refEvents, ...notices, 'NewTag'], {",
      ],
    },
    {
      promise: 'an alias is unique in its repository',
      test: [webhooksTest, 'an alias is used once in a repository, over webhooks and chats (SQLite)'],
      mutation: [
        'storage/database/migrations/0018-undelivered.ts',
        "create unique index receivers_alias on receivers (org, coalesce(repo_id, ''), alias)",
        "create unique index receivers_alias on receivers (org, coalesce(repo_id, ''), alias, id)",
      ],
    },
    {
      promise: 'a repository can have several webhooks and chats',
      test: [webhooksTest, 'a repository has at most 50 receivers'],
      mutation: ['storage/database/receivers/add-receiver.ts', 'maxReceivers = 50', 'maxReceivers = 1'],
    },
    {
      promise: 'the settings page creates, tests, lists and deletes webhooks and chats',
      test: [
        'browser/settings.test.ts',
        'an administrator sets up a webhook, sees it deliver, fail and recover, and deletes it',
      ],
      mutation: ['server/administration/receivers/test-receiver.ts', 'status: outcome.status,', 'status: null,'],
    },
    {
      promise: 'the settings page edits webhooks and chats',
      test: [
        'browser/settings-edits.long.test.ts',
        'the address of a chat is written, kept and replaced, and never shown',
      ],
      mutation: [
        'server/administration/receivers/receiver-actions.ts',
        'const change = { ...target, ...readFilter(body), alias,',
        'const change = { ...target, ...readFilter(body),',
      ],
    },
    {
      promise: 'a receiver can be tested before it is saved',
      test: [
        'server/administration/receivers/test-receiver.test.ts',
        'an unsaved webhook gets the last commit of main, and nobody sees its secrets',
      ],
      mutation: [
        'server/administration/receivers/test-receiver.ts',
        'parentId === null ? null : { snapshotId: parentId }',
        'null',
      ],
    },
  ],
}
