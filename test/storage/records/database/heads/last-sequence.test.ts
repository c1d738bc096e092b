import { defaultFilter } from '@floe/contract/lists'
import {
  addReceiver,
  changeSelection,
  type Database,
  mainAlone,
  recordReadability,
  recordRefChange,
  readRecordedRefs,
} from '@floe/storage/database'
import { t } from 'tap'
import { secrets } from '../../../sample-secrets.ts'
import { testOnEngines } from '../engines.ts'
import { at, by, commit, describe, expire, moveHead, repositoryWith } from '../recorded.ts'
import { newWebhook } from '../receivers/edit-receivers.ts'

const test = await testOnEngines(t)

/** Lists the numbers of the stored events of a ref, in order. */
async function listNumbers(db: Database, ref: string): Promise<readonly number[]> {
  const rows = await db.selectFrom('events').select('sequence').where('ref', '=', ref).orderBy('position').execute()
  return rows.map(({ sequence }) => sequence)
}

const event = <Name extends string>(name: Name) => ({ name, payload: '{}', line: name })

async function createTag(db: Database, repoId: string, name: string, ms: number): Promise<void> {
  const change = { kind: 'tag' as const, name, from: null, to: { snapshotId: 'A' }, events: [event('TagCreated')] }
  await recordRefChange(db, repoId, change, at(ms))
}

async function deleteTag(db: Database, repoId: string, name: string, ms: number): Promise<void> {
  const change = { kind: 'tag' as const, name, from: { snapshotId: 'A' }, to: null, events: [event('TagDeleted')] }
  await recordRefChange(db, repoId, change, at(ms))
}

// Proves: the numbers of a branch, tag or expectation increase, also after its events are deleted
test('the numbers of a ref whose events are all deleted go on', async (t, { db }) => {
  const { repoId } = await repositoryWith(db, [])
  for (const ms of [1, 2, 3]) {
    await createTag(db, repoId, 'v1', ms)
    await deleteTag(db, repoId, 'v1', ms)
  }
  await expire(db, { eventsBefore: at(3) })
  t.strictSame(await listNumbers(db, 'tag/v1'), [5, 6])
  await expire(db, { eventsBefore: at(4) })
  await createTag(db, repoId, 'v1', 5)
  t.strictSame(await listNumbers(db, 'tag/v1'), [7])
  await createTag(db, repoId, 'v2', 6)
  t.strictSame(await listNumbers(db, 'tag/v2'), [7], 'it may have had events too')
})

test('numbers begin at 1 where no event of the repository was deleted', async (t, { db }) => {
  const other = await repositoryWith(db, [], 'other')
  const { repoId } = await repositoryWith(db, [])
  await moveHead(db, other.repoId, ['A', 'B'], at(1))
  await moveHead(db, repoId, ['A', 'B'], at(3))
  await expire(db, { eventsBefore: at(2) })
  await createTag(db, repoId, 'v1', 4)
  t.strictSame(await listNumbers(db, 'tag/v1'), [1])
})

test('notices go on counting after a quiet time', async (t, { db }) => {
  const { repoId } = await repositoryWith(db, [])
  const events = ['RepositoryUnreadable', 'RepositoryBack'] as const
  const filter = { ...defaultFilter, repos: ['**'], events }
  await addReceiver(db, { ...newWebhook(''), repoId: null, filter }, { secrets, by, now: at(0) })
  const failed = { repoId, failure: { since: at(0), reason: 'store-failed' } }
  await recordReadability(db, failed, describe, at(1))
  await recordReadability(db, { repoId, failure: null }, describe, at(2))
  await expire(db, { eventsBefore: at(3) })
  await recordReadability(db, failed, describe, at(4))
  t.strictSame(await listNumbers(db, 'notice'), [3])
})

test('a branch that is selected again goes on counting after its events are deleted', async (t, { db }) => {
  const { repoId } = await repositoryWith(db, [])
  await moveHead(db, repoId, ['A'], at(0))
  const dev = { branches: ['dev'], anonymous: [], tags: false }
  const change = { repoId, addedBranches: [], addedTags: new Map<string, string>(), removedBranches: [] }
  const head = { repoId, branch: 'dev', snapshotId: 'A', commit }
  await changeSelection(db, { ...change, from: mainAlone, to: dev, addedBranches: [head] }, at(1))
  const readDev = async () => (await readRecordedRefs(db, repoId)).branches.get('dev')
  t.strictSame(await readDev(), { snapshotId: 'A', sequence: 1 })
  const from = { snapshotId: 'A', sequence: 1 }
  const events = [event('BranchDeleted')]
  await recordRefChange(db, repoId, { kind: 'branch', name: 'dev', from, to: null, events }, at(2))
  t.strictSame(await listNumbers(db, 'branch/dev'), [2])
  await expire(db, { eventsBefore: at(3) })
  await changeSelection(db, { ...change, from: dev, to: mainAlone }, at(4))
  await changeSelection(db, { ...change, from: mainAlone, to: dev, addedBranches: [head] }, at(5))
  t.strictSame(await readDev(), { snapshotId: 'A', sequence: 3 })
})
