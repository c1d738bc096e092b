import { t } from 'tap'
import { decodeSnapshotId } from '../../../../storage/icechunk/format/object-id.ts'
import { openBuilt, openRepoObject } from './open-repo-object.ts'
import { buildFlatBuffer, buildObject, buildId } from '../build-object.ts'
import type { TableDescription } from '../build-object.ts'
import { matchDamage, matchExcess } from '../match-damage.ts'

const { signal } = new AbortController()

function buildUnsorted(names: readonly string[]): Uint8Array {
  const none = { tables: [] }
  const branches = { tables: names.map((name): TableDescription => [{ text: name }, { u32: 0 }]) }
  const snapshots = { tables: [[{ struct: decodeSnapshotId(buildId(1)) }, { i32: -1 }, { u64: 0n }, { text: '' }]] }
  return buildObject(buildFlatBuffer([{ u8: 2 }, none, branches, none, snapshots]), { kind: 6 })
}

t.test('references that are not sorted are damage, because a search would not find them', async (t) => {
  const repo = await openRepoObject(buildUnsorted(['main', 'dev']))
  await t.rejects(repo.readRefs(signal), matchDamage('its branches are not sorted by name'))
})

t.test('each of many references and snapshots is found, and nothing beside them', async (t) => {
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

t.test('long work ends when its caller leaves, and lets others work meanwhile', async (t) => {
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
    t.ok(turns > 0, `${name} let others work ${turns} times`)
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
