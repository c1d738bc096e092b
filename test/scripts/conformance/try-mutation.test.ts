import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { t, type Test } from 'tap'
import { tryMutation } from '../../../scripts/conformance/try-mutation.ts'

const source = 'export const two = 2\n'

/** Makes copies of a project of one file, and tries a mutation of it. */
async function tryOn(
  t: Test,
  lines: readonly string[],
  title: string,
  text: string,
  replacement: string,
  allowanceMs?: number,
) {
  const file = ["import { t } from 'tap'", "import { two } from '../two.mjs'", ...lines].join('\n')
  const makeProject = () => ({ 'two.mjs': source, test: { 'two.test.mjs': file } })
  const directory = t.testdir({ sound: makeProject(), mutant: makeProject() })
  const copies = { sound: join(directory, 'sound'), mutant: join(directory, 'mutant') }
  const promise = {
    promise: 'two is 2',
    test: ['two.test.mjs', title],
    mutation: ['two.mjs', text, replacement],
  } as const
  const verdict = await tryMutation(promise, copies, new AbortController().signal, allowanceMs)
  t.equal(await readFile(join(copies.mutant, 'two.mjs'), 'utf8'), source, 'the mutation is undone')
  return verdict
}

const isTwo = "t.test('it is 2 (really?)', async (t) => { t.equal(two, 2) })"
const isNumber = "t.test('it is a number', async (t) => { t.type(two, 'number') })"

t.test('a mutant is killed when the named test fails', async (t) => {
  t.match(await tryOn(t, [isNumber, isTwo], 'it is 2 (really?)', '= 2', '= 3'), { kind: 'killed' })
})

t.test('a test that passes with the mutation does not prove its promise, whatever other tests do', async (t) => {
  const verdict = await tryOn(t, [isNumber, isTwo], 'it is a number', '= 2', '= 3')
  t.match(verdict, { kind: 'unproven', explanation: /^the test passes with "= 3" in two\.mjs/ })
})

t.test('a mutant that cannot be loaded is not killed', async (t) => {
  const verdict = await tryOn(t, [isTwo], 'it is 2 (really?)', '= 2', '= ')
  t.match(verdict, { kind: 'unproven', explanation: /^with the mutation, the test did not run:\n[^]*SyntaxError/ })
})

t.test('a mutant is killed when the named test passes without the mutation and hangs with it', async (t) => {
  const endless = "t.test('it ends', async () => { while (two !== 2); })"
  t.match(await tryOn(t, [endless], 'it ends', '= 2', '= 3', 0), { kind: 'killed', explanation: /hangs/ })
  const failing = "t.test('it ends', async (t) => { t.equal(two, 3); while (two !== 2); })"
  t.match(await tryOn(t, [failing], 'it ends', '= 2', '= 3'), {
    kind: 'unproven',
    explanation: /^without the mutation/,
  })
})

t.test('of tests that are made in a loop, one must fail', async (t) => {
  const loop = 'for (const n of [1, 2]) t.test(`SQLite: above ${n - 1}?`, async (t) => { t.ok(two >= n) })'
  t.match(await tryOn(t, [isNumber, loop], 'above …?', '= 2', '= 1'), { kind: 'killed' })
  t.match(await tryOn(t, [isNumber, loop], 'above …?', '= 2', '= 3'), { kind: 'unproven', explanation: /passes/ })
})

t.test('of tests that are made in a loop, one may pass before another hangs', async (t) => {
  const loop = 'for (const n of [1, 2]) t.test(`ends ${n}`, async () => { while (n === 2 && two === 3); })'
  t.match(await tryOn(t, [loop], 'ends …', '= 2', '= 9'), { kind: 'unproven', explanation: /passes/ })
  t.match(await tryOn(t, [loop], 'ends …', '= 2', '= 3', 0), { kind: 'killed', explanation: /hangs/ })
})

t.test('of tests that are made in a loop, one must run', async (t) => {
  const loop = (...skips: readonly boolean[]) =>
    `for (const skip of [${skips.join()}]) t.test(\`is 2 (\${skip})\`, { skip }, async (t) => { t.equal(two, 2) })`
  t.match(await tryOn(t, [loop(true, false)], 'is 2 (…)', '= 2', '= 3'), { kind: 'killed' })
  t.match(await tryOn(t, [loop(true, true)], 'is 2 (…)', '= 2', '= 3'), { kind: 'skipped' })
})
