// What grows with 50 receivers of an organisation that has many repositories.
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { createApiKey } from '@floe/storage/database'
import { writeHead } from '../../write-head.ts'
import { startLoopbackReceiver } from '../deliveries/loopback-deliveries.ts'
import { findMedian, findPercentile } from '../measuring/table.ts'
import {
  countHeads,
  declareWebhooks,
  type Figures,
  sampleHealth,
  type ScaledServices,
  until,
  writeRepositories,
} from './scaled-services.ts'

const [receiverCount, locationCount, moveCount, pageCount] = [50, 10, 5, 5]
const neighbourPauseMs = 200
const loadMs = 2_000

/**
 * Adds receivers of the organisation one after the other, moves heads, and reads the settings page. Meanwhile moves the
 * head of a repository of another organisation.
 */
export async function measureOrganisationReceivers(services: ScaledServices, size: number): Promise<Figures> {
  const findScan = (index: number) => join(services.directory, `${index % locationCount}`)
  const findDirectory = (index: number) => join(findScan(index), `repository-${index}`)
  const repositories = Array.from({ length: locationCount }, (_, index) => ({ scan: findScan(index) }))
  writeRepositories(Array.from({ length: size }, (_, index) => findDirectory(index)))
  const neighbour = await startNeighbour(join(services.directory, 'globex'))
  const receiver = await startCountingReceiver()
  const orgs = { acme: { repositories }, globex: { repositories: [{ scan: join(services.directory, 'globex') }] } }
  // Without an interval this long, a machine that polls all of them measures little else.
  const service = await services.start(orgs, { pollInterval: '1h', webhooks: neighbour.webhooks })
  const { db, origin } = service
  await until(async () => (await countHeads(db)) > size, 1_000)
  const key = await createApiKey(db, { org: 'acme', role: 'admin', repos: null }, new Date())
  const ask = makeAsk(origin, key)
  await settle(service.readCpuSeconds)
  const over = new AbortController()
  const meanwhile = measureMeanwhile(origin, neighbour, over.signal)
  // Otherwise what fails when the service is stopped would hide why.
  meanwhile.catch(() => {})
  const meanwhileSeconds = await measureLoad(service.readCpuSeconds)
  const [memoryBefore, secondsBefore] = [await service.readMemory(), await service.readCpuSeconds()]
  const adding = await addReceivers(ask, receiver.origin)
  await settle(service.readCpuSeconds, meanwhileSeconds)
  over.abort()
  const seconds = (await service.readCpuSeconds()) - secondsBefore
  const before = await countRows(db)
  const moving: number[] = []
  for (let move = 0; move < moveCount; move++) {
    const arrived = receiver.expect(receiverCount)
    const start = performance.now()
    const index = Math.floor((move * size) / moveCount)
    await writeHead(findDirectory(index), 2)
    await ask('POST', `repos/repository-${index}/refresh`)
    await arrived
    moving.push(performance.now() - start)
  }
  await settle(service.readCpuSeconds)
  const after = await countRows(db)
  const pages: number[] = []
  for (let page = 0; page < pageCount; page++) pages.push(await ask('GET', 'settings'))
  return {
    'adding the first receiver, ms': adding[0] ?? Number.NaN,
    'adding one of the others, median, ms': findMedian(adding.slice(1)),
    'adding one of the others, longest, ms': Math.max(...adding.slice(1)),
    'processor time of all 50 until the service rests, s': seconds,
    ...(await meanwhile),
    'resident memory added, MB': (await service.readMemory()) - memoryBefore,
    'head move until all 50 have it, median, ms': findMedian(moving),
    'rows for each head move': (after - before) / moveCount,
    'settings page, median, ms': findMedian(pages),
  }
}

