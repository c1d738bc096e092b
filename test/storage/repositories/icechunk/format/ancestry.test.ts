import { t } from 'tap'
import type { SnapshotId } from '../../../../../storage/repositories/icechunk/index.ts'
import { buildId } from '../build-object.ts'
import { matchDamage } from '../match-damage.ts'
import { openBuilt } from './open-repo-object.ts'

const { signal } = new AbortController()

/** Longer than a walk that does not order the history. */
const length = 5_000

/** The index of a commit in the object. Commits that are neighbours in the history are far apart in the object. */
const findIndex = (commit: number) => (commit * 1_777) % length
const idOf = (commit: number) => buildId(findIndex(commit))

/**
 * A history of commits from 0 on, each the child of the one before, unless `parents` gives the index of another parent.
 */
function openHistory(parents: Readonly<Record<number, number>> = {}) {
  const snapshots: { id: SnapshotId; parent: number }[] = []
  for (let commit = 0; commit < length; commit++) {
    const parent = parents[commit] ?? (commit === 0 ? -1 : findIndex(commit - 1))
    snapshots[findIndex(commit)] = { id: idOf(commit), parent }
  }
  return openBuilt({ snapshots })
}

/** The ids of the commits from `newest` down to `oldest`. */
const listIds = (newest: number, oldest: number) =>
  Array.from({ length: newest - oldest + 1 }, (_, step) => idOf(newest - step))

t.test('a long history is the same on the first walk and later, from each of its commits on', async (t) => {
  const repo = await openHistory()
  for (const newest of [4_999, 4_999, 4_500, 1_001, 1_000, 999, 3, 4_999]) {
    const { commits } = await repo.readHistory(idOf(newest), { limit: length, until: idOf(0), signal })
    t.strictSame(
      commits.map(({ id }) => id),
      listIds(newest, 1),
    )
    const all = await repo.readHistory(idOf(newest), { limit: length, signal })
    t.equal(all.commits.length, newest + 1)
    t.match(await repo.listLogsBetween(idOf(0), idOf(newest), { limit: length, signal }), {
      ids: listIds(newest, 1).reverse(),
    })
  }
  t.match(await repo.listLogsBetween(idOf(4_999), idOf(4_998), { limit: 9, signal }), { kind: 'not-an-ancestor' })
  t.match(await repo.listLogsBetween(idOf(0), idOf(4_999), { limit: 9, signal }), { kind: 'too-many' })
})

t.test('two long histories that meet are both walked, one after the other and at the same time', async (t) => {
  const fork = 500
  const repo = await openHistory({ 2_500: findIndex(fork) })
  const readBoth = async () => {
    const heads = [2_499, 4_999]
    const read = (head: number) => repo.readHistory(idOf(head), { limit: length, signal })
    const [left, right] = await Promise.all(heads.map(read))
    t.strictSame(
      left?.commits.map(({ id }) => id),
      listIds(2_499, 0),
    )
    t.strictSame(
      right?.commits.map(({ id }) => id),
      [...listIds(4_999, 2_500), ...listIds(fork, 0)],
    )
  }
  await readBoth()
  await readBoth()
  const before = await repo.readHistory(idOf(4_999), { limit: 2, before: idOf(2_500), signal })
  t.equal(before.commits[0]?.id, idOf(fork))
  t.match(await repo.listCommitsSince(idOf(501), idOf(4_999), { limit: 9, signal }), { kind: 'not-an-ancestor' })
})

t.test('only the walk that reaches damage reports it', async (t) => {
  const unlisted = buildId(length)
  const damages = {
    'a circle of all': [{ 0: findIndex(4_999) }, 'its history runs in a circle'],
    'a circle at the end': [{ 0: findIndex(9) }, 'its history runs in a circle'],
    'a short circle': [{ 0: findIndex(0) }, 'its history runs in a circle'],
    'an index that is not listed': [{ 0: length }, `it refers to snapshot ${length}, which it does not list`],
    'a negative index': [{ 0: -2 }, 'it refers to snapshot -2, which it does not list'],
  } as const
  for (const [name, [parents, message]] of Object.entries(damages)) {
    const repo = await openHistory(parents)
    for (const head of [4_999, 4_999, 4_990, 999, 998, 5]) {
      const walk = repo.listCommitsSince(unlisted, idOf(head), { limit: 1, signal })
      await t.rejects(walk, matchDamage(message), `${name}, from ${head}`)
      const part = await repo.readHistory(idOf(head), { limit: 1, until: idOf(1), signal })
      t.match(part, { untilFound: true }, `${name}, from ${head}, in part`)
    }
  }
})
