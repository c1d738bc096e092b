import type { RequestListener } from 'node:http'
import { t } from 'tap'
import { testOnEngines } from '../../../../storage/records/database/engines.ts'
import { waitUntil } from '../../../wait-until.ts'
import { startReceiver, startTcpReceiver } from '../../start-receiver.ts'
import { addDeliveries } from './open-deliveries.ts'
import { openSender } from './open-sender.ts'

const test = await testOnEngines(t)

/** Makes webhooks with these ports, one after the other. */
function spread(count: number, ports: readonly number[]): Record<string, string> {
  const urls = Array.from({ length: count }, (_, index) => `https://127.0.0.1:${ports[index % ports.length]}/${index}`)
  return Object.fromEntries(urls.map((url, index) => [`hook-${index}`, url]))
}

test('4,000 receivers that hang do not delay those of another organisation', async (t, { db }) => {
  let hanging = 0
  const startAll = (count: number, start: () => Promise<number>) => Promise.all(Array.from({ length: count }, start))
  // They accept connections and say nothing. A handshake of TLS in each would mostly measure the processor.
  const silent = await startAll(250, () => startTcpReceiver(t, () => (hanging += 1)))
  let missing = 0
  const receive: RequestListener = (_request, response) => {
    missing -= 1
    response.writeHead(204).end()
  }
  const quick = await startAll(5, () => startReceiver(t, receive))
  const limits = new Set<() => void>()
  const after = (_ms: number, callback: () => void) => {
    limits.add(callback)
    return () => void limits.delete(callback)
  }
  const { deliverer, stop } = openSender(t, db, { timing: { after } })
  const [acme, globex] = [await addDeliveries(db, 'acme'), await addDeliveries(db, 'globex')]
  await acme.declare(spread(4_000, silent))
  await globex.declare(spread(20, quick))
  deliverer.start()
  await acme.moveHead()
  for (let round = 1; round <= 3; round++) {
    deliverer.wake()
    await waitUntil(() => hanging >= round * 256)
    // Receivers that hang keep their places until the test ends their time limit.
    missing = 20
    await globex.moveHead()
    deliverer.wake()
    await waitUntil(() => missing === 0)
    t.ok(limits.size >= 256, `${limits.size} hang`)
    for (const end of limits) end()
  }
  await stop()
})
