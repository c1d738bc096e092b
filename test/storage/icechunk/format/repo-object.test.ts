import { t } from 'tap'
import { openEnvelope } from '../../../../storage/icechunk/format/envelope.ts'
import { defaultLimits } from '../../../../storage/icechunk/index.ts'
import type { Commit, SnapshotId } from '../../../../storage/icechunk/index.ts'
import { RepoReading } from '../../../../storage/icechunk/format/repo-reading.ts'
import { decodeSnapshotId } from '../../../../storage/icechunk/format/object-id.ts'
import { openBuilt, openRepoObject } from './open-repo-object.ts'
import { buildFlatBuffer, buildObject, buildRepo, buildId } from '../build-object.ts'
import { anyDamage, readAny } from '../any-damage.ts'
import type { TableDescription } from '../build-object.ts'
import { matchDamage, matchExcess } from '../match-damage.ts'
import { propertyRuns } from '../../../property-runs.ts'

const { signal } = new AbortController()
const listMessages = (commits: readonly Commit[]) => commits.map(({ message }) => message)

/** root <- a <- b <- c, and d beside b. The order in the list is not the order of the history. */
const tree = [
  { id: buildId(1), parent: 4, message: 'c' },
  { id: buildId(2), parent: 3, message: 'd' },
  { id: buildId(3), parent: -1, message: 'root' },
  { id: buildId(4), parent: 2, message: 'a' },
  { id: buildId(5), parent: 3, message: 'b' },
]

t.test('references lead to the snapshots that they index, sorted by name', async (t) => {
  const repo = await openBuilt({
    snapshots: tree,
    branches: [
      ['main', 0],
      ['feature/one', 1],
    ],
    tags: [
      ['v1', 3],
      ['', 2],
    ],
  })
  t.strictSame(
    [...(await repo.readRefs(signal)).branches],
    [
      ['feature/one', buildId(2)],
      ['main', buildId(1)],
    ],
  )
  t.strictSame(
    [...(await repo.readRefs(signal)).tags],
    [
      ['', buildId(3)],
      ['v1', buildId(4)],
    ],
  )
  t.equal(repo.main, buildId(1))
})

t.test('a name is a branch, else a tag, else a listed snapshot', async (t) => {
  const idAsName = buildId(5)
  const repo = await openBuilt({
    snapshots: tree,
    branches: [
      ['main', 0],
      ['both', 1],
    ],
    tags: [
      ['both', 2],
      ['v1', 3],
      [idAsName, 3],
    ],
  })
  t.strictSame(repo.resolve('both'), { kind: 'branch', name: 'both', snapshotId: buildId(2) })
  t.strictSame(repo.resolve('v1'), { kind: 'tag', name: 'v1', snapshotId: buildId(4) })
  t.strictSame(repo.resolve(idAsName), { kind: 'tag', name: idAsName, snapshotId: buildId(4) })
  const id = buildId(2)
  t.strictSame(repo.resolve(id), { kind: 'snapshot', name: id, snapshotId: id })
  for (const name of ['nothing', '', buildId(99), idAsName.toLowerCase(), 'constructor', '__proto__']) {
    t.throws(() => repo.resolve(name), { name: 'RefNotFoundError', ref: name })
  }
})

t.test('a history goes from a snapshot to the root, by parents', async (t) => {
  const repo = await openBuilt({ snapshots: tree })
  const { commits, next, missing } = await repo.readHistory(buildId(1), { limit: 10, signal })
  t.strictSame(listMessages(commits), ['c', 'b', 'a', 'root'])
  t.strictSame({ next, missing }, { next: null, missing: null })
  t.strictSame(
    commits.map(({ id, parentId }) => [id, parentId]),
    [
      [buildId(1), buildId(5)],
      [buildId(5), buildId(4)],
      [buildId(4), buildId(3)],
      [buildId(3), null],
    ],
  )
  await t.rejects(repo.readHistory(buildId(9), { limit: 1, signal }), { name: 'MissingObjectError' })
})

t.test('a history ends at the limit, and says whether there is more', async (t) => {
  const repo = await openBuilt({ snapshots: tree }, { maxHistory: 3 })
  t.match(await repo.readHistory(buildId(4), { limit: 2, signal }), { commits: { length: 2 }, next: null })
  t.match(await repo.readHistory(buildId(5), { limit: 2, signal }), { commits: { length: 2 }, next: buildId(4) })
  t.match(await repo.readHistory(buildId(1), { limit: 9, signal }), { commits: { length: 3 }, next: buildId(4) })
})

t.test('the commits between two heads come oldest first', async (t) => {
  const repo = await openBuilt({ snapshots: tree })
  const [c, d, root, a] = tree.map(({ id }) => id)
  if (!c || !d || !root || !a) throw new Error('the tree has them')
  const since = await repo.listCommitsSince(a, c, { limit: 2, signal })
  t.strictSame(since.kind === 'commits' && listMessages(since.commits), ['b', 'c'])
  t.strictSame(await repo.listCommitsSince(c, c, { limit: 2, signal }), { kind: 'commits', commits: [] })
  t.strictSame(await repo.listCommitsSince(root, c, { limit: 2, signal }), { kind: 'too-many' })
  t.strictSame(await repo.listCommitsSince(d, c, { limit: 2, signal }), { kind: 'not-an-ancestor' })
  t.strictSame(await repo.listCommitsSince(c, a, { limit: 2, signal }), { kind: 'not-an-ancestor' })
  t.strictSame(await repo.listCommitsSince(buildId(9), c, { limit: 1, signal }), { kind: 'not-an-ancestor' })
  await t.rejects(repo.listCommitsSince(c, buildId(9), { limit: 1, signal }), { name: 'MissingObjectError' })
})

