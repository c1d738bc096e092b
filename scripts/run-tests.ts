// `npm test` runs all test files but `*.long.test.ts`. `npm run test:long` (`--long`) runs the files that take long by nature
// (`*.long.test.ts`), then the files with properties, which `npm test` runs too, but with a part of their cases.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { glob, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

const runner = fileURLToPath(new URL('../test/runner/run.ts', import.meta.url))

/** Runs test files, and returns the exit code of the run. */
async function runTests(files: readonly string[], variables: Readonly<Record<string, string>> = {}): Promise<number> {
  const child = spawn(process.execPath, [...process.execArgv, runner, ...files], {
    env: { ...process.env, ...variables },
    stdio: 'inherit',
  })
  const [code] = await once(child, 'close')
  return typeof code === 'number' ? code : 1
}

async function listPropertyFiles(): Promise<string[]> {
  const files = await Array.fromAsync(glob('test/**/!(*.long).test.ts'))
  const texts = await Promise.all(files.map((file) => readFile(file, 'utf8')))
  return files.filter((_, index) => texts[index]?.includes('propertyRuns('))
}

async function runLongTests(): Promise<number> {
  console.log('Tests that take long:\n')
  const code = await runTests(['test/**/*.long.test.ts'], { FLOE_TEST_FULL: '1' })
  console.log('\nTests of properties once more, with all cases:\n')
  return (await runTests(await listPropertyFiles(), { FLOE_TEST_FULL: '1' })) || code
}

process.exitCode = process.argv.includes('--long')
  ? await runLongTests()
  : await runTests(['test/**/!(*.long).test.ts'])
