// What each kind finds in repositories that official Icechunk wrote.
import { openRepository } from '@floe/storage/icechunk'
import { writeBody } from '@floe/storage/json'
import type { ReadOptions } from '@floe/storage/objects'
import { t, type Test } from 'tap'
import { findLastChange } from '../../../server/expectations/find-last-change.ts'
import type { PathChanges } from '../../../server/reading/diff/find-changed-paths.ts'
import { ManualTiming } from '../notifications/manual-timing.ts'
import { openMovableRefs } from '../notifications/movable-refs.ts'
import { expectMain, listExpectationEvents, listLines, startJudging, wholeArrays } from './start-judging.ts'

/** A repository whose `main` a test moves among the commits `s0` to `s4`, the last of which is months old. */
async function startSea(t: Test, head: string) {
  const { source, point, remove } = await openMovableRefs(t)
  await point('branch.main', head)
  const judging = await startJudging(t, source.store.below('sea/'))
  const { signal } = new AbortController()
  const state = await judging.entry.repository.readState(signal)
  const { snapshotId } = await judging.entry.repository.resolve('s4', signal)
  const { commits } = await state.readHistory(snapshotId, { limit: 10, until: undefined, signal })
  const times = commits.map(({ writtenAt }) => writtenAt.toISOString())
  const move = async (to: string) => {
    await point('branch.main', to)
    await judging.check()
  }
  return { ...judging, times, move, remove }
}

// Proves: with `path`, the last commit that changed it counts
t.test('the last commit that changed the path is found in the history, and in later moves', async (t) => {
  const { expect, list, times, move } = await startSea(t, 's4')
  const [s4, , s2, s1] = times
  const first = times.at(-1)
  const paths = [null, 'time', 'sea/depth', 'nowhere/**']
  for (const path of paths)
    await expect(expectMain('freshness', { settings: { max_age: '3652d', due: null, days: null, path } }))
  const listTimes = async () => (await list()).map(({ state }) => state?.facts?.['last_commit_at'])
  t.strictSame(await listTimes(), [s4, s4, s2, null], 'the later commits changed other paths')
  const nowhere = (await list())[3]?.state
  t.equal(nowhere?.facts?.['counts_from'], first, 'it counts from the first commit')
  t.equal(nowhere?.reason, 'No commit that was searched changed a path that matches nowhere/**')
  for (const [to, time] of [
    ['s1', s1],
    ['s2', s2],
    ['s4', s2],
  ] as const) {
    await move(to)
    t.equal((await listTimes())[2], time, to)
  }
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
  const { snapshotId: headId } = await repository.resolve('s4', signal)
  const search = { path: 'nowhere', headId, sinceId: undefined }
  const find = () => findLastChange({ db: {} as never, readers: { ask }, timing, entry, signal }, search)
  t.equal(await find(), undefined)
  t.match(await find(), { lastCommitAt: null })
})

t.test('another path is searched from the head again', async (t) => {
  const { expect, change, find, times } = await startSea(t, 's4')
  const id = await expect(
    expectMain('freshness', { settings: { max_age: '3652d', due: null, days: null, path: 'time' } }),
  )
  t.match(await find(), { facts: { last_commit_at: times[0] } })
  await change(id, { settings: { path: 'sea/depth' } })
  t.match(await find(), { facts: { last_commit_at: times[2] } })
})

// Proves: a path that matches nothing is unmet, with that reason
t.test('chunks of a path that no array has are not written, and the event says why', async (t) => {
  const { expect, change, find, db } = await startSea(t, 's4')
  const reason = 'No array has a path that matches typo/**'
  const id = await expect(expectMain('written', { settings: { ...wholeArrays, share: 0.1, path: 'typo/**' } }))
  t.match(await find(), { verdict: 'unmet', reason, facts: { arrays: [], incomplete_arrays: 0, gaps: [] } })
  const [line = ''] = await listLines(db)
  t.ok(line.startsWith(`INCOMPLETE: acme/weather main (typo/**): ${reason}, expected 0.1, in "`), line)
  await change(id, { settings: { path: 'sea/**' } })
  t.match(await find(), { verdict: 'met', reason: null })
})

