import type { EventFilter } from '@floe/contract/lists'
import type { TenantCaller } from '@floe/storage/waiting'
import type { ServedCatalog } from '../../catalog/served-catalog.ts'
import { type Caller, mayRead } from '../../http/access/caller.ts'

/** Which events are sent, and to whom. */
export type EventScope = {
  readonly org: string
  readonly deployment: string
  /** Null on a public deployment, where everybody may read all that is served. */
  readonly reader: Caller | null
  /** What the deployment serves. */
  readonly served: Pick<ServedCatalog, 'serves' | 'isWhole' | 'patterns'>
  /** Name of the repository; undefined for all that the reader may read. */
  readonly repo: string | undefined
  /** Which of their events. */
  readonly filter: EventFilter
  /** The caller, for the limits. */
  readonly caller: TenantCaller
}

/** Whether the reader gets the events of a repository, if the deployment serves it. */
export function getsEvents({ repo, reader }: Pick<EventScope, 'repo' | 'reader'>, name: string): boolean {
  return (repo === undefined || repo === name) && mayRead(reader, name)
}

/** Names of all repositories whose events the reader gets; null if they are not listed by name. */
export function listNamed({ repo, reader }: Pick<EventScope, 'repo' | 'reader'>): readonly string[] | null {
  if (repo !== undefined) return mayRead(reader, repo) ? [repo] : []
  return reader?.repos && 'names' in reader.repos ? reader.repos.names : null
}
