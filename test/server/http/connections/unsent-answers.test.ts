import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { t, type Test } from 'tap'
import { UnsentAnswers } from '../../../../server/http/connections/unsent-answers.ts'
import { startLoopback } from '../../../storage/repositories/objects/loopback-server.ts'

/** Sends a request, and returns the response that the server could write. */
async function receive(t: Test): Promise<ServerResponse> {
  const { promise, resolve } = Promise.withResolvers<ServerResponse>()
  const { origin } = await startLoopback(t, (_request, response) => resolve(response))
  fetch(origin).catch(() => {})
  return promise
}

t.test('an answer whose caller has left takes no room', async (t) => {
  const unsent = new UnsentAnswers({ unsentBytes: 150_000, unsentBytesPerAddress: 150_000 }, () => 0)
  const caller = { ip: '127.0.0.1' }
  const left = await receive(t)
  left.socket?.destroy()
  await once(left, 'close')
  unsent.count(caller, left, 100_000, () => 100_000)
  t.ok(unsent.makeRoom(caller, 100_000))
  const waits = await receive(t)
  unsent.count(caller, waits, 100_000, () => 100_000)
  t.notOk(unsent.makeRoom(caller, 100_000))
  waits.socket?.destroy()
  await once(waits, 'close')
  t.ok(unsent.makeRoom(caller, 100_000))
})
