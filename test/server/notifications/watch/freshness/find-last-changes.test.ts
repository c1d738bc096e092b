// Searches a history that official Icechunk wrote, by the routes of expectations.
import { Expectation, HistoryPage } from '@floe/contract'
import { openRepository } from '@floe/storage/icechunk'
import { writeBody } from '@floe/storage/json'
import type { ReadOptions } from '@floe/storage/objects'
import { t, type Test } from 'tap'
import { findLastChanges } from '../../../../../server/notifications/watch/freshness/find-last-changes.ts'
import type { PathChanges } from '../../../../../server/reading/diff/find-changed-paths.ts'
import { startAdministration } from '../../../administration/start-administration.ts'
import { ManualTiming } from '../../manual-timing.ts'
import { openMovableRefs } from '../../movable-refs.ts'

const path = 'repos/sea/expectations'

/** A repository whose `main` a test moves among the commits `s0` to `s4`, a day after the last of them. */
async function start(t: Test, head: string) {
  const { source, point } = await openMovableRefs(t)
  await point('branch.main', head)
  let now = Date.now()
  const server = await startAdministration(t, { sources: [source], now: () => now })
  const expect = async (glob: string | null) => {
    const response = await server.administer('POST', path, { branch: 'main', max_age: '3652d', path: glob })
    t.equal(response.status, 201)
    return Expectation.parse(await response.json())
  }
  const read = async (id: string) => Expectation.parse(await (await server.administer('GET', `${path}/${id}`)).json())
  const history = HistoryPage.parse(await (await server.get('history/sea/s4')).json())
  const times = history.commits.map(({ written_at }) => written_at)
  now = Date.parse(times[0] ?? '') + 86_400_000
  const move = async (to: string) => {
    await point('branch.main', to)
    t.equal((await server.administer('POST', 'repos/sea/refresh')).status, 200)
  }
  return { expect, read, times, move }
}

// Proves: with `path`, the last commit that changed it counts
t.test('the last commit that changed the path is found in the history, and in later moves', async (t) => {
  const { expect, read, times, move } = await start(t, 's4')
  const [s4, , s2, s1] = times
  t.equal((await expect(null)).last_commit_at, s4)
  t.equal((await expect('time')).last_commit_at, s4)
  const depth = await expect('sea/depth')
  t.equal(depth.last_commit_at, s2, 'the later commits changed other paths')
  const nowhere = await expect('nowhere/**')
  t.equal(nowhere.last_commit_at, null)
  const first = Date.parse(times.at(-1) ?? '')
  t.equal(Date.parse(nowhere.due_at ?? ''), first + 3_652 * 86_400_000, 'it counts from the first commit')
  await move('s1')
  t.equal((await read(depth.id)).last_commit_at, s1, 'the branch was reset')
  await move('s2')
  t.equal((await read(depth.id)).last_commit_at, s2)
  await move('s4')
  t.equal((await read(depth.id)).last_commit_at, s2)
})

t.test('a branch whose history takes too long is searched again at the next check', async (t) => {
  const { source } = await openMovableRefs(t)
  const store = source.store.below('sea/')
  const timing = new ManualTiming()
  const read = store.read.bind(store)
  let snapshots = 0
  // The second snapshot is not read before the time is over.
  const slow = Object.assign(store, {
    read: async (key: string, options: ReadOptions) => {
      if (key.startsWith('snapshots/') && ++snapshots === 2) await timing.pass(10_000, 5_000)
      options.signal.throwIfAborted()
      return read(key, options)
    },
  })
  const repository = openRepository(slow)
  const entry = { id: 'sea', org: 'acme', name: 'sea', location: store.location, repository }
  // Only `changed-paths` is asked.
  const ask = () => Promise.resolve(writeBody<PathChanges>({ matches: [false], changes: null }) as never)
  const { signal } = new AbortController()
  const { snapshotId } = await repository.resolve('s4', signal)
  const date = new Date(timing.now())
  const settings = { branch: 'main', path: 'nowhere', maxAge: '1d', maxAgeMs: 86_400_000, written: null }
  const added = { id: 'e', isDeclared: false, version: 1, createdAt: date, updatedAt: date }
  const head = { snapshotId, committedAt: date }
  const expected = { ...settings, ...added, freshness: null, completeness: null, head }
  const find = () => findLastChanges({ readers: { ask }, timing }, entry, [expected], signal)
  t.strictSame(await find(), { found: new Map(), isComplete: false })
  const { found, isComplete } = await find()
  t.strictSame([found.size, isComplete], [1, true])
})
