// How long deliveries of one organisation take while the receivers of another hang.
import { mkdir } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { writeHead } from '../../write-head.ts'
import { startLoopbackReceiver } from '../deliveries/loopback-deliveries.ts'
import { findPercentile } from '../measuring/table.ts'
import { declareWebhooks, type Figures, listen, type ScaledServices, until } from './scaled-services.ts'

const [goodReceivers, goodPorts, hangingPorts] = [100, 5, 250]
/** How long deliveries are measured alone, and beside those that hang: more than two of their time limits. */
const [aloneMs, besideMs] = [3_000, 12_000]

const startAll = (count: number, start: () => Promise<string>) => Promise.all(Array.from({ length: count }, start))

export async function measureIsolation(services: ScaledServices, size: number): Promise<Figures> {
  let hanging = 0
  // They accept connections and never answer.
  const hang = () => listen(createServer((socket) => void (hanging++, socket.on('error', () => {}))))
  const silent = (await startAll(hangingPorts, hang)).map((address) => `https://${address}`)
  const good = await startGoodReceivers()
  const orgs = ['acme', 'globex'].map((org) => [org, join(services.directory, org)] as const)
  for (const [, directory] of orgs) await mkdir(join(directory, 'weather'), { recursive: true })
  const webhooks = [
    ...declareWebhooks('globex', 'weather', good.origins, goodReceivers),
    ...declareWebhooks('acme', 'weather', silent, size),
  ]
  const repositories = orgs.map(([org, scan]) => [org, { repositories: [{ scan }] }] as const)
  await services.start(Object.fromEntries(repositories), { webhooks })
  const move = (org: string, head: number) => writeHead(join(services.directory, org, 'weather'), head)
  // The service looks for the first head when it polls.
  await good.measureFor(0, (head) => move('globex', head))
  const alone = await good.measureFor(aloneMs, (head) => move('globex', head))
  await move('acme', 1)
  await until(() => hanging >= Math.min(size, 256))
  const beside = await good.measureFor(besideMs, (head) => move('globex', head))
  return {
    'p95 of good deliveries alone, ms': alone,
    'p95 of good deliveries while others hang, ms': beside,
    'attempts that hung': hanging,
  }
}

async function startGoodReceivers() {
  let [head, missing, movedAt] = [0, 0, 0]
  let times: number[] = []
  let arrived = Promise.withResolvers<void>()
  const origins = await startAll(goodPorts, () =>
    startLoopbackReceiver((_request, response) => {
      times.push(performance.now() - movedAt)
      response.writeHead(204).end()
      if (--missing === 0) arrived.resolve()
    }),
  )
  /**
   * Moves the head again and again. @returns the p95 of the times from before a move until a receiver has the request
   */
  const measureFor = async (ms: number, move: (head: number) => Promise<void>) => {
    times = []
    const end = performance.now() + ms
    do {
      arrived = Promise.withResolvers()
      missing = goodReceivers
      movedAt = performance.now()
      await move(++head)
      await arrived.promise
    } while (performance.now() < end)
    return findPercentile(times, 95)
  }
  return { origins, measureFor }
}
