// Whom expectations tell: the webhooks and chats that select their events.
import type { EventFilter, ReceiverKind } from '@floe/contract/lists'
import { mayMatchBoth } from '../../../globs.ts'
import { makeFilterReader, matchesFilter } from '../../event-filter.ts'
import type { Database } from '../open-database.ts'
import { mayName } from '../events/select-receivers.ts'
import type { Expectation } from './expectation.ts'
import { toExpectation } from './read-expectations.ts'

/** An enabled webhook or chat that gets events about expectations. */
export type Listener = {
  readonly org: string
  /** Null for one of the organisation. */
  readonly repo: string | null
  readonly kind: ReceiverKind
  readonly filter: EventFilter
  readonly isDeclared: boolean
}

/** What is expected of the repositories with these names or patterns. */
export type ToldExpectation = Pick<Expectation, 'org' | 'branch' | 'kind' | 'severity'> & {
  readonly repos: readonly string[]
}

/** Maximum number of listeners that are compared with expectations. If there are more, everybody may be told. */
const maxListeners = 1_000

/** Lists the listeners of an organisation, or of all; null if there are too many to compare. */
export async function listListeners(db: Database, org?: string): Promise<readonly Listener[] | null> {
  const rows = await db
    .selectFrom('receivers')
    .leftJoin('repositories', 'repositories.id', 'repo_id')
    .select(['receivers.org', 'name', 'kind', 'filter', 'is_declared'])
    .where('is_enabled', '=', 1)
    .where(mayName(['ExpectationUnmet']))
    .$if(org !== undefined, (query) => query.where('receivers.org', '=', org ?? ''))
    .distinct()
    .limit(maxListeners + 1)
    .execute()
  if (rows.length > maxListeners) return null
  const read = makeFilterReader()
  return rows.map(({ name, filter, is_declared, ...row }) => {
    return { org: row.org, repo: name, kind: row.kind, filter: read(filter), isDeclared: is_declared === 1 }
  })
}

/** Maximum number of expectations of all organisations that are listed. */
const maxListed = 1_000

/** Lists the expectations of all organisations, each with its repository; null for one of an organisation. */
export async function listAllExpectations(
  db: Database,
): Promise<readonly { readonly expectation: Expectation; readonly repo: string | null }[]> {
  const rows = await db
    .selectFrom('expectations')
    .leftJoin('repositories', 'repositories.id', 'repo_id')
    .selectAll('expectations')
    .select('repositories.name as repo')
    .orderBy('expectations.org')
    .orderBy('expectations.created_at')
    .orderBy('expectations.id')
    .limit(maxListed)
    .execute()
  return rows.map((row) => ({ expectation: toExpectation(row), repo: row.repo }))
}

/** Whether somebody may get the event that a branch does not meet an expectation. */
export function isTold(
  { org, repos, branch, kind, severity }: ToldExpectation,
  listeners: readonly Listener[] | null,
): boolean {
  if (listeners === null) return true
  const event = { name: 'ExpectationUnmet', expectationKind: kind, severity, repo: '', branch: null } as const
  return listeners.some(({ filter, ...listener }) => {
    const covered = listener.repo === null ? (filter.repos ?? ['**']) : [listener.repo]
    return (
      listener.org === org &&
      // Patterns of repositories and branches are compared with patterns below.
      matchesFilter({ ...filter, repos: null }, event) &&
      filter.branches.some((pattern) => mayMatchBoth(pattern, branch)) &&
      covered.some((pattern) => repos.some((repo) => mayMatchBoth(pattern, repo)))
    )
  })
}
