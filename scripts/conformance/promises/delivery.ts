import type { PromiseSection } from '../proven-promise.ts'

const request = 'server/notifications/deliver/write-request.ts'
const post = 'server/notifications/post/post.ts'
const postTest = 'server/notifications/post/post.test.ts'
const attemptTest = 'server/notifications/deliver/attempt.test.ts'
const headMove = 'server/notifications/watch/head-move.ts'

/** How notifications are sent. */
export const delivery: PromiseSection = {
  title: 'Delivery',
  promises: [
    {
      promise: 'a notification is sent by `POST`',
      test: [postTest, 'the body and the headers arrive, and the answer comes back'],
      mutation: [post, "method: 'POST'", "method: 'PUT'"],
    },
    {
      promise: 'webhooks get the JSON payload',
      test: [
        'server/notifications/deliver/delivery.test.ts',
        'each receiver gets every event once, in order, signed with its own key',
      ],
      mutation: [request, 'body: event.payload }', 'body: event.line }'],
    },
    {
      promise: '`X-Secret-Token` is sent when a token is set',
      test: [
        'server/notifications/notifier.test.ts',
        'declared receivers get the first head of a repository, signed, and chats a line',
      ],
      mutation: [request, '(secretToken !== null && ', '(secretToken === null && '],
    },
    {
      promise: '`X-Secret-Token` is not sent when no token is set',
      test: [attemptTest, 'a webhook without a token gets no header for it'],
      mutation: [request, '(secretToken !== null && ', '('],
    },
    {
      promise: 'chats get `<org>/<repo> branch <branch> is now at <snapshot_id>: <commit_message>` as plain text',
      test: [
        'server/notifications/watch/head-move.test.ts',
        'the line is plain text of one line, whatever a commit message holds',
      ],
      mutation: [headMove, 'is now at ${snapshot_id}', 'is at ${snapshot_id}'],
    },
    {
      promise: 'chats get no list of commits',
      test: [attemptTest, 'a chat gets its line, and none of the secrets'],
      mutation: [request, ': event.line)', ': event.payload)'],
    },
    {
      promise: 'after a reset, the line for chats names the older commit that the branch points at',
      test: [
        'server/notifications/watch/head-watcher.test.ts',
        'after a reset, the line for chats names the older commit',
      ],
      mutation: [
        headMove,
        'line: writeChatLine(facts)',
        'line: writeChatLine({ ...facts, snapshot_id: move.previous?.snapshotId ?? snapshotId })',
      ],
    },
    {
      promise: 'the URL of a webhook must start with `https`',
      test: ['server/notifications/receivers/receiver-url.test.ts', 'refused as not-https'],
      mutation: [
        'server/notifications/receivers/receiver-url.ts',
        "url.protocol !== 'https:'",
        "url.protocol === 'ftp:'",
      ],
    },
    {
      promise: 'redirects are not followed',
      test: [postTest, 'a redirect is an answer, and is not followed'],
      mutation: [
        post,
        'this.#agent.dispatch(',
        "void ((...sent) => import('undici').then(({ interceptors }) => this.#agent.compose(interceptors.redirect({ maxRedirections: 1 })).dispatch(...sent)))(",
      ],
    },
    {
      promise: 'an exchange may take 5 seconds',
      test: [
        'server/notifications/notifier.test.ts',
        'an attempt ends when a receiver has not answered within five seconds, and not before',
      ],
      mutation: [post, 'exchangeLimitMs = 5_000', 'exchangeLimitMs = 20_000'],
    },
    {
      promise: 'at most 250 KB (256,000 bytes) of an answer are read',
      test: [postTest, 'only 256,000 bytes of a body are read, and the status decides'],
      mutation: [post, 'maxBodyBytes = 256_000', 'maxBodyBytes = 1_000_000'],
    },
    {
      promise: 'an answer of up to 250 KB is read completely',
      test: [postTest, 'after 255,999 bytes of a body, the rest is awaited'],
      mutation: [post, 'maxBodyBytes = 256_000', 'maxBodyBytes = 255_999'],
    },
  ],
}
