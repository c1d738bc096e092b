import type { EventName } from '@floe/contract/lists'
import { writeRef } from '../heads/ref-text.ts'
import type { Database } from '../open-database.ts'

/** What was told about an expectation of a branch. */
export type ExpectationEvent = {
  readonly name: EventName
  readonly at: Date
  /** The line for chats. */
  readonly line: string
}

/**
 * Lists the last events about each of these expectations of a branch, by its id; oldest first.
 *
 * @param limit maximum number of events of an expectation
 */
export async function listExpectationEvents(
  db: Database,
  { repoId, branch, ids }: { readonly repoId: string; readonly branch: string; readonly ids: readonly string[] },
  limit: number,
): Promise<ReadonlyMap<string, readonly ExpectationEvent[]>> {
  const refs = new Map(ids.map((id) => [writeRef({ kind: 'expectation', id, name: branch }), id]))
  const pages = Array.from(refs.keys(), (ref) =>
    db
      .selectFrom('events')
      .select(['ref', 'sequence', 'name', 'created_at', 'line'])
      .where('repo_id', '=', repoId)
      .where('ref', '=', ref)
      .orderBy('sequence', 'desc')
      .limit(limit),
  )
  const [first, ...others] = pages.map((page) => db.selectFrom(page.as('page')).selectAll())
  if (first === undefined) return new Map()
  // A repository has at most `maxExpectations`; SQLite takes 500 parts of a union.
  const rows = await others
    .reduce((all, page) => all.unionAll(page), first)
    .orderBy('sequence')
    .execute()
  const told = rows.map(({ ref, name, created_at: at, line }) => ({ ref, name, at: new Date(at), line }))
  return Map.groupBy(told, ({ ref }) => refs.get(ref) ?? '')
}
