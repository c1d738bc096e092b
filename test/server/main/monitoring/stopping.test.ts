// What callers get during a stop, on connections that were in use when it began.
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { contentTypes } from '@floe/contract'
import { t } from 'tap'
import { startServer } from '../../start-server.ts'

t.test('during a stop, requests get a problem, and health checks their reasons', async (t) => {
  const { origin, publicMeta, http, close } = await startServer(t)
  const begin = async (path: string) => {
    const accepted: Promise<Socket[]> = once(http, 'connection')
    const socket = connect(Number(new URL(origin).port), '127.0.0.1')
    const answer = text(socket)
    const [served] = await accepted
    // A stop closes connections that have not been used.
    const isUsed = () => served !== undefined && served.bytesRead > 0
    socket.write(`GET ${path} HTTP/1.1\r\nHost: floe.example.org\r\n`)
    while (!isUsed()) await nextTurn()
    return { end: () => socket.write('\r\n'), answer }
  }
  const requests = [
    await begin(`${new URL(publicMeta).pathname}/discovery`),
    await begin('/readyz'),
    await begin('/healthz'),
  ]
  const closed = close()
  while (http.listening) await nextTurn()
  for (const { end } of requests) end()
  const [refused = '', unready = '', live = ''] = await Promise.all(requests.map(({ answer }) => answer))
  t.match(refused, /^HTTP\/1\.1 503 /)
  t.match(refused, `content-type: ${contentTypes.problem}`)
  t.match(refused, '"detail":"The service is stopping"')
  t.match(unready, /^HTTP\/1\.1 503 /)
  t.match(unready, /"detail":"The service is stopping/)
  t.match(live, /^HTTP\/1\.1 200 /)
  for (const answer of [refused, unready, live]) t.match(answer, /^connection: close$/im)
  await closed
})