t.test('a history that runs in a circle is damaged', async (t) => {
  const snapshots = [
    { id: buildId(1), parent: 1 },
    { id: buildId(2), parent: 0 },
    { id: buildId(3), parent: 2 },
  ]
  const repo = await openBuilt({ snapshots })
  for (const id of [buildId(1), buildId(2), buildId(3)]) {
    await t.rejects(repo.readHistory(id, { limit: 10, signal }), matchDamage('its history runs in a circle'))
    await t.rejects(
      repo.listCommitsSince(buildId(9), id, { limit: 10, signal }),
      matchDamage('its history runs in a circle'),
    )
  }
})

t.test('of the expired commits that an entry names, only the newest are read, as many as are asked for', async (t) => {
  const pruned = Array.from({ length: 30_000 }, (_, index) => buildId(index))
  const bytes = buildRepo({ snapshots: [{ id: buildId(1), parent: -1, pruned }] })
  const envelope = await openEnvelope({ repository: '', key: '', bytes }, 'repo', defaultLimits)
  const reading = new RepoReading(envelope, { ...defaultLimits, maxInflatedBytes: 1_000 })
  t.strictSame(reading.readPrunedIds(0, 3), [buildId(29_999), buildId(29_998), buildId(29_997)])
  const few = buildRepo({ snapshots: [{ id: buildId(1), parent: -1, pruned: pruned.slice(0, 2) }] })
  const other = await openEnvelope({ repository: '', key: '', bytes: few }, 'repo', defaultLimits)
  t.strictSame(new RepoReading(other, defaultLimits).readPrunedIds(0, 3), [buildId(1), buildId(0)])
})

t.test('indexes outside of the list are damage', async (t) => {
  for (const parent of [1, -2, 2 ** 31 - 1, -(2 ** 31)]) {
    const repo = await openBuilt({ snapshots: [{ id: buildId(1), parent }] })
    t.throws(() => repo.readCommit(buildId(1)), matchDamage(/which it does not list/))
    await t.rejects(repo.readHistory(buildId(1), { limit: 10, signal }), matchDamage(/which it does not list/))
  }
  const repo = await openBuilt({ branches: [['main', 1]] })
  await t.rejects(repo.readRefs(signal), matchDamage('it refers to snapshot 1, which it does not list'))
})

t.test('absent indexes are 0, so an absent parent is the first snapshot and not none', async (t) => {
  const entry = (id: SnapshotId, parent: number | undefined): TableDescription => [
    { struct: decodeSnapshotId(id) },
    parent === undefined ? undefined : { i32: parent },
    { u64: 0n },
    { text: '' },
  ]
  const snapshots = { tables: [entry(buildId(1), -1), entry(buildId(2), undefined)] }
  const branches = { tables: [[{ text: 'main' }]] }
  const none = { tables: [] }
  const repo = await openRepoObject(
    buildObject(buildFlatBuffer([{ u8: 2 }, none, branches, none, snapshots]), { kind: 6 }),
  )
  t.equal(repo.main, buildId(1))
  t.equal(repo.readCommit(buildId(2)).parentId, buildId(1))
})

t.test('a name that is listed twice is damage, and a list above its limit is too large', async (t) => {
  const twice = await openBuilt({
    branches: [
      ['main', 0],
      ['main', 0],
    ],
  })
  await t.rejects(twice.readRefs(signal), matchDamage('reference "main" is listed twice'))
  const many = await openBuilt(
    {
      branches: [
        ['a', 0],
        ['b', 0],
      ],
    },
    { maxRefs: 1 },
  )
  await t.rejects(many.readRefs(signal), matchExcess('maxRefs', /more than 1 branches/))
  await t.rejects(
    openBuilt({ snapshots: tree }, { maxSnapshots: 4 }),
    matchExcess('maxSnapshots', /more than 4 snapshots/),
  )
})

t.test('the version of the content must be 2, and its lists must be there', async (t) => {
  const parts = [{ u8: 2 }, { tables: [] }, { tables: [] }, { tables: [] }, { tables: [] }]
  const build = (fields: typeof parts, version = 2) =>
    openRepoObject(buildObject(buildFlatBuffer(fields), { kind: 6, version }))
  await t.rejects(build(parts.with(0, { u8: 3 })), matchDamage('its content has version 3'))
  await t.rejects(build(parts, 1), matchDamage(/version/))
  await t.rejects(build(parts.slice(0, 4)), matchDamage('it has no list of snapshots'))
  const empty = await build(parts)
  t.equal(empty.main, null)
})

t.test('any content gives an answer or a named error', async (t) => {
  const whole = buildRepo({ snapshots: tree, tags: [['v1', 2]] })
  const { payload } = await openEnvelope({ repository: '', key: '', bytes: whole }, 'repo', defaultLimits)
  const readDamaged = async (damaged: Uint8Array) => {
    const repo = await openRepoObject(buildObject(damaged, { kind: 6, compression: 0 }))
    await repo.readHistory(repo.resolve('main').snapshotId, { limit: 10, signal })
  }
  await readAny(t, anyDamage(payload), readDamaged, propertyRuns(3_000))
})

/** A `repo` object whose branches stand in the given order. */
