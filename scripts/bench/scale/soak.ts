// What the service holds while it works: its heap after collections during head moves, deliveries, requests and streams
// of events.
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { createClient } from '@floe/client'
import { writeHead } from '../../write-head.ts'
import { startLoopbackReceiver } from '../deliveries/loopback-deliveries.ts'
import { findFreePort } from '../../free-port.ts'
import { findMedian } from '../measuring/table.ts'
import { openHeap } from './heap.ts'
import { declareWebhooks, type Figures, type ScaledServices } from './scaled-services.ts'

const samples = 30
const repositories = Array.from({ length: 20 }, (_, index) => `repository-${index}`)
const receiversOfEach = 5
const callers = 4
const followers = 20
/**
 * Pauses between two head moves and between two requests of a caller, and the longest life of a stream, in
 * milliseconds.
 */
const [movePauseMs, requestPauseMs, streamMs] = [100, 20, 60_000]
const fixtures = fileURLToPath(new URL('../../../test/fixtures/repositories', import.meta.url))

/** Pause after an answer 503, which an overloaded service gives on a slow machine, in milliseconds. */
const refusedPauseMs = 1_000

/** What has been done, for the table. */
type Work = { moves: number; deliveries: number; requests: number; refusals: number; events: number }

/** Keeps the service busy for this number of minutes, and takes 30 samples. */
export async function measureSoak(services: ScaledServices, minutes: number): Promise<Figures> {
  const work: Work = { moves: 0, deliveries: 0, requests: 0, refusals: 0, events: 0 }
  const receiver = await startLoopbackReceiver((_request, response) => {
    work.deliveries++
    response.writeHead(204).end()
  })
  const directories = repositories.map((name) => join(services.directory, 'moving', name))
  for (const directory of directories) {
    await mkdir(directory, { recursive: true })
    await writeHead(directory, 1)
  }
  const webhooks = repositories.flatMap((repo) =>
    declareWebhooks('moving', repo, [`${receiver}/${repo}`], receiversOfEach),
  )
  const orgs = {
    moving: { repositories: [{ scan: join(services.directory, 'moving') }] },
    fixed: { repositories: [{ scan: fixtures }] },
  }
  const inspector = await findFreePort()
  const service = await services.start(orgs, { webhooks }, `--inspect=127.0.0.1:${inspector}`)
  const over = new AbortController()
  const readHeap = await openHeap(inspector, over.signal)
  const busy = keepBusy(service.origin, directories, work, over.signal)
  const [heap, resident]: [number[], number[]] = [[], []]
  const sample = async () => {
    for (let index = 0; index < samples; index++) {
      await pause((minutes * 60_000) / samples)
      heap.push(await readHeap())
      resident.push(await service.readMemory())
    }
  }
  // Also after a failure, because the service does not end while the inspector is connected.
  await Promise.race([sample(), busy]).finally(() => over.abort())
  await busy
  console.log(`heap after collection, MB: ${heap.map((size) => size.toFixed(1)).join(' ')}`)
  const thirds = (values: readonly number[]) =>
    [values.slice(0, samples / 3), values.slice(-samples / 3)].map(findMedian) as [number, number] // of two lists
  const [[first, last], [residentFirst, residentLast]] = [thirds(heap), thirds(resident)]
  return {
    'heap after collection, first third, MB': first,
    'heap after collection, last third, MB': last,
    'growth of the heap, %': (last / first - 1) * 100,
    'resident memory, first third, MB': residentFirst,
    'resident memory, last third, MB': residentLast,
    ...work,
  }
}

/** Keeps the service busy until it is over. Rejects when the service fails. */
async function keepBusy(origin: string, directories: readonly string[], work: Work, over: AbortSignal): Promise<void> {
  const weather = `${origin}/v1/services/fixed/fixed/_meta/datasets/weather/main`
  const histories = repositories.map((name) => `${origin}/v1/services/moving/moving/_meta/history/${name}/main`)
  const urls = [...['', '/info', '/keys', '/dict'].map((view) => `${weather}/forecast${view}`), ...histories]
  const move = async () => {
    for (; !over.aborted; await pause(movePauseMs)) {
      const index = ++work.moves % directories.length
      await writeHead(directories[index] ?? '', 1 + Math.ceil(work.moves / directories.length))
    }
  }
  const call = async (index: number) => {
    // 7 has no common factor with most lengths, so that the callers ask in different orders.
    for (let next = index; !over.aborted; next += 7 + index, await pause(requestPauseMs)) {
      const headers = { accept: next % 2 === 0 ? 'application/json' : 'text/html' }
      const answer = await fetch(urls[next % urls.length] ?? '', { headers, signal: AbortSignal.timeout(120_000) })
      const text = await answer.text()
      work.requests++
      if (answer.status === 503) {
        work.refusals++
        await pause(refusedPauseMs)
      } else if (!answer.ok) throw new Error(`${answer.url} answers ${answer.status}: ${text.slice(0, 500)}`)
    }
  }
  const follow = async (index: number) => {
    const floe = createClient({ baseUrl: `${origin}/v1`, deployment: 'moving', org: 'moving' })
    while (!over.aborted) {
      const signal = AbortSignal.any([over, AbortSignal.timeout(((index + 1) * streamMs) / followers)])
      try {
        for await (const _event of floe.events({}, { signal })) work.events++
      } catch (error) {
        if (!signal.aborted) throw error
      }
    }
  }
  const many = (count: number, run: (index: number) => Promise<void>) => Array.from({ length: count }, (_, n) => run(n))
  await Promise.all([move(), ...many(callers, call), ...many(followers, follow)])
}
