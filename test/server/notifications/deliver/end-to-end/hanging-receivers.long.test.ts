import type { RequestListener } from 'node:http'
import { t } from 'tap'
import { testOnEngines } from '../../../../storage/records/database/engines.ts'
import { waitUntil } from '../../../wait-until.ts'
import { startReceiver, startTcpReceiver } from '../../start-receiver.ts'
import { addDeliveries } from './open-deliveries.ts'
import { openSender } from './open-sender.ts'

const test = await testOnEngines(t)

/** How long an attempt waits for a receiver. */
const limitMs = 5_000

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
  let [movedMs, missing] = [0, 0]
  let waits: number[] = []
  const receive: RequestListener = (_request, response) => {
    waits.push(performance.now() - movedMs)
    missing -= 1
    response.writeHead(204).end()
  }
  const quick = await startAll(5, () => startReceiver(t, receive))
  const { deliverer, stop } = openSender(t, db, { limitMs })
  const [acme, globex] = [await addDeliveries(db, 'acme'), await addDeliveries(db, 'globex')]
  await acme.declare(spread(4_000, silent))
  await globex.declare(spread(20, quick))
  deliverer.start()
  /**
   * Moves the head of `globex` until `isOver`. Returns how long its deliveries took, from before the commit, in
   * milliseconds.
   */
  const measure = async (isOver: () => boolean) => {
    waits = []
    do {
      missing = 20
      movedMs = performance.now()
      await globex.moveHead()
      deliverer.wake()
      await waitUntil(() => missing === 0)
    } while (!isOver())
    const sorted = waits.toSorted((left, right) => left - right)
    return { count: sorted.length, p95: sorted[Math.floor(0.95 * sorted.length)] ?? Infinity, longest: sorted.at(-1) }
  }
  const alone = await measure(() => waits.length >= 400)
  await acme.moveHead()
  deliverer.wake()
  await waitUntil(() => hanging >= 256)
  // Two rounds later, those of the first round are attempted again.
  const beside = await measure(() => hanging >= 800)
  await stop()
  const figures = [alone, beside].map(
    ({ count, p95, longest }) => `95 % of ${count} within ${p95} ms, all within ${longest} ms`,
  )
  // A delivery that waited for a place would wait for the limit. Alone, they show how fast the machine is.
  t.ok(beside.p95 < limitMs / 2 + 3 * alone.p95, figures.join('; beside those that hang '))
})
