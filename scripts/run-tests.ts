// `npm test` runs tap over the files that .taprc includes. `npm run test:long` (`--long`) runs it twice: over the files that take long by
// nature (`*.long.test.ts`), then over the files with properties, which `npm test` runs too, but with a part of their cases.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { glob, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

/** Runs tap and returns its exit code. Without files, tap runs those that .taprc includes. */
async function runTap(
  files: readonly string[] = [],
  variables: Readonly<Record<string, string>> = {},
): Promise<number> {
  const child = spawn('tap', files, {
    env: {
      ...process.env,
      // Each file is a process of its own that loads the same modules. Node keys its cache by their content.
      NODE_COMPILE_CACHE: fileURLToPath(new URL('../node_modules/.cache/compiled', import.meta.url)),
      ...variables,
    },
    stdio: 'inherit',
    shell: process.platform === 'win32',
  })
  const [code] = await once(child, 'close')
  return typeof code === 'number' ? code : 1
}

async function listFiles(pattern: string): Promise<string[]> {
  const files: string[] = []
  for await (const file of glob(pattern)) files.push(file)
  return files.toSorted()
}

async function listPropertyFiles(): Promise<string[]> {
  const files = await listFiles('test/**/!(*.long).test.ts')
  const texts = await Promise.all(files.map((file) => readFile(file, 'utf8')))
  return files.filter((_, index) => texts[index]?.includes('propertyRuns('))
}

async function runLongTests(): Promise<number> {
  console.log('Tests that take long:\n')
  const code = await runTap(await listFiles('test/**/*.long.test.ts'), { FLOE_TEST_FULL: '1' })
  console.log('\nTests of properties once more, with all cases:\n')
  return (await runTap(await listPropertyFiles(), { FLOE_TEST_FULL: '1' })) || code
}

process.exitCode = process.argv.includes('--long') ? await runLongTests() : await runTap()
