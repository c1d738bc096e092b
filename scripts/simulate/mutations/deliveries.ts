// Mistakes in replicas, queues, deliveries and the changes of receivers.
import type { Mutation } from '../../mutants.ts'

const deliverer = 'server/notifications/deliver/deliverer.ts'
const attempts = 'storage/records/database/deliveries/attempts.ts'
const claims = 'storage/records/database/deliveries/claim-queues.ts'
const leasing = 'storage/records/database/deliveries/lease-queues.ts'
const replicas = 'server/notifications/replica.ts'
const schedule = 'server/notifications/deliver/retry-schedule.ts'
const changes = 'storage/records/database/receivers/change-receiver.ts'

export const deliveryMutations: Readonly<Record<string, Mutation>> = {
  'a replica counts as dead after 2 seconds': [
    replicas,
    'start - replica.since >= lifeMs',
    'start - replica.since >= 2_000',
  ],
  'the clock decides whether a replica is dead': [
    replicas,
    'start - replica.since >= lifeMs',
    'this.#timing.now() - replica.at >= lifeMs',
  ],
  'a life that has ended goes on': [replicas, 'start + lifeMs - marginMs', 'start + 1e12'],
  'a life that has ended is made longer': [
    replicas,
    'else this.#life = { aliveUntil }',
    'else this.#life.aliveUntil = aliveUntil',
  ],
  'heartbeats age by the clock': [
    replicas,
    `    const now = this.#timing.elapsed()
    // After this`,
    `    const now = this.#timing.now()
    start = now
    // After this`,
  ],
  'a resumed queue waits for the retry of its first delivery': [
    'storage/records/database/receivers/queue.ts',
    "        .orderBy('queue_position')\n        .limit(1)\n        .as('delivery_number'),",
    "        .orderBy('queue_position', 'desc')\n        .limit(1)\n        .as('delivery_number'),",
  ],
  'a replica keeps the partitions of others': [
    'storage/records/database/replicas/replicas.ts',
    'if (surplus.length > 0) {',
    'if (surplus.length > partitionCount) {',
  ],
  'a process that was paused before it sends does not ask whether it is alive': [
    'server/notifications/post/post.ts',
    'const findEnd = () => Math.min(end, life.aliveUntil)',
    'const findEnd = () => end',
  ],
  'a process that was paused while it connected sends': [
    'server/notifications/post/post.ts',
    'if (this.#time.isOver()) this.#endTime()',
    '',
  ],
  'an attempt is recorded without its lease': [
    attempts,
    'and queues.leased_by = rows.replica and queues.lease_number = rows.lease`',
    'and (queues.lease_number = rows.lease or true)`',
  ],
  'a queue is claimed although it is leased': [leasing, "    .where('leased_by', 'is', null)\n", ''],
  'leases of lost replicas stay': [
    'storage/records/database/replicas/leases.ts',
    "const queues = db.selectFrom('queues')",
    "const queues = db.selectFrom('queues').where('due_at', '<', 0)",
  ],
  'what a replica has claimed and does not know is not released': [
    deliverer,
    'if (leased > this.#busy.size)',
    'if (leased < 0)',
  ],
  'retries are not spread': [schedule, 'jitter = 0.2', 'jitter = 0'],
  'retries come too early': [schedule, '[5, 30].map', '[1, 2].map'],
  'retries come much too late': [schedule, '[5, 30].map', '[500, 3_000].map'],
  'deliveries wait for half a minute': [
    'storage/records/database/events/record-events.ts',
    'then cast(${now.getTime()} as bigint) end',
    'then cast(${now.getTime() + 30_000} as bigint) end',
  ],
  'a receiver is granted more than a day': [
    schedule,
    'Math.min(parseRetryAfter(retryAfter, now) ?? 0, maxRetryAfterMs)',
    'parseRetryAfter(retryAfter, now) ?? 0',
  ],
  'the wait that a receiver asks for is ignored': [schedule, 'Math.max(spreadMs, requestedMs)', 'spreadMs'],
  'a redelivery counts in the schedule': [
    'storage/records/database/deliveries/redeliver.ts',
    'const requested = queue.leased_by === null ? 1 : 0',
    'const requested = queue.leased_by === null ? 0 : 0',
  ],
  'a failed attempt counts as delivered': [
    'server/notifications/deliver/attempt.ts',
    'status >= 200 && status < 300',
    'status >= 200 && status < 500',
  ],
  'a receiver that is gone stays enabled': [
    'server/notifications/deliver/attempt.ts',
    'answer.status === 410',
    'answer.status === 411',
  ],
  'a repeated payload differs': [
    'server/notifications/deliver/write-request.ts',
    ': event.payload\n',
    ": event.payload + ' '.repeat(message.attempt)\n",
  ],
  'later deliveries come before a retry': [
    claims,
    "    .orderBy('waiting.queue_position')\n",
    "    .orderBy(sql`coalesce(waiting.due_at, 0)`)\n    .orderBy('waiting.queue_position')\n",
  ],
  'what failed to be recorded is forgotten': [
    deliverer,
    'const ended = this.#ended.filter((attempt) => !canChangeState(attempt))',
    'const ended = this.#ended.splice(0).filter((attempt) => !canChangeState(attempt))',
  ],
  'a process that was killed counts as alive': ['server/notifications/host-process.ts', "'ZXx'", "'Xx'"],
  'a deleted receiver gets what is queued': [changes, '    await deleteReceivers(tx, [before.id])\n', ''],
  'a disabled receiver gets what is queued': [changes, '    if (isStopped) await pauseQueues(tx, [before.id])\n', ''],
  'what was held is discarded': [
    'storage/records/database/receivers/queue.ts',
    "if (resume !== 'all')",
    "if (resume !== 'none')",
  ],
  'a resumed queue keeps the oldest': [
    'storage/records/database/receivers/queue.ts',
    "    .orderBy('held.repo_id', 'desc')\n    .orderBy('queue_position', 'desc')",
    "    .orderBy('held.repo_id', 'desc')\n    .orderBy('queue_position', 'asc')",
  ],
  'a resumed queue sends what it must discard': [
    'storage/records/database/receivers/queue.ts',
    "if (resume === 'none' || (refs.has(",
    'if ((refs.has(',
  ],
  'deliveries go to the former address': [changes, '...(url !== undefined && sealUrl({ id, url }, secrets)),', ''],
  'a replica does not see the edit of a filter by another one': [
    'storage/records/database/events/select-receivers.ts',
    "const rows = await lockRows(tx, query, 'receivers').execute()",
    `const known = (Object(globalThis).known ??= new Map())
  const rows = (await lockRows(tx, query, 'receivers').execute()).map((row) => {
    const key = process.pid + row.id + row.repo_id
    return known.get(key) ?? (known.set(key, row), row)
  })`,
  ],
  'a replay sends some of what was asked for': [
    'storage/records/database/deliveries/replay.ts',
    '.limit(maxReplayed + 1)',
    '.limit(5)',
  ],
}
