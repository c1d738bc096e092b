// Which heads are good, in a repository that official Icechunk wrote, and who is told when that changes.
import type { CheckState } from '@floe/contract/lists'
import { deleteExpectation, judgeHeads, postChecks, updateExpectation } from '@floe/storage/database'
import { t, type Test } from 'tap'
import { describeCheck } from '../../../server/metadata/checks/describe-check.ts'
import { describeExpectation } from '../../../server/expectations/describe-event.ts'
import type { HeadWatcher } from '../../../server/notifications/watch/head-watcher.ts'
import { openMovableRefs } from '../notifications/movable-refs.ts'
import { intervalMs, makeWatcher } from '../notifications/watch/watch.ts'
import { waitUntil } from '../wait-until.ts'
import { expectMain, startJudging } from './start-judging.ts'

const by = { org: 'acme', id: '0123456789abcdef', name: null }

const asked = (checks: readonly string[], changes: object = {}) =>
  expectMain('good', { settings: { checks, expectations: null }, ...changes })

const hour = { within: '1h', withinMs: 3_600_000 }

/** A repository whose `main` a test moves among the commits `s0` to `s4`, and whose commits are checked. */
async function startSea(t: Test, head: string) {
  const { source, point, remove } = await openMovableRefs(t)
  await point('branch.main', head)
  const judging = await startJudging(t, source.store.below('sea/'))
  const { db, entry, timing, watcher, check } = judging
  const { signal } = new AbortController()
  const resolve = async (commit: string) => (await entry.repository.resolve(commit, signal)).snapshotId as string
  const names = new Map<string, string>()
  for (const commit of ['s0', 's1', 's2', 's3', 's4']) names.set(await resolve(commit), commit)
  const name = (text: string) => [...names].reduce((named, [id, commit]) => named.replaceAll(id, commit), text)
  const options = () => ({ by, now: new Date(timing.now()) })
  return {
    ...judging,
    options,
    remove,
    move: async (to: string) => {
      await point('branch.main', to)
      await check()
    },
    /** Posts what a check says, as a server does that watches the repository. */
    post: async (commit: string, state: CheckState, on: Pick<HeadWatcher, 'noteRemark'> = watcher) => {
      const result = { name: 'quality', state, text: state === 'failed' ? 'step 12 is NaN' : null, link: null }
      const snapshot = { repository: entry, snapshotId: await resolve(commit), branches: [] }
      const posted = await postChecks(db, snapshot, [{ ...result, figures: {} }], describeCheck, options())
      if (posted.mayMoveGood) on.noteRemark(entry)
      return posted.mayMoveGood
    },
    /** The lines for chats about good heads, with the names of commits. */
    listLines: async () => {
      const events = ['GoodMoved', 'ExpectationMet', 'ExpectationUnmet'] as const
      const rows = await db.selectFrom('events').select('line').where('name', 'in', events).orderBy('number').execute()
      return rows.map(({ line }) => name(line ?? '').replaceAll(': acme/weather main: ', ' | '))
    },
    /** The good head as readers get it. */
    findGood: async () => {
      const { heads } = await judgeHeads(db, entry, 'main', { limit: 100, now: new Date(timing.now()) })
      return name(heads.find(({ state }) => state === 'good')?.snapshotId ?? 'none')
    },
  }
}

t.test('readers keep the last good head while a check fails, and chats are told when that changes', async (t) => {
  const { expect, move, post, find, findGood, listLines, timing, check } = await startSea(t, 's1')
  await expect(asked(['quality'], hour))
  t.match(await find(), { verdict: null, facts: { last_good_snapshot_id: null, lacks: ['quality is missing'] } })
  t.equal(await findGood(), 'none')
  await post('s1', 'passed')
  await waitUntil(async () => (await listLines()).length === 1)
  t.equal(await findGood(), 's1')
  await move('s2')
  t.match(await find(), { verdict: 'met', facts: { behind: 1, lacks: ['quality is missing'] } }, 'not decided yet')
  await post('s2', 'failed')
  await waitUntil(async () => /NaN/.test(JSON.stringify((await find())?.facts)))
  t.equal(await findGood(), 's1')
  timing.setClock(3_600_000)
  await check()
  await post('s2', 'passed')
  await waitUntil(async () => (await listLines()).length === 4)
  t.equal(await findGood(), 's2')
  const commit = 'in "Describe, resize and write", 2026-11-22 08:10 UTC'
  t.strictSame(await listLines(), [
    'GOOD MOVED | main@good is now s1, its head',
    `NOT GOOD | quality failed: step 12 is NaN; @good keeps s1, 1 head behind, ${commit}`,
    `GOOD | its head is good, ${commit}`,
    'GOOD MOVED | main@good is now s2, its head',
  ])
})

