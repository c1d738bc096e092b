// How long deliveries of one organisation take while the receivers of another hang.
import { once } from 'node:events'
import { mkdir } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { writeHead } from '../../crash/write-head.ts'
import { startLoopbackReceiver } from '../deliveries/loopback-deliveries.ts'
import { findPercentile } from '../table.ts'
import { type Figures, type ScaledServices, until } from './scaled-services.ts'

const goodReceivers = 100
const goodPorts = 5
const hangingPorts = 250
/** How long deliveries are measured alone, and beside those that hang: more than two of their time limits. */
const [aloneMs, besideMs] = [3_000, 12_000]

export async function measureIsolation(services: ScaledServices, size: number): Promise<Figures> {
  let hanging = 0
  let missing = 0
  let movedAt = 0
  let times: number[] = []
  let arrived = Promise.withResolvers<void>()
  const receive = () =>
    startLoopbackReceiver((_request, response) => {
      times.push(performance.now() - movedAt)
      response.writeHead(204).end()
      if (--missing === 0) arrived.resolve()
    })
  const good = await startAll(goodPorts, receive)
  const silent = await startAll(Math.min(size, hangingPorts), () => startSilent(() => hanging++))
  const webhooks = [...declare('globex', goodReceivers, good), ...declare('acme', size, silent)]
  const { directory } = services
  const orgs = ['acme', 'globex'].map((org) => [org, { repositories: [{ scan: join(directory, org) }] }] as const)
  for (const [org] of orgs) await mkdir(join(directory, org, 'weather'), { recursive: true })
  await services.start(Object.fromEntries(orgs), { webhooks })
  const move = (org: string, head: number) => writeHead(join(directory, org, 'weather'), head)
  let head = 0
  const measureFor = async (ms: number) => {
    times = []
    const end = performance.now() + ms
    do {
      arrived = Promise.withResolvers()
      missing = goodReceivers
      movedAt = performance.now()
      await move('globex', ++head)
      await arrived.promise
    } while (performance.now() < end)
    return findPercentile(times, 95)
  }
  // The service looks for the first head when it polls.
  await measureFor(0)
  const alone = await measureFor(aloneMs)
  await move('acme', 1)
  await until(() => hanging >= Math.min(size, 256))
  const beside = await measureFor(besideMs)
  return {
    'p95 of good deliveries alone, ms': alone,
    'p95 of good deliveries while others hang, ms': beside,
    'attempts that hung': hanging,
  }
}

function startAll(count: number, start: () => Promise<string>): Promise<string[]> {
  return Promise.all(Array.from({ length: count }, start))
}

/** Starts a receiver that accepts connections and says nothing. @returns its origin */
async function startSilent(onConnection: () => void): Promise<string> {
  const server = createServer((socket) => {
    onConnection()
    socket.on('error', () => {})
  })
  server.listen(0, '127.0.0.1').unref()
  await once(server, 'listening')
  return `https://127.0.0.1:${(server.address() as AddressInfo).port}` // A TCP server that listens has an address and a port.
}

function declare(org: string, count: number, origins: readonly string[]): object[] {
  return Array.from({ length: count }, (_, index) => {
    return { org, repo: 'weather', alias: `hook-${index}`, url: `${origins[index % origins.length]}/${index}` }
  })
}
