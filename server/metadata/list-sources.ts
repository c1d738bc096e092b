// Lists the repositories that declare virtual chunk containers. Reads what checks of repositories have recorded, and no
// repository.
import { type SourceList, VirtualContainer } from '@floe/contract'
import { countKnownContainers, type Database, type DeclaredContainers, listContainers } from '@floe/storage/database'
import { Slices } from '@floe/storage/waiting'
import { z } from 'zod'
import { type DeploymentNames, requireServedCatalog } from '../catalog/served-catalog.ts'
import { type Caller, filterReadable } from '../http/access/caller.ts'
import type { MetadataContext } from './metadata-context.ts'
import { seesStorage } from './show-service.ts'

const RecordedContainers = z.array(VirtualContainer)

type SourcesQuery = {
  readonly prefix?: string | undefined
  readonly limit?: number | undefined
  readonly before?: string | undefined
}

const defaultLimit = 100

/** Number of repositories whose containers are read at once. Those of one can have 100 KB. */
const readAtOnce = 100

/** Number of repositories whose containers are compared for one page, however few of them match. */
const maxWalked = 1_000

/**
 * Lists a page of the repositories that the caller may read and that declare containers at, below or around an address.
 * A page ends early, and names the next one, when many repositories were compared in vain.
 *
 * @throws the errors of listing repositories
 */
export async function listSources(
  context: Pick<MetadataContext, 'catalogs' | 'db'>,
  deployment: DeploymentNames,
  { prefix = '', limit = defaultLimit, before }: SourcesQuery,
  request: { readonly caller: Caller | null; readonly signal: AbortSignal },
): Promise<SourceList> {
  const names = await requireServedCatalog(context, deployment).listNames()
  const readable = filterReadable(request.caller, names)
  const shown = readable.filter((repo) => seesStorage(context, { ...deployment, repo }, request))
  const known = await countKnownContainers(context.db, deployment.org, shown)
  const repositories: SourceList['repositories'] = []
  const slices = new Slices(request.signal)
  let [walked, last, next]: [number, string | null, string | null] = [0, null, null]
  for await (const { name, containers: recorded } of walkContainers(context.db, deployment.org, shown, before)) {
    if (slices.isOver) await slices.next()
    const containers = RecordedContainers.parse(JSON.parse(recorded)).filter((one) => overlaps(one.prefix, prefix))
    // The page is full, or enough was compared for it, and more may follow.
    if (walked === maxWalked || (containers.length > 0 && repositories.length === limit)) {
      next = repositories.length === limit ? (repositories.at(-1)?.name ?? null) : last
      break
    }
    if (containers.length > 0) repositories.push({ name, containers })
    walked += 1
    last = name
  }
  return { repositories, next, not_read: shown.length - known, not_shown: readable.length - shown.length }
}

/** Reads the recorded containers of the repositories that declare some, a few at a time, because they can be large. */
async function* walkContainers(
  db: Database,
  org: string,
  names: readonly string[],
  before = '',
): AsyncGenerator<DeclaredContainers> {
  for (let after = before, isMore = true; isMore;) {
    const read = await listContainers(db, org, { names, after, limit: readAtOnce })
    yield* read
    after = read.at(-1)?.name ?? after
    isMore = read.length === readAtOnce
  }
}

/** Whether one address begins with the other. */
function overlaps(one: string, other: string): boolean {
  return one.startsWith(other) || other.startsWith(one)
}
