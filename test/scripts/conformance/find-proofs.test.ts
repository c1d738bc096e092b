import { fileURLToPath } from 'node:url'
import { t, type Test } from 'tap'
import { findProofs } from '../../../scripts/conformance/find-proofs.ts'
import { promiseSections } from '../../../scripts/conformance/promise-sections.ts'
import type { PromiseSection } from '../../../scripts/conformance/proven-promise.ts'

t.test('each promise has a test and a mutation of its own, both of something that exists', async (t) => {
  const { sections, faults } = await findProofs(fileURLToPath(new URL('../../../', import.meta.url)), promiseSections)
  t.strictSame(faults, [])
  const promises = sections.flatMap((section) => section.promises)
  t.ok(promises.length > 60, `${promises.length} promises`)
  t.equal(new Set(promises.map(({ promise }) => promise)).size, promises.length)
  for (const { mutation } of promises) t.not(mutation[1], mutation[2])
  t.equal(new Set(promises.map(({ mutation }) => mutation.join('\n'))).size, promises.length)
})

const promises: PromiseSection['promises'] = {
  'two is 2': ['two.ts', '= 2', '= 3'],
  'two is a number': ['two.ts', '= 2', "= '2'"],
}

/** Finds the proofs of these promises in a project of one source file and one test file. */
function find(t: Test, tests: readonly string[], shown = promises) {
  // No line of this file may look as if it proved a promise.
  const test = tests.join('\n').replaceAll('Shows:', 'Proves:')
  const root = t.testdir({ 'two.ts': 'export const two = 2\nconst four = two + two\n', test: { 'two.test.ts': test } })
  return findProofs(root, [{ title: 'Numbers', promises: shown }])
}

const sound = [
  '// Shows: two is 2',
  "t.test('it isn\\'t 3', async (t) => {",
  '  for (const kind of kinds) {',
  '    // Shows: two is a number',
  '    t.test(`it is a ${kind} (${count})`, async (t) => {',
]

t.test('a line above a test names the promise that it proves', async (t) => {
  const { sections, faults } = await find(t, sound)
  t.strictSame(faults, [])
  t.match(sections, [{ title: 'Numbers', promises: [{ promise: 'two is 2' }, { promise: 'two is a number' }] }])
  const tests = sections.flatMap((section) => section.promises.map(({ test }) => test))
  t.strictSame(tests, [
    ['two.test.ts', "it isn't 3"],
    ['two.test.ts', 'it is a … (…)'],
  ])
})

t.test('a test can prove several promises', async (t) => {
  const { sections, faults } = await find(t, [
    '// Shows: two is a number',
    '// Shows: two is 2',
    "test('it is 2', () => {",
  ])
  t.strictSame(faults, [])
  t.match(sections, [{ promises: [{ test: ['two.test.ts', 'it is 2'] }, { test: ['two.test.ts', 'it is 2'] }] }])
})

t.test('a promise without a test, or with two, is named', async (t) => {
  const twice = [
    '// Shows: two is 2',
    "t.test('it is 2', () => {",
    '// Shows: two is 2',
    "t.test('it is 2 again', () => {",
  ]
  t.strictSame((await find(t, twice)).faults, [
    'two is 2: test/two.test.ts proves it too; only one test may',
    'two is a number: no test has the line "// Proves: two is a number"',
  ])
})

t.test('a line that names no promise, or stands above no test, is named', async (t) => {
  const lines = [
    ...sound,
    '// Shows: two is even',
    "t.test('it is even', () => {",
    '// Shows: two is 2',
    '',
    '// later',
  ]
  t.strictSame((await find(t, lines)).faults, [
    'test/two.test.ts: "// Proves: two is 2" is not directly above a test',
    'test/two.test.ts: "// Proves: two is even" names no promise of scripts/conformance/promises/',
  ])
})

t.test('a mutation whose file is gone, or whose text is not once in it, is named', async (t) => {
  const shown: PromiseSection['promises'] = {
    'two is 2': ['2.ts', '= 2', '= 3'],
    'two is a number': ['two.ts', 'two', '2'],
  }
  t.strictSame((await find(t, sound, shown)).faults, [
    'two is 2: its mutation no longer fits: 2.ts does not exist',
    'two is a number: its mutation no longer fits: two occurs 3 times in two.ts, and must occur once',
  ])
  t.match((await find(t, sound, { ...promises, 'two is 2': ['two.ts', '2.0', '3.0'] })).faults, [
    'two is 2: its mutation no longer fits: 2.0 occurs 0 times in two.ts, and must occur once',
  ])
})
