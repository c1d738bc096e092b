import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'

const root = fileURLToPath(new URL('../../', import.meta.url))
const tap = join(root, 'node_modules/tap/dist/esm/run.mjs')

/** Runs test files as `npm test` does, in a directory of their own. */
async function runTests(directory: string, files: readonly string[]): Promise<{ code: unknown; printed: string }> {
  // What tap tells its test files about itself.
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^_?TAP/.test(name)))
  const reporter = `--reporter=${join(root, 'test/runner/report.ts')}`
  const args = [tap, reporter, '--type-strip-only', '--disable-coverage', ...files]
  return new Promise((resolve) => {
    execFile(process.execPath, args, { cwd: directory, env, timeout: 60_000 }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : error.code, printed: `${stdout}${stderr}` })
    })
  })
}

function writeTestFile(...lines: readonly string[]): string {
  return ["import t from 'tap'", ...lines].join('\n')
}

t.test('passed files have one line each, skipped tests their reasons, and the counts are true', async (t) => {
  const directory = t.testdir({
    'package.json': '{}',
    'pass.mjs': writeTestFile('t.test("a story", async (t) => { t.ok(true, "inner"); t.equal(1, 1) })'),
    'skip.mjs': writeTestFile('t.test("a server", { skip: "no server answers" }, () => {})', 't.pass()'),
  })
  const { code, printed } = await runTests(directory, ['pass.mjs', 'skip.mjs'])
  t.equal(code, 0)
  t.match(printed, /^ok +[\d.]+ s {2}pass\.mjs$/m)
  t.match(printed, /^ok +[\d.]+ s {2}skip\.mjs\n +skipped: a server: no server answers$/m)
  t.match(printed, /^3 passed, 0 failed, 1 skipped in [\d.]+ s$/m)
  t.notMatch(printed, /inner|a story/)
})

t.test('a failure is printed in full, below the names of its tests, and its file again at the end', async (t) => {
  const directory = t.testdir({
    'package.json': '{}',
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
