// Mistakes in how repositories are watched, indexed and streamed.
import type { Mutation } from '../../mutants.ts'

const moves = 'storage/records/database/events/record-head-move.ts'
const polls = 'server/notifications/watch/poll-queue.ts'
const watched = 'server/notifications/watch/watched-repository.ts'
const indexing = 'storage/records/database/search/index-heads.ts'
const moveQuestions = 'server/notifications/watch/checks/changes/ask-about-move.ts'

/** The order in which a check reads the records and the repository. */
const readsHead = '    const previous = await heads.read(id)\n'
const readsRefs = `    const recordedSelection = previous?.recordedSelection ?? mainAlone
    const isMainAlone = writeSelection(recordedSelection) === null && writeSelection(selection) === null
    const recordedRefs = isMainAlone ? undefined : previous?.hasOtherRefs ? await readRecordedRefs(db, id) : noRefs
`
const readsState = '    const state = await repository.readFreshState(signal)\n'

export const repositoryMutations: Readonly<Record<string, Mutation>> = {
  'a head moves outside of the transaction of its event': [moves, 'moveHead(tx, move', 'moveHead(db, move'],
  'events of one transaction are streamed in reverse': [
    'storage/records/database/events/read-events.ts',
    'order by rows.number desc) as position',
    'order by rows.number asc) as position',
  ],
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
