import { t } from 'tap'
import { defaultLimits, openRepository, type SnapshotId } from '../../../../../storage/repositories/icechunk/index.ts'
import { MemoryStore } from '../../../memory-store.ts'
import { buildLog } from '../build-log.ts'
import { buildId, buildRepo, buildSnapshot } from '../build-object.ts'

const { signal } = new AbortController()

type StoredObjects = readonly (readonly [string, Uint8Array])[]

const logsOf = (...numbers: number[]): StoredObjects =>
  numbers.map((number) => [`transactions/${buildId(number)}`, buildLog({ id: buildId(number) })])

/** Snapshots 1, 2, ..., each the parent of the next. */
const line = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ id: buildId(index + 1), parent: index - 1 }))

function openLine(objects: StoredObjects, limits = {}) {
  const store = new MemoryStore([['repo', buildRepo({ snapshots: line(4), branches: [['main', 3]] })], ...objects])
  return { store, repository: openRepository(store, { ...defaultLimits, ...limits }) }
}

/** The same history in version 1, in which the first snapshot has no log. */
function openFirstVersion(objects: StoredObjects, limits = {}, parents: Readonly<Record<number, number>> = {}) {
  const ref = Buffer.from(JSON.stringify({ snapshot: buildId(4) }))
  const snapshots = [1, 2, 3, 4].map((number): readonly [string, Uint8Array] => {
    const parent = parents[number] ?? number - 1
    const id = buildId(number)
    return [`snapshots/${id}`, buildSnapshot({ id, version: 1, ...(parent > 0 && { parent: buildId(parent) }) })]
  })
  const store = new MemoryStore([['refs/branch.main/ref.json', ref], ...snapshots, ...objects])
  return { store, repository: openRepository(store, { ...defaultLimits, ...limits }) }
}

const listKeys = (kind: Awaited<ReturnType<ReturnType<typeof openRepository>['readLogs']>>) =>
  kind.kind === 'logs' ? kind.files.map(({ key }) => key) : kind

const keysOf = (...numbers: number[]) => numbers.map((number) => `transactions/${buildId(number)}`)

for (const [version, open] of [
  [1, openFirstVersion],
  [2, openLine],
] as const) {
  t.test(`version ${version}: the logs after one snapshot up to another are read, oldest first`, async (t) => {
    const { store, repository } = open(logsOf(2, 3, 4))
    t.strictSame(listKeys(await repository.readLogs(buildId(1), buildId(4), signal)), keysOf(2, 3, 4))
    t.strictSame(listKeys(await repository.readLogs(buildId(2), buildId(3), signal)), keysOf(3))
    t.strictSame(await repository.readLogs(buildId(3), buildId(3), signal), { kind: 'logs', files: [] })
    t.notOk(store.asked.includes(`transactions/${buildId(1)}`))
  })

  t.test(`version ${version}: from a snapshot that is no ancestor, there are no logs`, async (t) => {
    const { repository } = open(logsOf(2, 3, 4))
    t.strictSame(await repository.readLogs(buildId(4), buildId(2), signal), { kind: 'not-an-ancestor' })
    t.strictSame(await repository.readLogs(buildId(9), buildId(2), signal), { kind: 'not-an-ancestor' })
  })

  t.test(`version ${version}: a missing log is reported`, async (t) => {
    const { repository } = open(logsOf(2, 4))
    t.strictSame(await repository.readLogs(buildId(1), buildId(4), signal), { kind: 'missing' })
    t.strictSame(listKeys(await repository.readLogs(buildId(3), buildId(4), signal)), keysOf(4))
  })

  t.test(`version ${version}: more commits or bytes than the limits are refused`, async (t) => {
    const few = open(logsOf(2, 3, 4), { maxRangeCommits: 2 }).repository
    t.strictSame(listKeys(await few.readLogs(buildId(2), buildId(4), signal)), keysOf(3, 4))
    await t.rejects(few.readLogs(buildId(1), buildId(4), signal), {
      name: 'RangeTooLongError',
      message: 'there are more than 2 commits between the snapshots',
      limit: 'maxRangeCommits',
      value: 2,
    })
    const size = buildLog().length
    const small = open(logsOf(2, 3, 4), { maxRangeStoredBytes: 2 * size + 10 }).repository
    await t.resolves(small.readLogs(buildId(2), buildId(4), signal))
    await t.rejects(small.readLogs(buildId(1), buildId(4), signal), {
      name: 'RangeTooLongError',
      limit: 'maxRangeStoredBytes',
    })
  })
}

t.test('the logs of commits that have expired come before that of the next commit', async (t) => {
  const snapshots = [
    { id: buildId(1), parent: -1 },
    { id: buildId(5), parent: 0, pruned: [buildId(2), buildId(3)] },
    { id: buildId(6), parent: 1 },
  ]
  const repo = buildRepo({ snapshots, branches: [['main', 2]] })
  const open = (limits = {}) =>
    openRepository(new MemoryStore([['repo', repo], ...logsOf(2, 3, 5, 6)]), { ...defaultLimits, ...limits })
  t.strictSame(listKeys(await open().readLogs(buildId(1), buildId(6), signal)), keysOf(2, 3, 5, 6))
  t.strictSame(listKeys(await open().readLogs(buildId(5), buildId(6), signal)), keysOf(6))
  const commits = { maxRangeCommits: 3 }
  await t.rejects(open(commits).readLogs(buildId(1), buildId(6), signal), { name: 'RangeTooLongError' })
  await t.resolves(open({ maxRangeCommits: 4 }).readLogs(buildId(1), buildId(6), signal))
})

t.test('version 1 is walked up to its own limit, and damage on the way is reported', async (t) => {
  const few = openFirstVersion(logsOf(2, 3, 4), { maxRangeCommitsV1: 2 })
  await t.rejects(few.repository.readLogs(buildId(1), buildId(4), signal), {
    name: 'RangeTooLongError',
    limit: 'maxRangeCommitsV1',
  })
  t.equal(few.store.asked.filter((key) => key.startsWith('snapshots/')).length, 2)
  const circle = openFirstVersion([], {}, { 2: 4 }).repository
  await t.rejects(circle.readLogs(buildId(1), buildId(4), signal), {
    name: 'DamagedObjectError',
    rule: 'its history runs in a circle',
  })
  const cut = openFirstVersion([], {}, { 2: 9 }).repository
  t.strictSame(await cut.readLogs(buildId(1), buildId(4), signal), { kind: 'not-an-ancestor' })
  const missing = '00000000000000000000' as SnapshotId // of the form of an id
  await t.rejects(cut.readLogs(buildId(1), missing, signal), { name: 'MissingObjectError' })
})