/** A receiver that accepts all requests, and says when it has got as many as expected. */
async function startCountingReceiver() {
  let [missing, arrived] = [0, Promise.withResolvers<void>()]
  const origin = await startLoopbackReceiver((_request, response) => {
    response.writeHead(204).end()
    if (--missing === 0) arrived.resolve()
  })
  const expect = (count: number) => {
    ;[missing, arrived] = [count, Promise.withResolvers()]
    return arrived.promise
  }
  return { origin, expect }
}

/** Adds the receivers one after the other. @returns how long each took, in milliseconds */
async function addReceivers(ask: ReturnType<typeof makeAsk>, origin: string): Promise<number[]> {
  const times: number[] = []
  for (let index = 0; index < receiverCount; index++) {
    const webhook = { kind: 'webhook', alias: `hook-${index}`, url: `${origin}/${index}`, events: ['NewCommit'] }
    times.push(await ask('POST', 'receivers', { ...webhook, branches: ['main', `release/${index}`] }))
  }
  return times
}

type Neighbour = Awaited<ReturnType<typeof startNeighbour>>

/** Measures, until the signal, what others get of the service. */
async function measureMeanwhile(origin: string, neighbour: Neighbour, over: AbortSignal): Promise<Figures> {
  const [health, moves] = await Promise.all([sampleHealth(origin, over), neighbour.moveUntil(over)])
  return {
    'meanwhile `/healthz` p99, ms': findPercentile(health, 99),
    'meanwhile `/healthz` longest, ms': Math.max(...health),
    'meanwhile deliveries to a neighbour, p99, ms': findPercentile(moves, 99),
    'meanwhile deliveries to a neighbour, longest, ms': Math.max(...moves),
  }
}

/** A repository of another organisation below this directory, with a webhook. */
async function startNeighbour(scan: string) {
  const receiver = await startCountingReceiver()
  const directory = join(scan, 'weather')
  writeRepositories([directory])
  /** Moves the head again and again. @returns the times from before a move until the webhook has it, in milliseconds */
  const moveUntil = async (over: AbortSignal) => {
    const times: number[] = []
    for (let head = 2; !over.aborted; head++) {
      const arrived = receiver.expect(1)
      const start = performance.now()
      await writeHead(directory, head)
      await arrived
      times.push(performance.now() - start)
      await pause(neighbourPauseMs)
    }
    return times
  }
  return { webhooks: declareWebhooks('globex', 'weather', [receiver.origin]), moveUntil }
}

/** Makes a function that calls the administration of the organisation, and returns how long that took, in ms. */
function makeAsk(origin: string, key: string) {
  return async (method: 'GET' | 'POST', path: string, body?: object) => {
    const start = performance.now()
    const answer = await fetch(`${origin}/v1/orgs/acme/${path}`, {
      method,
      headers: {
        authorization: `Basic ${Buffer.from(`acme:${key}`).toString('base64')}`,
        accept: 'text/html, application/json',
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${path} answers ${answer.status}: ${text.slice(0, 500)}`)
    return performance.now() - start
  }
}

/** Resolves when the service takes less than a tenth of a processor besides a load, as of {@link measureLoad}. */
async function settle(readCpuSeconds: () => Promise<number>, load = 0): Promise<void> {
  while ((await measureLoad(readCpuSeconds)) > load + (0.1 * loadMs) / 1_000);
}

/** Measures the processor time that the service takes in {@link loadMs}, in seconds. */
async function measureLoad(readCpuSeconds: () => Promise<number>): Promise<number> {
  const before = await readCpuSeconds()
  await pause(loadMs)
  return (await readCpuSeconds()) - before
}

/** Counts the rows that events leave. */
async function countRows(db: Awaited<ReturnType<ScaledServices['start']>>['db']): Promise<number> {
  const counts = (['events', 'event_positions', 'deliveries', 'undelivered', 'queues', 'attempts'] as const).map(
    (table) =>
      db
        .selectFrom(table)
        .select((select) => select.fn.countAll().as('count'))
        .executeTakeFirstOrThrow(),
  )
  return (await Promise.all(counts)).reduce((sum, { count }) => sum + Number(count), 0)
}
