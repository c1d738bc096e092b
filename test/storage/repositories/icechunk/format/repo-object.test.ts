import fc from 'fast-check'
import { t } from 'tap'
import { openEnvelope } from '../../../../../storage/repositories/icechunk/format/envelope.ts'
import { type Commit, defaultLimits, type SnapshotId } from '../../../../../storage/repositories/icechunk/index.ts'
import { RepoDecoder } from '../../../../../storage/repositories/icechunk/format/repository/repo-decoder.ts'
import { decodeSnapshotId } from '../../../../../storage/repositories/icechunk/format/object-id.ts'
import { openBuilt, openRepoObject } from './open-repo-object.ts'
import { buildFlatBuffer, buildId, buildObject, buildRepo, type TableDescription } from '../build-object.ts'
import { anyDamage, readsOrRefuses } from '../any-damage.ts'
import { matchDamage, matchExcess } from '../match-damage.ts'
import { checkProperty } from '../../../../check-property.ts'

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
    branches: Object.entries({ main: 0, 'feature/one': 1 }),
    tags: Object.entries({ v1: 3, '': 2 }),
  })
  const { branches, tags } = await repo.readRefs(signal)
  t.strictSame([...branches].flat(), ['feature/one', buildId(2), 'main', buildId(1)])
  t.strictSame([...tags].flat(), ['', buildId(3), 'v1', buildId(4)])
  t.equal(repo.main, buildId(1))
})

t.test('a name is a listed snapshot, else a branch, else a tag', async (t) => {
  const [branchId, tagId, unlistedId] = [buildId(3), buildId(5), buildId(98)]
  const repo = await openBuilt({
    snapshots: tree,
    branches: Object.entries({ main: 0, both: 1, [branchId]: 0 }),
    tags: Object.entries({ both: 2, v1: 3, [tagId]: 3, [unlistedId]: 3 }),
  })
  t.strictSame(repo.resolve('both'), { kind: 'branch', name: 'both', snapshotId: buildId(2) })
  t.strictSame(repo.resolve('v1'), { kind: 'tag', name: 'v1', snapshotId: buildId(4) })
  t.strictSame(repo.resolve(unlistedId), { kind: 'tag', name: unlistedId, snapshotId: buildId(4) })
  for (const id of [buildId(2), branchId, tagId]) {
    t.strictSame(repo.resolve(id), { kind: 'snapshot', name: id, snapshotId: id })
  }
  for (const name of ['nothing', '', buildId(99), tagId.toLowerCase(), 'constructor', '__proto__']) {
    t.throws(() => repo.resolve(name), { name: 'RefNotFoundError', ref: name })
  }
})

t.test('a history ends at the limit, and says whether there is more', async (t) => {
  const repo = await openBuilt({ snapshots: tree }, { maxHistory: 3 })
  await t.rejects(repo.readHistory(buildId(9), { limit: 1, signal }), { name: 'MissingObjectError' })
  const last = await repo.readHistory(buildId(4), { limit: 2, signal })
  t.match(last, { commits: [{ message: 'a' }, { message: 'root', parentId: null }], next: null, missing: null })
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
  for (const [last, head] of [[d, c] as const, [c, a] as const, [buildId(9), c] as const]) {
    t.strictSame(await repo.listCommitsSince(last, head, { limit: 2, signal }), { kind: 'not-an-ancestor' })
  }
  await t.rejects(repo.listCommitsSince(c, buildId(9), { limit: 1, signal }), { name: 'MissingObjectError' })
})

t.test('a history that runs in a circle is damaged', async (t) => {
  const snapshots = [1, 0, 2].map((parent, index) => ({ id: buildId(index), parent }))
  const repo = await openBuilt({ snapshots })
  const damage = matchDamage('its history runs in a circle')
  for (const { id } of snapshots) {
    await t.rejects(repo.readHistory(id, { limit: 10, signal }), damage)
    await t.rejects(repo.listCommitsSince(buildId(9), id, { limit: 10, signal }), damage)
  }
})

