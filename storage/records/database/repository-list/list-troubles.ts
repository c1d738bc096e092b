// What is wrong with repositories, as the recorded states say it.
import { type ExpectationKindName, type RepositoryState, repositoryStates, statesOfKinds } from '@floe/contract/lists'
import { sql } from 'kysely'
import { isOneOf } from '../engine/engine.ts'
import type { Database } from '../open-database.ts'

/** The kind of an expectation that a branch does not meet, or what else is wrong. */
type Trouble = ExpectationKindName | 'unreadable' | 'retracted'

/**
 * Lists what is wrong with these repositories, the worst first, by name. Repositories with which nothing is wrong are
 * omitted. A repository is retracted if a retraction is about the recorded head of its `main`, or a part of it. Nobody
 * knows whether one that cannot be read meets its expectations.
 */
export async function listTroubles(
  db: Database,
  org: string,
  names: readonly string[],
): Promise<ReadonlyMap<string, readonly RepositoryState[]>> {
  // The list of names can be long, so that it is looked up once for all parts.
  const { rows } = await sql<{ name: string; trouble: Trouble }>`
    with listed as (
      select id, name, unreadable_since from repositories where org = ${org} and ${isOneOf(db, 'name', names)}
    )
    select name, kind as trouble
    from listed
    join expectation_states on expectation_states.repo_id = listed.id
    join expectations on expectations.id = expectation_id
    where unmet_since is not null and unreadable_since is null
    union select name, 'unreadable' from listed where unreadable_since is not null
    union select name, 'retracted'
    from listed
    join heads on heads.repo_id = listed.id and heads.branch = 'main'
    join remarks on remarks.repo_id = listed.id
    where remarks.kind = 'retraction' and (remarks.ref is null or remarks.ref = 'main')
      and (remarks.from_id is null or exists (
        select 1 from remark_snapshots where remark_id = remarks.id and remark_snapshots.snapshot_id = heads.snapshot_id
      ))`.execute(db)
  const troubles = [...Map.groupBy(rows, ({ name }) => name)].map(([name, found]) => {
    const states = new Set(found.map(({ trouble }) => readState(trouble)))
    return [name, repositoryStates.filter((state) => states.has(state))] as const
  })
  return new Map(troubles)
}

function readState(trouble: Trouble): RepositoryState {
  return trouble === 'unreadable' || trouble === 'retracted' ? trouble : statesOfKinds[trouble]
}
