// Requests to receivers through tinyproxy.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { t, type Test } from 'tap'
import { findFreePort } from '../../../../scripts/free-port.ts'
import { parseProxy } from '../../../../server/notifications/receivers/receiver-proxy.ts'
import { waitUntil } from '../../wait-until.ts'
import { openTestPoster, startReceiver, writePost } from '../start-receiver.ts'

const program = process.env['FLOE_TEST_TINYPROXY'] ?? 'tinyproxy'
const skip = spawnSync(program, ['-v']).error ? 'tinyproxy is not installed; FLOE_TEST_TINYPROXY can name it' : false

async function startTinyproxy(t: Test) {
  const port = await findFreePort()
  const file = join(t.testdir(), 'tinyproxy.conf')
  const settings = [`Port ${port}`, 'Listen 127.0.0.1', 'Allow 127.0.0.1', 'Timeout 60', 'BasicAuth floe pass-word']
  await writeFile(file, `${settings.join('\n')}\n`)
  const child = spawn(program, ['-d', '-c', file], { stdio: 'ignore' })
  t.teardown(() => child.kill('SIGKILL'))
  await waitUntil(() => accepts(port))
  return { port, child }
}

async function accepts(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}

t.test('tinyproxy leads to receivers, by name and by address, for those who have its password', { skip }, async (t) => {
  const { port: proxyPort, child } = await startTinyproxy(t)
  const remotes = new Set<unknown>()
  const port = await startReceiver(t, ({ socket }, response) => {
    remotes.add(socket.remotePort)
    response.end('thanks')
  })
  const poster = openTestPoster(t, { proxy: parseProxy(`http://floe:pass-word@127.0.0.1:${proxyPort}`) })
  const receiver = `https://localhost:${port}/`
  for (let n = 0; n < 5; n++) {
    t.equal((await poster.post(writePost(receiver))).status, 200)
    await nextTurn()
  }
  t.equal(remotes.size, 1, 'over one connection')
  t.equal((await poster.post(writePost(`https://127.0.0.1:${port}/`))).start.toString(), 'thanks')
  const wrong = openTestPoster(t, { proxy: parseProxy(`http://floe:wrong@127.0.0.1:${proxyPort}`) })
  await t.rejects(wrong.post(writePost(receiver)), { name: 'PostError', message: /^the proxy of Floe answered 40[17]/ })
  await t.rejects(poster.post(writePost('https://127.0.0.1:1/')), {
    name: 'PostError',
    message: /^the proxy of Floe answered 50\d when it was asked for a connection to 127\.0\.0\.1 on port 1$/,
  })
  child.kill('SIGKILL')
  await once(child, 'exit')
  await t.rejects(poster.post(writePost(receiver)), { name: 'PostError' })
})
