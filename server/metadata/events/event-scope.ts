import type { EventFilter } from '@floe/contract/lists'
import type { ApiKey } from '@floe/storage/database'
import type { TenantCaller } from '@floe/storage/waiting'
import type { ServedCatalog } from '../../catalog/served-catalog.ts'
import { mayRead } from '../../http/access/access-hook.ts'

/** Which events are sent, and to whom. */
export type EventScope = {
  readonly org: string
  readonly deployment: string
  /** Null on a public deployment, where everybody may read all that is served. */
  readonly key: ApiKey | null
  /** What the deployment serves. */
  readonly served: Pick<ServedCatalog, 'serves' | 'isWhole' | 'patterns'>
  /** Name of the repository; undefined for all that the key may read. */
  readonly repo: string | undefined
  /** Which of their events. */
  readonly filter: EventFilter
  /** The caller, for the limits. */
  readonly caller: TenantCaller
}

/** Names of the repositories whose events the caller gets; null for all that the deployment serves. */
export function listReadable({ repo, key }: Pick<EventScope, 'repo' | 'key'>): readonly string[] | null {
  if (repo === undefined) return key?.repos ?? null
  return mayRead(key, repo) ? [repo] : []
}