t.test('only as many expired commits of an entry are read as are requested, the newest first', async (t) => {
  const pruned = Array.from({ length: 30_000 }, (_, index) => buildId(index))
  const readThree = async (pruned: readonly SnapshotId[]) => {
    const bytes = buildRepo({ snapshots: [{ id: buildId(1), parent: -1, pruned }] })
    const envelope = await openEnvelope({ repository: '', key: '', bytes }, 'repo', defaultLimits)
    return new RepoDecoder(envelope, { ...defaultLimits, maxInflatedBytes: 1_000 }).readPrunedIds(0, 3)
  }
  t.strictSame(await readThree(pruned), [buildId(29_999), buildId(29_998), buildId(29_997)])
  t.strictSame(await readThree(pruned.slice(0, 2)), [buildId(1), buildId(0)])
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

/**
 * Opens a `repo` object with one branch for each of these names, in their order, and two snapshots. The second names no
 * parent.
 */
function openUnsorted(branches: readonly TableDescription[]) {
  const entry = (number: number, ...parent: TableDescription): TableDescription => [
    { struct: decodeSnapshotId(buildId(number)) },
    parent[0],
    { u64: 0n },
    { text: '' },
  ]
  const none = { tables: [] }
  const snapshots = { tables: [entry(1, { i32: -1 }), entry(2)] }
  const fields = [{ u8: 2 }, none, { tables: branches }, none, snapshots]
  return openRepoObject(buildObject(buildFlatBuffer(fields), { kind: 6 }))
}

t.test('absent indexes are 0, so an absent parent is the first snapshot and not none', async (t) => {
  const repo = await openUnsorted([[{ text: 'main' }]])
  t.equal(repo.main, buildId(1))
  t.equal(repo.readCommit(buildId(2)).parentId, buildId(1))
})

t.test('a name that is listed twice or not in order is damage, because a search would not find it', async (t) => {
  const read = async (...names: string[]) => (await openUnsorted(names.map((text) => [{ text }]))).readRefs(signal)
  await t.rejects(read('main', 'main'), matchDamage('reference "main" is listed twice'))
  await t.rejects(read('main', 'dev'), matchDamage('its branches are not sorted by name'))
})

t.test('a list above its limit is too large', async (t) => {
  const many = await openBuilt({ branches: Object.entries({ a: 0, b: 0 }) }, { maxRefs: 1 })
  await t.rejects(many.readRefs(signal), matchExcess('maxRefs', /more than 1 branches/))
  const refusal = matchExcess('maxSnapshots', /more than 4 snapshots/)
  await t.rejects(openBuilt({ snapshots: tree }, { maxSnapshots: 4 }), refusal)
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

t.test('any content gives an answer or a named error', async () => {
  const whole = buildRepo({ snapshots: tree, tags: [['v1', 2]] })
  const { payload } = await openEnvelope({ repository: '', key: '', bytes: whole }, 'repo', defaultLimits)
  const readDamaged = async (damaged: Uint8Array) => {
    const repo = await openRepoObject(buildObject(damaged, { kind: 6, compression: 0 }))
    await repo.readHistory(repo.resolve('main').snapshotId, { limit: 10, signal })
  }
  await checkProperty(3_000, fc.asyncProperty(anyDamage(payload), readsOrRefuses(readDamaged)))
})

t.test('each of many references and snapshots is found, and names between them are not', async (t) => {
  const numbers = Array.from({ length: 300 }, (_, index) => 2 * index)
  const names = numbers.map((number) => `branch-${number}-ä`)
  const repo = await openBuilt({
    snapshots: numbers.map((number) => ({ id: buildId(number), parent: -1 })),
    branches: names.map((name, index) => [name, index] as const),
  })
  for (const [index, name] of names.entries()) {
    const id = buildId(numbers[index] ?? 0)
    t.match(repo.resolve(name), { kind: 'branch', snapshotId: id })
    t.match(repo.resolve(id), { kind: 'snapshot', snapshotId: id })
    t.equal(repo.readCommit(id).id, id)
    t.throws(() => repo.resolve(`${name}x`), { name: 'RefNotFoundError' })
    t.throws(() => repo.resolve(buildId(2 * index + 1)), { name: 'RefNotFoundError' })
  }
})

t.test('long work ends when its signal aborts, and yields to the event loop meanwhile', async (t) => {
  const snapshots = Array.from({ length: 20_000 }, (_, index) => ({ id: buildId(index), parent: index - 1 }))
  const branches = snapshots.map((_, index) => [`branch-${index}`, index] as const)
  const repo = await openBuilt({ snapshots, branches }, { maxRefs: branches.length })
  const last = buildId(19_999)
  const works: Record<string, (signal: AbortSignal) => Promise<unknown>> = {
    refs: (leaving) => repo.readRefs(leaving),
    history: (leaving) => repo.readHistory(last, { limit: 20_000, signal: leaving }),
    commits: (leaving) => repo.listCommitsSince(buildId(0), last, { limit: 20_000, signal: leaving }),
  }
  for (const [name, work] of Object.entries(works)) {
    const reason = new Error('the caller left')
    await t.rejects(work(AbortSignal.abort(reason)), reason, name)
    let turns = 0
    const timer = setInterval(() => turns++, 1)
    await work(signal)
    clearInterval(timer)
    t.ok(turns > 0, `${name} yielded ${turns} times`)
  }
})

t.test('a commit with too much text or too many metadata values is too large', async (t) => {
  const message = 'x'.repeat(100)
  const repo = await openBuilt({ snapshots: [{ id: buildId(1), parent: -1, message }] }, { maxCommitBytes: 99 })
  t.throws(() => repo.readCommit(buildId(1)), matchExcess('maxCommitBytes'))
  const parts = [buildId(1), buildId(2), buildId(3)].map((id, index) => ({ id, parent: index - 1, message }))
  const three = await openBuilt({ snapshots: parts }, { maxCommitBytes: 100 })
  t.match(await three.readHistory(buildId(3), { limit: 9, signal }), { commits: { length: 3 } }, 'the limit is of each')
})
