// Faults that somebody could make, or has made and mended. The simulation must find each of them.
import type { Mutation } from '../mutants.ts'

const deliverer = 'server/notifications/deliver/deliverer.ts'
const attempts = 'storage/records/database/deliveries/attempts.ts'
const claims = 'storage/records/database/deliveries/claim-queues.ts'
const leasing = 'storage/records/database/deliveries/lease-queues.ts'
const moves = 'storage/records/database/events/record-head-move.ts'
const replicas = 'server/notifications/replica.ts'
const schedule = 'server/notifications/deliver/retry-schedule.ts'
const polls = 'server/notifications/watch/poll-queue.ts'
const watched = 'server/notifications/watch/watched-repository.ts'
const changes = 'storage/records/database/receivers/change-receiver.ts'
const indexing = 'storage/records/database/search/index-heads.ts'
const recordJudgements = 'storage/records/database/expectations/record-judgements.ts'
const assessBranch = 'storage/records/database/expectations/assess-branch.ts'
const moveQuestions = 'server/notifications/watch/checks/changes/ask-about-move.ts'

/** The order in which a check reads the records and the repository. */
const readsHead = '    const previous = await heads.read(id)\n'
const readsRefs = `    const recordedSelection = previous?.recordedSelection ?? mainAlone
    const isMainAlone = writeSelection(recordedSelection) === null && writeSelection(selection) === null
    const recordedRefs = isMainAlone ? undefined : previous?.hasOtherRefs ? await readRecordedRefs(db, id) : noRefs
`
const readsState = '    const state = await repository.readFreshState(signal)\n'

/** By what is wrong. */
export const mutations: Readonly<Record<string, Mutation>> = {
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
  'events of one transaction are streamed in reverse': [
    'storage/records/database/events/read-events.ts',
    'order by rows.number desc) as position',
    'order by rows.number asc) as position',
  ],
  'a judgement of a head that has moved counts': [recordJudgements, '(!isSameHead && !ignoresHead) ||', ''],
  'a changed expectation is not judged again': [
    'storage/records/database/expectations/stored-states.ts',
    "row.judged_version === version ? row.head_id : ''",
    'row.head_id',
  ],
  'what was told of an expectation stays when it is deleted': [
    'storage/records/database/expectations/change-expectations.ts',
    "await closeStates(tx, [{ expectation, reason: 'The expectation was deleted' }])",
    'await closeStates(tx, [])',
  ],
  'a grace is over at once': [assessBranch, '(withinMs ?? 0)', '0'],
  'nobody is told when a grace is over': [
    'server/expectations/judge-repository.ts',
    'state.dueAt.getTime() <= now',
    'state.dueAt.getTime() < 0',
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
  'a head moves outside of the transaction of its event': [moves, 'moveHead(tx, move', 'moveHead(db, move'],
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
    'if (status < 200 || status >= 300)',
    'if (status < 200 || status >= 500)',
  ],
  'a receiver that is gone stays enabled': [
    'server/notifications/deliver/attempt.ts',
    'answer.status === 410',
    'answer.status === 411',
  ],
  'a repeated payload differs': [
    'server/notifications/deliver/write-request.ts',
    'body: event.payload }',
    "body: event.payload + ' '.repeat(message.attempt) }",
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
  'a timer that fires early loses a poll': [
    polls,
    'if (this.#timing.elapsed() < dueAt) {',
    'if (this.#timing.elapsed() < 0) {',
  ],
  'a failed check is not tried again': [
    watched,
    'if (!this.#isWatched) return\n    const { failures }',
    'if (!this.#isWatched || this.#findings.failures > 0) return\n    const { failures }',
  ],
  'a change during a check is lost': [
    watched,
    'this.#hasChanged = true\n',
    'if (this.#running === undefined) this.#hasChanged = true\n',
  ],
  'the records are read after the repository': [
    'server/notifications/watch/checks/check-head.ts',
    readsHead + readsRefs + readsState,
    readsState + readsHead + readsRefs,
  ],
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
    "if (resume === 'none' || refs.has(",
    'if (refs.has(',
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
  'an index step is lost when its replica dies': [
    'storage/records/database/replicas/leases.ts',
    "const heads = db.selectFrom('heads')",
    "const heads = db.selectFrom('heads').where('index_due_at', '<', 0)",
  ],
  'a head that moves while it is indexed counts as indexed': [
    indexing,
    'indexed_snapshot_id: head.snapshotId,\n      index_due_at',
    "indexed_snapshot_id: sql.ref('snapshot_id'),\n      index_due_at",
  ],
  'the index keeps a deleted branch': [
    'storage/records/database/events/record-ref-change.ts',
    '    if (numDeletedRows > 0n) await removeBranches(tx, repoId, [name])\n',
    '',
  ],
  'an interrupted change of the index counts as none': [
    indexing,
    ".set({ indexed_snapshot_id: '' }).executeTakeFirst()",
    '.set({ indexed_snapshot_id: head.indexedSnapshotId }).executeTakeFirst()',
  ],
  'a stream that is not read misses events': [
    'server/metadata/events/event-streams.ts',
    'if (!canTake(stream)) continue',
    `if (!stream.hasRoom) stream.position = Math.max(stream.position, through)
      if (!canTake(stream)) continue`,
  ],
  'a repository that is looked up while names are read is forgotten': [
    'server/catalog/sources/source-names.ts',
    '        if (this.#unrecorded.get(name) === isGone) this.#unrecorded.delete(name)\n',
    '',
  ],
  'nobody is told that a branch meets an expectation again': [
    recordJudgements,
    'if (before === null || state === null || since !== null) return undefined',
    'if (before !== undefined) return undefined',
  ],
  'freshness goes by the clock of the writer': [
    'storage/records/database/expectations/read-expectations.ts',
    'Math.min(written_at, moved_at)',
    'written_at',
  ],
  'nobody is told that a repository is unreadable': [
    'storage/records/database/events/record-readability.ts',
    'if ((before === null) === (failure === null)) return',
    'if (before === null) return',
  ],
  'no verdict is found in time': [moveQuestions, '() => limit.abort(', 'limit.abort('],
  'nobody knows what a commit changed': [
    moveQuestions,
    'wantsChanges && changes !== null ?',
    'wantsChanges && changes === null ?',
  ],
  'a new process forgets that a repository is unreadable': [
    'server/notifications/watch/readability.ts',
    '??= await this.#parts.heads.isUnreadable(this.#repoId)',
    '??= false',
  ],
  'each process tells that a repository is unreadable': [
    'storage/records/database/events/record-readability.ts',
    'if ((before === null) === (failure === null)) return',
    'if (before === null && failure === null) return',
  ],
}

/** Mutations that only runs with PostgreSQL can find. */
export const postgresMutations: Readonly<Record<string, Mutation>> = {
  'a connection is used again inside its transaction': [
    'storage/records/database/postgres/timed-client.ts',
    " && this.#client.getTransactionStatus() === 'I'",
    '',
  ],
  'each replica goes by the clock of its computer': [
    'server/notifications/database-clock.ts',
    'this.#offsetMs === undefined ? now()',
    'elapsed() >= 0 ? now()',
  ],
}
