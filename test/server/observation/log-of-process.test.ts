// The log of a process whose standard error fails.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, openSync } from 'node:fs'
import { t } from 'tap'
import { program } from '../commands/floe-process.ts'

const full = '/dev/full'

const noDevice = !existsSync(full) && 'the system has no device that is always full'

t.test('a full disk of the log neither ends the service nor keeps it', { skip: noDevice }, async (t) => {
  const locations = ['--org', 'acme', '--deployment', 'tiles', '--port', '0', '--database', 'sqlite::memory:']
  const child = spawn(process.execPath, ['--conditions=@floe/source', program, 'serve', ...locations], {
    cwd: t.testdir(),
    env: { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE, FLOE_LOG_LEVEL: 'info' },
    stdio: ['ignore', 'pipe', openSync(full, 'w')],
  })
  t.teardown(() => child.kill('SIGKILL'))
  const [line] = await once(child.stdout ?? child, 'data')
  const origin = String(line).replace('listening on', '').trim()
  // Each has a line; 20 fill what is written together.
  for (let request = 0; request < 50; request++) {
    const answer = await fetch(`${origin}/v1/schemas/notification.json`)
    t.equal((await answer.arrayBuffer()).byteLength > 0 && answer.status, 200)
  }
  child.kill('SIGTERM')
  t.strictSame(await once(child, 'exit'), [0, null])
})
