import type { PromiseSection } from '../../proven-promise.ts'

const request = 'server/notifications/deliver/write-request.ts'
const post = 'server/notifications/post/post.ts'
const eventLines = 'server/events/event-lines.ts'
const cloudEvents = 'server/events/cloud-events.ts'
const brokers = 'server/notifications/brokers/brokers.ts'

/** How notifications are sent. */
export const delivery: PromiseSection = {
  title: 'Delivery',
  promises: {
    'a notification is sent by `POST`': [post, "'POST'", "'PUT'"],
    'webhooks get the JSON payload': [request, ') : event.payload', ') : event.line'],
    'webhooks can ask for CloudEvents 1.0, in both modes': [cloudEvents, "specversion: '1.0'", "specversion: '0.1'"],
    'only brokers that an operator lists for the organisation get requests with the credentials of the service': [
      brokers,
      'rule.org === org',
      'true',
    ],
    '`X-Secret-Token` is sent when a token is set': [request, 'secretToken !== null', 'secretToken === null'],
    '`X-Secret-Token` is not sent when no token is set': [request, 'secretToken !== null', 'true'],
    'chats get `<org>/<repo> branch <branch> is now at <snapshot_id>: <commit_message>` as plain text': [
      eventLines,
      ' is now at',
      ' is at',
    ],
    'chats get no list of commits': [request, ': event.line', ': event.payload'],
    'after a reset, the line for chats names the older commit that the branch points at': [
      eventLines,
      '${move.snapshot_id}',
      '',
    ],
    'the URL of a webhook must start with `https`': [
      'server/notifications/receivers/receiver-url.ts',
      "!== 'https:'",
      "=== 'ftp:'",
    ],
    'a host that has a refused address here is refused with a proxy too': [
      'server/notifications/post/tunnels.ts',
      'if (error instanceof PostError) throw error',
      '',
    ],
    'redirects are not followed': [post, "response !== 'stale'", 'response.status < 300'],
    'an exchange may take 5 seconds': [post, '5_000', '20_000'],
    'a process that was paused while it connected does not send what another one may send': [
      post,
      'if (this.#time.isOver()) this.#endTime()',
      '',
    ],
    'a process that was paused after it claimed a delivery does not send what another one may send': [
      post,
      'Math.min(end, life.aliveUntil)',
      'end',
    ],
    'what a killed process was sending is sent again as soon as another one finds that it has ended': [
      'storage/records/database/replicas/replicas.ts',
      'dead: deleteDead(db, dead), ...releaseLost(db)',
      'dead: deleteDead(db, dead)',
    ],
    'what a replica polled that died is taken over within 10 s': [
      'server/notifications/replica.ts',
      'lifeMs = 8_000',
      'lifeMs = 10_000',
    ],
    'a clock that is set does not end leases of others': [
      'server/notifications/replica.ts',
      'start - replica.since >=',
      'this.#timing.now() - replica.at >=',
    ],
    'a clock that is set back does not delay retries': [
      'server/notifications/database-clock.ts',
      'Math.max(this.#dueOffsetMs, dueNow',
      'Math.max(-Infinity, dueNow',
    ],
    'a process that was killed counts as ended before its parent has noticed': [
      'server/notifications/host-process.ts',
      "'ZXx'",
      "'Xx'",
    ],
    'at most 250 KB (256,000 bytes) of an answer are read': [post, '256_000', '1_000_000'],
    'an answer of up to 250 KB is read completely': [post, '256_000', '255_999'],
  },
}
