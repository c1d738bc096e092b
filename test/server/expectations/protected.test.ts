// Protected branches and tags, in repositories that official Icechunk wrote.
import { t, type Test } from 'tap'
import { protection } from '../../../server/expectations/kinds/protected.ts'
import type { Reading } from '../../../server/expectations/kind.ts'
import { countTurns } from '../count-turns.ts'
import { openMovableDatasets } from '../notifications/watch/changes/movable-datasets.ts'
import { openMovableRefs } from '../notifications/movable-refs.ts'
import { expectMain, listExpectationEvents, listLines, startJudging } from './start-judging.ts'

const nobody = { authors: null, tags: null }

/** A repository of version 2 whose `main` a test moves among three commits. */
async function startDatasets(t: Test) {
  const { source, names, point, findId } = await openMovableDatasets(t)
  const judging = await startJudging(t, source.store.below('datasets/'))
  const [first = '', second = '', third = ''] = names
  const move = async (name: string) => {
    await point('main', name)
    await judging.check()
  }
  return { ...judging, names: [first, second, third] as const, findId, move }
}

/** A repository of version 1 whose branches and tags a test moves and deletes. */
async function startSea(t: Test) {
  const refs = await openMovableRefs(t)
  await refs.point('branch.main', 's2')
  return { ...refs, ...(await startJudging(t, refs.source.store.below('sea/'))) }
}

// Proves: a reset of a protected branch is told once, and that it leads to its last good head again
t.test('a branch that moves forward is met; one that was reset is told, until it leads to its last head', async (t) => {
  const { expect, find, db, names, findId, move } = await startDatasets(t)
  const [first, second, third] = names
  await expect(expectMain('protected', { settings: nobody }))
  await move(second)
  t.match(await find(), { verdict: 'met', facts: { last_good_snapshot_id: findId(second), violations: [] } })
  for (const name of [first, second, first]) await move(name)
  t.match(await find(), { verdict: 'unmet', facts: { last_good_snapshot_id: findId(second) } })
  await move(third)
  t.match(await find(), { verdict: 'met', facts: { last_good_snapshot_id: findId(third) } })
  t.strictSame(
    await listExpectationEvents(db),
    [1, 2, 3, 4].map((number) => `${number % 2 === 1 ? 'ExpectationUnmet' : 'ExpectationMet'} #${number} main`),
  )
  t.match((await listLines(db)).slice(0, 2), [
    `BREAKS its protection: acme/weather main: was reset: it no longer leads to ${findId(second)}; its head was committed`,
    `PROTECTED: acme/weather main: leads to ${findId(second)}; its head was committed`,
  ])
})

t.test('an expectation that is changed starts over with the head that is there', async (t) => {
  const { expect, change, find, names, findId, move } = await startDatasets(t)
  const [first, second] = names
  await move(second)
  const id = await expect(expectMain('protected', { settings: nobody }))
  await move(first)
  t.match(await find(), { verdict: 'unmet' })
  await change(id, { alias: 'releases' })
  t.match(await find(), { verdict: 'met', facts: { last_good_snapshot_id: findId(first), violations: [] } })
})

t.test('a commit by another author is told, and stays told under later commits', async (t) => {
  const { expect, find, db, names, findId, move } = await startDatasets(t)
  const [first, second, third] = names
  await expect(expectMain('protected', { settings: { ...nobody, authors: ['*@example.org'] } }))
  await move(second)
  await move(third)
  t.match(await find(), { verdict: 'unmet', facts: { last_good_snapshot_id: findId(first) } })
  t.match(await listLines(db), [`BREAKS its protection: acme/weather main: has a commit by unknown: ${findId(second)}`])
  await move(first)
  t.match(await find(), { verdict: 'met', facts: { violations: [] } })
})

t.test('allowed authors may commit', async (t) => {
  const { expect, find, names, findId, move } = await startDatasets(t)
  await expect(expectMain('protected', { settings: { ...nobody, authors: ['nobody', 'unkn*'] } }))
  await move(names[2])
  t.match(await find(), { verdict: 'met', facts: { last_good_snapshot_id: findId(names[2]) } })
})

t.test(
  'a branch that was deleted is told, and that it is back, whether its name or a pattern is expected',
  async (t) => {
    const { expect, list, check, point, remove, db } = await startSea(t)
    for (const branch of ['dev', 'd*']) await expect(expectMain('protected', { branch, settings: nobody }))
    t.match((await list())[0]?.state, { verdict: null, reason: 'No branch has the name dev' })
    await point('branch.dev', 's2')
    await check()
    await remove('branch.dev')
    await check()
    await check()
    t.match(await listLines(db), Array(2).fill('BREAKS its protection: acme/weather dev: was deleted'))
    await point('branch.dev', 's3')
    await check()
    for (const { state } of await list()) t.match(state, { verdict: 'met', facts: { violations: [] } })
    t.equal((await listExpectationEvents(db)).length, 4)
  },
)

t.test('a protected tag that was deleted is told until it is restored; other tags are free', async (t) => {
  const { expect, find, check, point, remove, db } = await startSea(t)
  await expect(expectMain('protected', { settings: { authors: null, tags: 's*' } }))
  t.match(await find(), { verdict: 'met', facts: { tags: ['s0', 's1', 's2', 's3', 's4'] } })
  await point('tag.other', 's1')
  await check()
  await remove('tag.other')
  await check()
  t.match(await find(), { verdict: 'met' })
  await remove('tag.s0')
  await check()
  t.match(await listLines(db), ['BREAKS its protection: acme/weather main: lost its tag s0; its head was committed'])
  await point('branch.main', 's3')
  await check()
  t.match(await find(), { verdict: 'unmet', facts: { violations: ['lost its tag s0'] } }, 'the branch moved forward')
  await point('tag.s0', 's0')
  await check()
  t.match(await find(), { verdict: 'met', facts: { violations: [] } })
})

t.test('other work runs while the authors of many commits are compared', async (t) => {
  const [id, checkedAt] = ['0000000000000000000G', new Date(0)]
  const commits = Array.from({ length: 1_000 }, () => ({
    id,
    metadata: new Map([['author_email', 'ada@example.org']]),
  }))
  const state = { readHistory: async () => ({ commits, next: null, untilFound: true, missing: null }) }
  const facts = { last_good_snapshot_id: '10000000000000000000', checked_at: null, violations: [], tags: null }
  // Only these parts are read.
  const toJudge = {
    expectation: { version: 1 },
    head: { snapshotId: id },
    state: { version: 1, facts },
    settings: { authors: ['jan@*'], tags: null },
    checkedAt,
  } as unknown as Parameters<typeof protection.judge>[0]
  const entry = { repository: { readState: async () => state } }
  const reading = { entry, signal: new AbortController().signal } as unknown as Reading
  const judge = protection.judge(toJudge)
  if (typeof judge !== 'function') throw new TypeError('the commits must be read')
  const turns = await countTurns(t, async () => t.match(await judge(reading), { verdict: 'unmet' }))
  t.ok(turns >= 100, `${turns} turns`)
})
