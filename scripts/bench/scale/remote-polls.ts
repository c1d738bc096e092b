// What a poll of an unchanged repository on S3 costs.
import { createServer } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { buildRepo } from '../../../test/storage/repositories/icechunk/build-object.ts'
import { startLoopbackReceiver } from '../deliveries/loopback-deliveries.ts'
import { declareWebhooks, type Figures, listen, type ScaledServices, until } from './scaled-services.ts'

const measuredMs = 10_000
const etag = '"one"'

/** Repositories whose `main` has a receiver. */
export function measureRemotePolls(services: ScaledServices, size: number): Promise<Figures> {
  return measurePolls(services, size, ['main'])
}

/** The same with receivers of 20 branches. */
export function measureBranchPolls(services: ScaledServices, size: number): Promise<Figures> {
  const others = Array.from({ length: 19 }, (_, index) => `release/${index}`)
  return measurePolls(services, size, ['main', ...others])
}

/** Each repository has a receiver, so it is polled every second if the service manages. */
async function measurePolls(services: ScaledServices, size: number, branches: readonly string[]): Promise<Figures> {
  const repo = buildRepo({ branches: branches.map((name) => [name, 0]) })
  let polls = 0
  const server = createServer((request, response) => {
    if (request.headers['if-none-match'] === etag) {
      polls++
      response.writeHead(304).end()
    } else if (request.url?.split('?')[0]?.endsWith('/repo') === true) response.writeHead(200, { etag }).end(repo)
    else response.writeHead(404).end()
  })
  const names = Array.from({ length: size }, (_, index) => `repository-${index}`)
  const options = { endpoint: `http://${await listen(server)}`, pathStyle: true }
  const repositories = names.map((name) => ({ name, location: `s3://bucket/${name}`, ...options }))
  const url = await startLoopbackReceiver((_request, response) => response.writeHead(204).end())
  const webhooks = names
    .flatMap((name) => declareWebhooks('acme', name, [url]))
    .map((webhook) => ({ ...webhook, branches }))
  const { db, readCpuSeconds } = await services.start({ acme: { repositories } }, { pollInterval: '1s', webhooks })
  // The first heads are told to the receivers before anything is measured.
  await until(async () => {
    const deliveries = db.selectFrom('deliveries').leftJoin('undelivered', 'delivery_number', 'number')
    const delivered = await deliveries.select('id').where('delivery_number', 'is', null).execute()
    return delivered.length === size && polls >= size
  })
  const before = { polls, seconds: await readCpuSeconds() }
  await pause(measuredMs)
  const seconds = (await readCpuSeconds()) - before.seconds
  const count = polls - before.polls
  return {
    'processor time for each poll, ms': (seconds * 1_000) / count,
    'polls a second': (count * 1_000) / measuredMs,
  }
}
