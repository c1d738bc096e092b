// Three replicas that share the repositories of one organisation in an object store, which reports changes.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createApiKey } from '@floe/storage/database'
import { buildId, buildRepo } from '../../../test/storage/repositories/icechunk/build-object.ts'
import { startLoopbackReceiver } from '../deliveries/loopback-deliveries.ts'
import { findMedian, findPercentile } from '../measuring/table.ts'
import {
  countHeads,
  declareWebhooks,
  type Figures,
  listen,
  readTimed,
  type ScaledServices,
  until,
} from './scaled-services.ts'

const [replicaCount, locationCount, commits, listings] = [3, 20, 30, 5]
/** Keys on a page of a listing, as S3 has. */
const pageKeys = 1_000
/** Time between two checks whether all heads are recorded, in milliseconds. Counting a million takes a while. */
const checkMs = 2_000
/**
 * Node.js limits its heap to half of a container, here of 1.5 GB. On a large machine, the limit is 4 GB, and V8
 * collects later.
 */
const heapLimit = '--max-old-space-size=768'

export async function measureReplicas(services: ScaledServices, size: number): Promise<Figures> {
  const store = await startStore(size)
  let arrived = Promise.withResolvers<void>()
  const receiver = await startLoopbackReceiver((_request, response) => {
    response.writeHead(204).end()
    arrived.resolve()
  })
  const repositories = store.prefixes.map((prefix) => ({
    scan: `s3://bucket/${prefix}`,
    endpoint: store.endpoint,
    pathStyle: true,
  }))
  const moving = Array.from({ length: commits }, (_, index) => Math.floor((index * size) / commits))
  const webhooks = moving.flatMap((index) => declareWebhooks('acme', nameRepository(index), [receiver]))
  const start = () => services.start({ acme: { repositories } }, { pollInterval: '10m', webhooks }, heapLimit)
  const first = await start()
  const replicas = [first]
  while (replicas.length < replicaCount) replicas.push(await start())
  await until(async () => (await countHeads(first.db)) >= size, checkMs)
  const times = await Promise.all(replicas.map(({ readCpuSeconds }) => readCpuSeconds()))
  const memory = await Promise.all(replicas.map(({ readMemory }) => readMemory()))
  const key = await createApiKey(first.db, { org: 'acme', role: 'admin', repos: null }, new Date())
  const delays: number[] = []
  for (const [index, moved] of moving.entries()) {
    arrived = Promise.withResolvers()
    const start = performance.now()
    store.move(moved)
    await report(replicas[index % replicaCount]?.origin ?? '', key, store.locate(moved))
    await arrived.promise
    delays.push(performance.now() - start)
  }
  const list = `${first.origin}/v1/services/acme/acme/_meta/discovery`
  const [json, page]: [number[], number[]] = [[], []]
  for (let n = 0; n < listings; n++) {
    json.push(await readTimed(list))
    page.push(await readTimed(list, 'text/html'))
  }
  return {
    'processor time of all replicas until all heads are recorded, s': times.reduce((sum, time) => sum + time),
    'resident memory of the largest replica, MB': Math.max(...memory),
    'listings of a location': store.countListings() / locationCount,
    'from commit to receiver by storage event, median, ms': findMedian(delays),
    'from commit to receiver by storage event, p95, ms': findPercentile(delays, 95),
    'page of the list, ms': findMedian(page),
    'list of names, ms': findMedian(json),
  }
}

const nameRepository = (index: number) => `repository-${String(index).padStart(7, '0')}`

/** A store with equal repositories at some locations. It speaks as much of the protocol of S3 as the service needs. */
async function startStore(size: number) {
  const prefixOf = (index: number) => `location-${index % locationCount}/`
  const prefixes = Array.from({ length: locationCount }, (_, index) => prefixOf(index))
  const heads = new Map<string, number>()
  const bodies = new Map<number, Uint8Array>()
  let listings = 0
  const readHead = (repository: string): Uint8Array => {
    const head = heads.get(repository) ?? 0
    const snapshots = Array.from({ length: head + 1 }, (_, index) => ({ id: buildId(index + 1), parent: index - 1 }))
    const body = bodies.get(head) ?? buildRepo({ snapshots, branches: [['main', head]] })
    bodies.set(head, body)
    return body
  }
  const list = (query: URLSearchParams, response: ServerResponse) => {
    const prefix = query.get('prefix') ?? ''
    const start = Number(query.get('continuation-token') ?? prefixes.indexOf(prefix))
    if (start < locationCount) listings++
    const end = Math.min(start + pageKeys * locationCount, size)
    let keys = ''
    for (let index = start; index < end; index += locationCount)
      keys += `<CommonPrefixes><Prefix>${prefix}${nameRepository(index)}/</Prefix></CommonPrefixes>`
    const next = end < size ? `<NextContinuationToken>${start + pageKeys * locationCount}</NextContinuationToken>` : ''
    response.end(`<ListBucketResult><IsTruncated>${next !== ''}</IsTruncated>${next}${keys}</ListBucketResult>`)
  }
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://store')
    if (searchParams.has('list-type')) return list(searchParams, response)
    const [, , , repository = '', key] = pathname.split('/')
    if (key !== 'repo') return response.writeHead(404).end()
    const etag = `"${heads.get(repository) ?? 0}"`
    if (request.headers['if-none-match'] === etag) return response.writeHead(304).end()
    const whole = readHead(repository)
    // A scan reads the first byte. It closes the connection of an answer that is longer, or whose length it does not
    // know.
    const isFirstByte = request.headers.range === 'bytes=0-0'
    const body = isFirstByte ? whole.subarray(0, 1) : whole
    const range = isFirstByte ? { 'content-range': `bytes 0-0/${whole.length}` } : {}
    return response.writeHead(isFirstByte ? 206 : 200, { etag, ...range, 'content-length': body.length }).end(body)
  }
  return {
    endpoint: `http://${await listen(createServer(answer))}`,
    prefixes,
    move: (index: number) => heads.set(nameRepository(index), 1),
    locate: (index: number) => `${prefixOf(index)}${nameRepository(index)}`,
    countListings: () => listings,
  }
}

/** Sends the message that S3 sends when the head of a repository was written. */
async function report(origin: string, key: string, repository: string): Promise<void> {
  const s3 = { bucket: { name: 'bucket' }, object: { key: `${repository}/repo` } }
  const answer = await fetch(`${origin}/v1/orgs/acme/storage-events`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Basic ${btoa(`acme:${key}`)}` },
    body: JSON.stringify({ Records: [{ eventName: 'ObjectCreated:Put', s3 }] }),
    signal: AbortSignal.timeout(10_000),
  })
  const text = await answer.text()
  if (!answer.ok || !text.includes('"repositories":1')) throw new Error(`the message was answered with ${text}`)
}
