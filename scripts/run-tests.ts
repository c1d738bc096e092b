// Runs tap over the files of `npm test`; with `--long`, over those of `npm run test:long`: the files that take long by nature
// (`*.long.test.ts`), and those whose properties try a part of their cases in `npm test`, with all cases.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { glob, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

async function findLongTests(): Promise<string[]> {
  const files: string[] = []
  for await (const file of glob('test/**/*.test.ts')) {
    const isLong = file.endsWith('.long.test.ts') || (await readFile(file, 'utf8')).includes('propertyRuns(')
    if (isLong) files.push(file)
  }
  return files.toSorted()
}

const isLongRun = process.argv.includes('--long')
// Without files, tap takes those that .taprc includes.
const child = spawn('tap', isLongRun ? await findLongTests() : [], {
  env: {
    ...process.env,
    // Each file is a process of its own that loads the same modules. Node keys its cache by their content.
    NODE_COMPILE_CACHE: fileURLToPath(new URL('../node_modules/.cache/compiled', import.meta.url)),
    ...(isLongRun ? { FLOE_TEST_FULL: '1' } : {}),
  },
  stdio: 'inherit',
  shell: process.platform === 'win32',
})
const [code] = await once(child, 'close')
process.exitCode = typeof code === 'number' ? code : 1
