// The log of a process whose standard error fails.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, openSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { t, type Test } from 'tap'
import { program } from '../main/commands/floe-process.ts'

const full = '/dev/full'

const noDevice = !existsSync(full) && 'the system has no device that is always full'

/** Starts a service that logs each request. */
async function start(t: Test, stderr: number | 'pipe') {
  const locations = ['--org', 'acme', '--deployment', 'tiles', '--port', '0', '--database', 'sqlite::memory:']
  const child: ChildProcess = spawn(process.execPath, ['--conditions=@floe/source', program, 'serve', ...locations], {
    cwd: t.testdir(),
    env: { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE, FLOE_LOG_LEVEL: 'debug' },
    stdio: ['ignore', 'pipe', stderr],
  })
  t.teardown(() => child.kill('SIGKILL'))
  const [line] = await once(child.stdout ?? child, 'data')
  const origin = String(line).replace('listening on', '').trim()
  const ask = async (requests: number) => {
    const statuses = new Set<number>()
    for (let request = 0; request < requests; request++) {
      const answer = await fetch(`${origin}/healthz`)
      await answer.arrayBuffer()
      statuses.add(answer.status)
    }
    t.strictSame([...statuses], [200])
  }
  const stop = async () => {
    child.kill('SIGTERM')
    t.strictSame(await once(child, 'exit'), [0, null])
  }
  return { child, ask, stop }
}

t.test('a full disk of the log neither ends the service nor keeps it', { skip: noDevice }, async (t) => {
  const { ask, stop } = await start(t, openSync(full, 'w'))
  await ask(50)
  await stop()
})

t.test('neither does a pipe that nobody reads', async (t) => {
  const { ask, stop } = await start(t, 'pipe')
  // More than the pipe holds.
  await ask(2_000)
  await stop()
})

t.test('neither does a pipe whose reader has left', async (t) => {
  const { child, ask, stop } = await start(t, 'pipe')
  child.stderr?.destroy()
  await ask(50)
  await stop()
})

t.test('the last lines are written before the process ends', async (t) => {
  const { child, ask, stop } = await start(t, 'pipe')
  await ask(20)
  if (child.stderr === null) throw new TypeError('the log is no pipe')
  const [log] = await Promise.all([text(child.stderr), stop()])
  t.equal(log.split('\n').filter((line) => line.includes('"msg":"request"')).length, 20)
})