t.test('what is missing fails the head when its time is over, without another check', async (t) => {
  const { expect, post, listLines, timing } = await startSea(t, 's1')
  await expect(asked(['quality'], { within: '1m', withinMs: 60_000 }))
  await timing.pass(59_000, 1_000)
  t.strictSame(await listLines(), [])
  await timing.pass(2_000, 1_000)
  await waitUntil(async () => (await listLines()).length === 1)
  t.match((await listLines())[0], 'NOT GOOD | quality is missing; no head is good')
  await post('s1', 'passed')
  await waitUntil(async () => (await listLines()).length === 3)
})

t.test(
  'a head that breaks a contract is not good, and a reset to an older one makes that the last again',
  async (t) => {
    const { expect, move, findGood, listLines } = await startSea(t, 's1')
    // Before the contract, so that it would be judged first.
    await expect(asked([]))
    t.equal(await findGood(), 's1')
    const document = JSON.stringify({ version: 1, datasets: { sea: { variables: { depth: { units: 'm' } } } } })
    await expect(expectMain('contract', { alias: 'tile server', document }))
    t.equal(await findGood(), 's1')
    await move('s2')
    t.equal(await findGood(), 's1')
    await move('s1')
    const at = '2026-11-22 08:10 UTC'
    const breaks = 'sea: units of depth is fathom, must be m'
    t.strictSame(await listLines(), [
      'GOOD MOVED | main@good is now s1, its head',
      `BREAKS tile server | ${breaks}, in "Describe, resize and write", ${at}`,
      `NOT GOOD | tile server is not met: breaks its contract tile server: ${breaks}; @good keeps s1, 1 head behind, ` +
        `in "Describe, resize and write", ${at}`,
      `KEEPS tile server | nothing is broken any more, in "Begin", ${at}`,
      `GOOD | its head is good, in "Begin", ${at}`,
    ])
  },
)

// Proves: the end of an expectation of good heads is told
t.test('the end of an expectation, or of what it covers, ends what is good with an event', async (t) => {
  const { db, entry, expect, options, listLines, findGood, check } = await startSea(t, 's1')
  const id = await expect(asked([]))
  const address = { owner: entry, id }
  await updateExpectation(db, address, { branch: 'dev' }, describeExpectation, options())
  t.equal(await findGood(), 'none')
  await updateExpectation(db, address, { branch: 'main' }, describeExpectation, options())
  await check()
  await deleteExpectation(db, address, describeExpectation, options())
  await check()
  t.equal(await findGood(), 'none')
  t.strictSame(await listLines(), [
    'GOOD MOVED | main@good is now s1, its head',
    'GOOD MOVED | no head is good any more: The expectation no longer covers this branch',
    'GOOD MOVED | main@good is now s1, its head',
    'GOOD MOVED | no head is good any more: The expectation was deleted',
  ])
})

t.test('a branch that is deleted has no good head any more', async (t) => {
  const { db, entry, expect, listLines, check, remove } = await startSea(t, 's1')
  await expect(asked([], { branch: 'o*' }))
  await remove('branch.other')
  await check()
  const lines = (await listLines()).map((line) => line.replace(/now \S+,/, 'now X,'))
  t.strictSame(lines, [
    'GOOD MOVED: acme/weather other: other@good is now X, its head',
    'GOOD MOVED: acme/weather other: no head is good any more: The branch was deleted',
  ])
  t.strictSame((await judgeHeads(db, entry, 'other', { limit: 1, now: new Date() })).heads, [])
})

t.test('a check that another replica took moves what is good at the next review, once', async (t) => {
  const { expect, move, post, listLines, timing, ...parts } = await startSea(t, 's1')
  await expect(asked(['quality']))
  // It stops before it judges.
  await post('s1', 'passed', { noteRemark: () => {} })
  t.strictSame(await listLines(), [])
  await timing.pass(intervalMs, 1_000)
  await waitUntil(async () => (await listLines()).length === 1)
  const other = makeWatcher({ timing, ...parts }, () => {}, { partitions: new Set(), isLeased: false })
  t.teardown(() => other.stop())
  other.start()
  await move('s2')
  await post('s2', 'passed', other)
  await waitUntil(async () => (await listLines()).length === 2)
  await timing.pass(intervalMs, 1_000)
  t.strictSame(await listLines(), [
    'GOOD MOVED | main@good is now s1, its head',
    'GOOD MOVED | main@good is now s2, its head',
  ])
})

t.test('where nobody asks for good heads, a check judges nothing', async (t) => {
  const { db, expect, post } = await startSea(t, 's1')
  await expect(expectMain('contract', { document: '{"version":1}' }))
  t.equal(await post('s1', 'passed'), false)
  t.strictSame(await db.selectFrom('repositories').select('remarks').execute(), [{ remarks: 0 }])
})