t.test('another severity ends an alert for those who got it, and tells it again if it is still true', async (t) => {
  const { expect, change, db } = await startSea(t, 's4')
  const id = await expect(expectMain('written', { settings: { ...wholeArrays, path: 'typo/**' } }))
  await change(id, { severity: 'critical' })
  await change(id, { severity: 'info', settings: { share: 0.1, path: 'sea/**' } })
  const list = () => listExpectationEvents(db, ({ severity }) => ` ${severity}`)
  t.strictSame(await list(), [
    'ExpectationUnmet #1 main warning',
    'ExpectationMet #2 main warning',
    'ExpectationUnmet #3 main critical',
    'ExpectationMet #4 main critical',
  ])
  const [, ended] = await listLines(db)
  const reason = 'The expectation starts over with another severity (written chunks)'
  t.equal(ended, `NO LONGER JUDGED: acme/weather main (typo/**): ${reason}`)
})

t.test('what is expected of a branch that does not exist says so, until there is one', async (t) => {
  const { expect, list, db } = await startSea(t, 's4')
  const settings = { ...wholeArrays, share: 0.1 }
  await expect(expectMain('written', { branch: 'nowhere', settings }))
  await expect(expectMain('contract', { branch: 'nowhere', document: '{"version":1}' }))
  await expect(
    expectMain('freshness', { branch: 'nowhere', settings: { max_age: '1d', due: null, days: null, path: null } }),
  )
  const states = (await list()).map(({ state }) => state)
  const reason = 'No branch has the name nowhere'
  t.match(states, [
    { verdict: null, reason },
    { verdict: null, reason },
    { verdict: 'met', facts: { last_commit_at: null } },
  ])
  t.strictSame(await listExpectationEvents(db), [])
})

t.test('a branch that a pattern matched is forgotten when it is deleted', async (t) => {
  const { expect, list, remove, check, db } = await startSea(t, 's4')
  await expect(expectMain('written', { branch: 'o*', settings: { ...wholeArrays, path: 'typo/**' } }))
  t.match(await list(), [{ branch: 'other', state: { verdict: 'unmet' } }])
  await remove('branch.other')
  await check()
  t.strictSame(await list(), [])
  t.strictSame(await listExpectationEvents(db), ['ExpectationUnmet #1 other', 'ExpectationMet #2 other'])
  t.match(
    (await listLines(db))[1],
    'NO LONGER JUDGED: acme/weather other (typo/**): The branch was deleted (written chunks)',
  )
})

t.test('a contract is broken by a commit, which the event names, and kept again by the next', async (t) => {
  const { expect, move, find, db } = await startSea(t, 's1')
  const document = JSON.stringify({ version: 1, datasets: { sea: { variables: { depth: { units: 'm' } } } } })
  await expect(expectMain('contract', { alias: 'tile server', document }))
  t.match(await find(), { verdict: 'met', facts: { breaks: [], breaking_changes: 0, changes: [] } })
  for (const commit of ['s2', 's3', 's1']) await move(commit)
  t.strictSame(await listExpectationEvents(db), ['ExpectationUnmet #1 main', 'ExpectationMet #2 main'], 'once each')
  t.strictSame(await listLines(db), [
    'BREAKS tile server: acme/weather main: sea: units of depth is fathom, must be m, ' +
      'in "Describe, resize and write", 2026-11-22 08:10 UTC',
    'KEEPS tile server: acme/weather main: nothing is broken any more, in "Begin", 2026-11-22 08:10 UTC',
  ])
})

t.test('a broken contract is compared with the last head that kept it, also for what is missing', async (t) => {
  const { expect, change, move, find, list } = await startSea(t, 's1')
  const datasets = { sea: { variables: { depth: {} } } }
  const id = await expect(expectMain('contract', { document: JSON.stringify({ version: 1, datasets }) }))
  const findHead = async () => (await list())[0]?.head?.snapshotId
  const findLastGood = async () => (await find())?.facts?.['last_good_snapshot_id']
  const [s1, good] = [await findHead(), await findLastGood()]
  t.equal(good, s1, 'the head itself')
  await move('s2')
  const s2 = await findHead()
  t.not(s2, s1)
  t.equal(await findLastGood(), s2)
  await move('s0')
  t.match(await find(), { verdict: 'unmet', facts: { breaks: ['the dataset is missing'], last_good_snapshot_id: s2 } })
  const document = JSON.stringify({ version: 1, datasets: { ...datasets, nowhere: { variables: { x: {} } } } })
  await change(id, { document })
  t.match(await find(), { verdict: 'unmet', facts: { last_good_snapshot_id: null } }, 'nothing is known of another')
})
