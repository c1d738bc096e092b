// `npm run crash`, short, so that the program still runs when somebody wants to know.
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { t } from 'tap'

const program = fileURLToPath(new URL('../../../scripts/crash/crash.ts', import.meta.url))

t.test('receivers, callers and the index lose nothing when processes are killed', async (t) => {
  const args = ['--conditions=@floe/source', program, '--kills', '4', '--seed', '1']
  const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: 590_000 })
  t.match(stdout, /callers got [1-9]\d* moves each/)
  t.match(stdout, /[1-9]\d* facts of the index compared/)
  t.match(stdout, /4 kills, [1-9]\d* events\n[1-9]\d* deliveries/)
  t.match(stdout, /^0 faults$/m)
})
