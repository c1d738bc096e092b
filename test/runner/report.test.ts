import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { t } from '#tap'

const runner = fileURLToPath(new URL('run.ts', import.meta.url))

/** Runs test files as `npm test` does, in a directory of their own. */
async function runTests(directory: string, files: readonly string[]): Promise<{ code: unknown; printed: string }> {
  // What tap tells its test files about itself.
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('TAP')))
  const args = [...process.execArgv, runner, ...files]
  return new Promise((resolve) => {
    execFile(process.execPath, args, { cwd: directory, env, timeout: 60_000 }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : error.code, printed: `${stdout}${stderr}` })
    })
  })
}

function writeTestFile(...lines: readonly string[]): string {
  return ["import { t } from '#tap'", ...lines].join('\n')
}

t.test('passed files have one line each, skipped tests their reasons, and the counts are true', async (t) => {
  const directory = t.testdir({
    'pass.mjs': writeTestFile('t.test("a story", async (t) => { t.ok(true, "inner"); t.equal(1, 1) })'),
    'skip.mjs': writeTestFile('t.test("a server", { skip: "no server answers" }, () => {})', 't.pass()'),
  })
  const { code, printed } = await runTests(directory, ['*.mjs'])
  t.equal(code, 0)
  t.match(printed, /^ok +[\d.]+ s {2}pass\.mjs$/m)
  t.match(printed, /^ok +[\d.]+ s {2}skip\.mjs\n +skipped: a server: no server answers$/m)
  t.match(printed, /^3 passed, 0 failed, 1 skipped in [\d.]+ s$/m)
  t.notMatch(printed, /inner|a story/)
})

t.test('a failure is printed in full, below the names of its tests, and its file again at the end', async (t) => {
  const directory = t.testdir({
    'fail.mjs': writeTestFile(
      't.test("a good story", async (t) => { t.ok(true, "quiet") })',
      't.test("a bad story", async (t) => { t.test("its part", async (t) => { t.ok(true, "quiet"); t.equal(1, 2, "sums") }) })',
    ),
    'throw.mjs': writeTestFile('console.log("just before")', 'throw new Error("out of order")'),
  })
  const { code, printed } = await runTests(directory, ['fail.mjs', 'throw.mjs'])
  t.equal(code, 1)
  t.match(printed, /# Subtest: a bad story\n +# Subtest: its part\n +not ok 2 - sums\n +---\n[^]*-2\n +\+1\n/)
  t.match(printed, /just before\n[^]*out of order/)
  t.match(printed, /\nFailed:\n {2}fail\.mjs\n {2}throw\.mjs\n/)
  t.match(printed, /\n2 passed, 2 failed in [\d.]+ s\n/)
  t.notMatch(printed, /^ *(ok \d|# Subtest: a good story)/m)
})

t.test('a test may wait for nothing but a time limit', async (t) => {
  const wait = '() => new Promise((resolve) => AbortSignal.timeout(20).addEventListener("abort", resolve))'
  const directory = t.testdir({
    'waits.mjs': writeTestFile(
      `t.test("one", ${wait})`,
      `t.test("another", async (t) => { t.test("its part", ${wait}) })`,
    ),
  })
  const { code, printed } = await runTests(directory, ['waits.mjs'])
  t.equal(code, 0, printed)
})

t.test('a file that hangs, ends early, is killed or cannot be loaded has failed', async (t) => {
  const directory = t.testdir({
    'a-hangs.mjs': writeTestFile(
      't.setTimeout(300)',
      't.test("waits for ever", () => new Promise(() => { setInterval(() => {}, 1000) }))',
    ),
    'b-ends-early.mjs': writeTestFile('t.test("is under way", async () => { process.exit(0) })'),
    'c-is-killed.mjs': writeTestFile('t.pass()', 'process.kill(process.pid, "SIGKILL")'),
    'd-does-not-load.mjs': writeTestFile('import "./missing.mjs"'),
    'e-exits.mjs': writeTestFile('t.pass()', 'process.exit(3)'),
    'f-passes.mjs': writeTestFile('t.pass()'),
  })
  const { code, printed } = await runTests(directory, ['*.mjs'])
  t.equal(code, 1)
  t.match(printed, /^FAILED +[\d.]+ s {2}a-hangs\.mjs\n[^]*timeout!/m)
  t.match(printed, /^FAILED +[\d.]+ s {2}b-ends-early\.mjs\n/m)
  t.match(printed, /^FAILED +[\d.]+ s {2}c-is-killed\.mjs\n[^]*SIGKILL/m)
  t.match(printed, /^FAILED +[\d.]+ s {2}d-does-not-load\.mjs\n/m)
  t.match(printed, /^FAILED +[\d.]+ s {2}e-exits\.mjs\n[^]*exitCode: 3/m)
  t.match(printed, /^ok +[\d.]+ s {2}f-passes\.mjs$/m)
})

t.test('a name that matches no file is an error', async (t) => {
  const { code, printed } = await runTests(t.testdir({ 'pass.mjs': writeTestFile('t.pass()') }), [
    'pass.mjs',
    'nope.mjs',
  ])
  t.equal(code, 1)
  t.equal(printed, 'no file matches nope.mjs\n')
})
