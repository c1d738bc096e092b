// `npm run crash -- search`, short, so that the program still runs when somebody wants to know.
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { t } from 'tap'

const program = fileURLToPath(new URL('../../../scripts/crash/search.ts', import.meta.url))

t.test('an index whose service was killed says what a new one says', async (t) => {
  const args = ['--conditions=@floe/source', program, '--seconds', '15', '--seed', '1']
  const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: 250_000 })
  t.match(stdout, /[1-9]\d* kills/)
  t.match(stdout, /[1-9]\d* facts compared, 0 faults/)
})
