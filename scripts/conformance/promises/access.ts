import type { PromiseSection } from '../proven-promise.ts'

const table = ['server/http/access/access-table.test.ts', 'every route answers every caller as the table says'] as const

/** Who may call which route. */
export const access: PromiseSection = {
  title: 'Access',
  promises: [
    {
      promise: 'HTTP Basic, with the organisation as user name and an API key as password',
      test: [
        'server/http/access/authenticate.test.ts',
        'a key is taken as Basic password of its organisation, and as Bearer',
      ],
      mutation: [
        'server/http/access/authenticate.ts',
        '(credentials.org ?? key.org) !== key.org',
        "credentials.org === ''",
      ],
    },
    {
      promise: 'every route of a private deployment requires credentials',
      test: table,
      mutation: ['server/http/access/access-hook.ts', 'if (deployment?.public)', 'if (deployment)'],
    },
    {
      promise: 'a public deployment requires no credentials',
      test: ['server/http/access/reader-access.test.ts', 'a public deployment needs no credentials'],
      mutation: ['server/http/access/access-hook.ts', 'if (deployment?.public)', 'if (deployment === null)'],
    },
    {
      promise: 'only administrators manage webhooks and chats',
      test: table,
      mutation: ['server/http/access/access-hook.ts', "if (key.role !== 'admin')", 'if (key.role === undefined)'],
    },
    {
      promise: 'a key manages only the webhooks and chats of the repositories that it covers',
      test: table,
      mutation: ['server/http/access/access-hook.ts', 'key.repos.includes(repo)', "key.role === 'admin'"],
    },
    {
      promise: 'the audit names the API key that made a change, also after that was deleted',
      test: [
        'server/administration/audit.test.ts',
        'the audit names the key that made a change, also after that was deleted',
      ],
      mutation: ['storage/database/audit.ts', 'key_name: keyName,', 'key_name: null,'],
    },
  ],
}
