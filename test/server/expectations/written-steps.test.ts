// A day of an archive of forecast runs, which official Icechunk wrote, and what people on duty are told of it.
import { t, type Test } from 'tap'
import { openMovableRefs } from '../notifications/movable-refs.ts'
import { expectMain, listLines, startJudging, wholeArrays } from './start-judging.ts'

const wholeRuns = { ...wholeArrays, along: 'init_time', except_last: 1 }

/** An archive whose `main` a test moves from commit to commit. */
async function startArchive(t: Test, first = 'begin') {
  const { source, point } = await openMovableRefs(t, { history: 'forecast-runs', first })
  const judging = await startJudging(t, source.store.below('sea/'))
  const move = async (to: string) => {
    await point('branch.main', to)
    await judging.check()
  }
  return { ...judging, move }
}

// Proves: with `along`, a step that lacks chunks is told once, and once more when it has them
// Proves: the last steps are not judged while a writer may still add to them
// Proves: known gaps are not told
t.test('of a day of runs, each lost or partial one is told, and when it has come', async (t) => {
  const { expect, change, move, find, db } = await startArchive(t)
  const told: string[][] = []
  let lines = 0
  const listNew = async () => {
    const all = await listLines(db)
    told.push(all.slice(lines).map((line) => line.replace(/, (by|in) .* UTC$/, '')))
    lines = all.length
  }
  const id = await expect(expectMain('written', { settings: wholeRuns }))
  await listNew()
  for (const commit of [
    '3-partial',
    '4-while-3-is-partial',
    '3-repaired',
    '6-while-5-is-late',
    '5-came-late',
    '8-without-7',
    '9',
    '10',
  ]) {
    await move(commit)
    await listNew()
  }
  await change(id, { settings: { accepted: [{ first: 7, last: 7, note: 'the model did not run' }] } })
  await listNew()
  t.strictSame(told, [
    [],
    // The last run may still be written.
    [],
    [
      'INCOMPLETE: acme/weather main: rain lacks init_time 3 of 5 (1 of 4 chunks); temperature lacks init_time 3 of 5 (2 of 5 chunks)',
    ],
    ['COMPLETE: acme/weather main: what was missing is written'],
    [
      'INCOMPLETE: acme/weather main: rain lacks init_time 5 of 7 (0 of 4 chunks); temperature lacks init_time 5 of 7 (0 of 5 chunks)',
    ],
    ['COMPLETE: acme/weather main: what was missing is written'],
    [
      'INCOMPLETE: acme/weather main: rain lacks init_time 7 of 9 (0 of 4 chunks); temperature lacks init_time 7 of 9 (0 of 5 chunks)',
    ],
    [],
    [],
    ['COMPLETE: acme/weather main: what was missing is written'],
  ])
  t.match(await find(), { verdict: 'met', reason: null, facts: { arrays: [], gaps: [], incomplete_ranges: 0 } })
})

t.test('the facts name the ranges of steps, and the counts of the arrays', async (t) => {
  const { expect, find } = await startArchive(t, '10')
  await expect(expectMain('written', { settings: { ...wholeRuns, path: 'temp*' } }))
  t.match(await find(), {
    verdict: 'unmet',
    facts: {
      arrays: [{ path: 'temperature', chunks: { written: 50, total: 200 } }],
      incomplete_arrays: 1,
      gaps: [{ path: 'temperature', along: 'init_time', first: 7, last: 7, written: 0, total: 5, of: 11 }],
      incomplete_ranges: 1,
    },
  })
})

t.test('a slice that is listed as empty by design does not count when somebody writes a chunk of it', async (t) => {
  const { expect, change, move, find, db } = await startArchive(t, '10')
  const accepted = [{ first: 7, last: 7, note: 'the model did not run' }]
  const id = await expect(expectMain('written', { settings: { ...wholeRuns, path: 'rain', accepted } }))
  t.match(await find(), { verdict: 'met' })
  await move('analysis-rain')
  const [line] = await listLines(db)
  t.match(line, 'INCOMPLETE: acme/weather main (rain): rain lacks init_time 0 to 6 of 11 (4 of 5 chunks each); ')
  t.match(line, 'rain lacks init_time 8 to 9 of 11 (4 of 5 chunks each), in "')
  await change(id, { settings: { ignore: [{ dimension: 'lead_time', first: 0, last: 0 }] } })
  t.match(await find(), { verdict: 'met' })
})

t.test('a share is of each step', async (t) => {
  const { expect, change, find } = await startArchive(t, '4-while-3-is-partial')
  const id = await expect(expectMain('written', { settings: { ...wholeRuns, path: 'temperature', share: 0.4 } }))
  t.match(await find(), { verdict: 'met' })
  await change(id, { settings: { share: 0.5 } })
  t.match(await find(), { verdict: 'unmet', facts: { gaps: [{ first: 3, written: 2, total: 5 }] } })
})

t.test('a dimension that no array has is told, because it is a mistake', async (t) => {
  const { expect, find, db } = await startArchive(t)
  await expect(expectMain('written', { settings: { ...wholeRuns, along: 'init' } }))
  const reason = 'No array has the dimension init'
  t.match(await find(), { verdict: 'unmet', reason })
  t.match((await listLines(db))[0], `INCOMPLETE: acme/weather main: ${reason}, `)
})
