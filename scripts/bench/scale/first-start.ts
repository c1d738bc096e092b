// What the first start with many organisations or repositories costs.
import { join } from 'node:path'
import { findMedian, findPercentile } from '../measuring/table.ts'
import {
  countHeads,
  type Figures,
  readTimed,
  sampleHealth,
  type ScaledServices,
  until,
  writeRepositories,
} from './scaled-services.ts'

const locationCount = 10
const listings = 5

/** Organisations of three local repositories each. */
export async function measureOrganisations(services: ScaledServices, size: number): Promise<Figures> {
  const names = Array.from({ length: size }, (_, index) => `org-${index}`)
  const orgs = names.map((name) => {
    const scan = join(services.directory, name)
    writeRepositories(['one', 'two', 'three'].map((repository) => join(scan, repository)))
    return [name, { repositories: [{ scan }] }] as const
  })
  const { figures } = await startFirst(services, Object.fromEntries(orgs), 3 * size)
  return figures
}

/** Local repositories of one organisation at ten locations. */
export async function measureRepositories(services: ScaledServices, size: number): Promise<Figures> {
  const repositories = Array.from({ length: locationCount }, (_, index) => ({
    scan: join(services.directory, `${index}`),
  }))
  writeRepositories(
    Array.from({ length: size }, (_, index) =>
      join(services.directory, `${index % locationCount}`, `repository-${index}`),
    ),
  )
  const { origin, figures } = await startFirst(services, { acme: { repositories } }, size)
  const list = `${origin}/v1/services/acme/acme/_meta/discovery`
  const [json, page]: [number[], number[]] = [[], []]
  for (let n = 0; n < listings; n++) {
    json.push(await readTimed(list))
    page.push(await readTimed(list, 'text/html'))
  }
  return { ...figures, 'list of names, ms': findMedian(json), 'page of the list, ms': findMedian(page) }
}

/** Starts the service, and measures until all heads are recorded. */
async function startFirst(services: ScaledServices, orgs: object, heads: number) {
  const { origin, db, ...service } = await services.start(orgs)
  const over = new AbortController()
  const health = sampleHealth(origin, over.signal)
  let [openFiles, longestSilence] = [0, 0]
  await until(async () => {
    openFiles = Math.max(openFiles, await service.readOpenFiles())
    const { oldest } = await db
      .selectFrom('replicas')
      .select((select) => select.fn.min('heartbeat_at').as('oldest'))
      .executeTakeFirstOrThrow()
    if (oldest !== null) longestSilence = Math.max(longestSilence, Date.now() - oldest)
    return (await countHeads(db)) >= heads
  })
  over.abort()
  const times = await health
  const figures = {
    'processor time until all heads are recorded, s': await service.readCpuSeconds(),
    'resident memory, MB': await service.readMemory(),
    'open files at most': openFiles,
    '`/healthz` p99, ms': findPercentile(times, 99),
    '`/healthz` longest, ms': Math.max(...times),
    'longest time without a heartbeat, s': longestSilence / 1_000,
  }
  return { origin, figures }
}
