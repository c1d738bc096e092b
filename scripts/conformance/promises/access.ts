import type { PromiseSection } from '../proven-promise.ts'

const accessHook = 'server/http/access/access-hook.ts'

/** Who may call which route. */
export const access: PromiseSection = {
  title: 'Access',
  promises: {
    'HTTP Basic, with the organisation as user name and an API key as password': [
      'server/http/access/authenticate.ts',
      '!== key.org',
      "=== ''",
    ],
    'every route of a private deployment requires credentials': [accessHook, '?.public', ''],
    'a public deployment requires no credentials': [accessHook, '?.public', ' === null'],
    'only administrators manage webhooks and chats': [accessHook, "(caller.role !== 'admin')", '(false)'],
    'a key manages only the webhooks and chats of the repositories that it covers': [
      'server/http/access/caller.ts',
      'repos.names.includes(repo)',
      'true',
    ],
    'however many search anonymously, a search with an API key finds a place and goes before theirs': [
      'storage/waiting/waiting-tasks.ts',
      '!isAnonymous',
      'true || isAnonymous',
    ],
    'a key of single repositories neither reads nor redelivers what webhooks of the organisation get': [
      'storage/records/database/events/record-events.ts',
      'select rows.id, receivers.org, receivers.repo_id',
      'select rows.id, receivers.org, rows.repo',
    ],
    'a person who is removed at the issuer is signed out within five minutes': [
      'server/sessions/sessions.ts',
      'checkMs = 300_000',
      'checkMs = 300_000_000',
    ],
    'pages of other sites change nothing with the session of a person': [
      'server/http/access/refuse-cross-site.ts',
      'headers.authorization !== undefined',
      'true',
    ],
    'whoever signs in comes back to a page of the service, and to no other': [
      'server/sessions/sign-in-scope.ts',
      'origin === root.origin && ',
      '',
    ],
    'the audit names the API key that made a change, also after that was deleted': [
      'storage/records/database/audit.ts',
      'key_name: ',
      'key_name: null && ',
    ],
  },
}
