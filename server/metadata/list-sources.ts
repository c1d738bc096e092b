// Lists the repositories that declare virtual chunk containers. Reads what checks of repositories have recorded, and no
// repository.
import { type SourceList, VirtualContainer } from '@floe/contract'
import { type ApiKey, listContainers } from '@floe/storage/database'
import { compareUtf8 } from '@floe/storage/objects'
import { Slices } from '@floe/storage/waiting'
import { z } from 'zod'
import { type DeploymentNames, requireServedCatalog } from '../catalog/served-catalog.ts'
import { filterReadable } from '../http/access/access-hook.ts'
import type { MetadataContext } from './metadata-context.ts'
import { seesStorage } from './show-service.ts'

const RecordedContainers = z.array(VirtualContainer)

type SourcesQuery = {
  readonly prefix?: string | undefined
  readonly limit?: number | undefined
  readonly before?: string | undefined
}

const defaultLimit = 100

/**
 * Lists a page of the repositories that the caller may read and that declare containers at, below or around an address.
 *
 * @throws the errors of listing repositories
 */
export async function listSources(
  context: Pick<MetadataContext, 'catalogs' | 'db'>,
  deployment: DeploymentNames,
  { prefix = '', limit = defaultLimit, before }: SourcesQuery,
  caller: { readonly apiKey: ApiKey | null; readonly signal: AbortSignal },
): Promise<SourceList> {
  const names = await requireServedCatalog(context, deployment).listNames()
  const readable = filterReadable(caller.apiKey, names)
  const shown = readable.filter((repo) => seesStorage(context, { ...deployment, repo }, caller))
  const { declared, known } = await listContainers(context.db, deployment.org, shown)
  const repositories: SourceList['repositories'] = []
  let next: string | null = null
  const slices = new Slices(caller.signal)
  for (const name of shown) {
    if (slices.isOver) await slices.next()
    const recorded = declared.get(name)
    if (recorded === undefined || (before !== undefined && compareUtf8(name, before) <= 0)) continue
    const containers = RecordedContainers.parse(JSON.parse(recorded)).filter((one) => overlaps(one.prefix, prefix))
    if (containers.length === 0) continue
    if (repositories.length === limit) {
      next = repositories.at(-1)?.name ?? null
      break
    }
    repositories.push({ name, containers })
  }
  return { repositories, next, not_read: shown.length - known, not_shown: readable.length - shown.length }
}

/** Whether one address begins with the other. */
function overlaps(one: string, other: string): boolean {
  return one.startsWith(other) || other.startsWith(one)
}
