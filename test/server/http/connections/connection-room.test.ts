import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { connect } from 'node:net'
import { t, type Test } from 'tap'
import { findConnectionRoom } from '../../../../server/http/connections/connection-room.ts'
import { program } from '../../main/commands/floe-process.ts'

const limits = (files: string) =>
  `Limit   Soft Limit   Hard Limit   Units\nMax open files   ${files}   1048576   files\n`

t.test('callers get the open files that nothing else needs, and a quarter at least', async (t) => {
  t.equal(findConnectionRoom(limits('1048576')), 1_047_976)
  t.equal(findConnectionRoom(limits('1024')), 424)
  t.equal(findConnectionRoom(limits('128')), 32)
  t.equal(findConnectionRoom(limits('unlimited')), Infinity)
  t.equal(findConnectionRoom('something else'), Infinity)
})

/** Whether a new connection gets an answer; otherwise it is closed. */
async function isServed(t: Test, port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1').on('error', () => {})
  t.teardown(() => socket.destroy())
  socket.write('GET /healthz HTTP/1.1\r\nhost: floe.test\r\n\r\n')
  const { promise, resolve } = Promise.withResolvers<boolean>()
  socket.once('data', () => resolve(true)).once('close', () => resolve(false))
  return promise
}

const noLimits = !existsSync('/proc/self/limits') && 'the system does not show limits'

t.test('callers cannot take all files that a process may open', { skip: noLimits }, async (t) => {
  const service = ['serve', '--org', 'acme', '--deployment', 'tiles', '--port', '0', '--database', 'sqlite::memory:']
  const shell = ['-c', 'ulimit -n 128 && exec "$@"', 'sh', process.execPath, '--conditions=@floe/source']
  const child = spawn('sh', [...shell, program, ...service], { cwd: t.testdir(), stdio: ['ignore', 'pipe', 'pipe'] })
  t.teardown(() => child.kill('SIGKILL'))
  const port = Number(/\d+\s*$/.exec(String((await once(child.stdout, 'data'))[0]))?.[0])
  const served = await Promise.all(Array.from({ length: 150 }, () => isServed(t, port)))
  t.equal(served.filter(Boolean).length, 32)
  const [logged] = await once(child.stderr, 'data')
  t.match(String(logged), /"connections":32,.*the system limits open files/)
})
