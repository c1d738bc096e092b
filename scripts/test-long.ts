// `npm run test:long`: the files that take long by nature (`*.long.test.ts`), and those whose properties try a part of their
// cases in `npm test`, with all cases.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { glob, readFile } from 'node:fs/promises'

const files: string[] = []
for await (const file of glob('test/**/*.test.ts')) {
  const isLong = file.endsWith('.long.test.ts') || (await readFile(file, 'utf8')).includes('propertyRuns(')
  if (isLong) files.push(file)
}

const child = spawn('tap', files.toSorted(), {
  env: { ...process.env, FLOE_TEST_FULL: '1' },
  stdio: 'inherit',
  shell: process.platform === 'win32',
})
const [code] = await once(child, 'close')
process.exitCode = typeof code === 'number' ? code : 1
