// The states of branches of many repositories.
import { type AliasableExpression, type Selectable, sql } from 'kysely'
import { isOneOf } from '../engine/engine.ts'
import type { Database } from '../open-database.ts'
import type { ExpectationStatesTable } from '../tables.ts'
import type { ListedBranch } from './expectation.ts'
import { toExpectation } from './read-expectations.ts'
import { stateColumns, toState } from './stored-states.ts'

/** Lists the judged branches of these repositories: unmet ones first, then those of the oldest expectations. */
export async function listStates(
  db: Database,
  { org, names }: { readonly org: string; readonly names: readonly string[] },
  limit: number,
): Promise<readonly ListedBranch[]> {
  const rows = await selectListed(db, db.selectFrom('expectation_states').selectAll())
    .where('repositories.org', '=', org)
    .where(isOneOf(db, 'name', names))
    .orderBy(sql`case when unmet_since is null then 1 else 0 end`)
    .orderBy('expectations.created_at')
    .orderBy('expectations.id')
    .orderBy('repositories.id')
    .orderBy('found.branch')
    .limit(limit)
    .execute()
  return rows.map(toListed)
}

/**
 * Lists judged branches of all organisations: first those that are unmet for the shortest time. Reads no more states
 * than twice the limit, however many there are.
 */
export async function listNewestStates(db: Database, limit: number): Promise<readonly ListedBranch[]> {
  const states = db.selectFrom('expectation_states').selectAll().limit(limit)
  const newest = states.where('unmet_since', 'is not', null).orderBy('unmet_since', 'desc')
  // Unmet or not, so that the first entries of the primary key are enough.
  const first = states.orderBy('expectation_id').orderBy('repo_id').orderBy('branch')
  const unmet = (await selectListed(db, newest).execute()).map(toListed)
  const others = unmet.length < limit ? (await selectListed(db, first).execute()).map(toListed) : []
  return [...unmet.sort(compareSince), ...others.filter(isNotUnmet)].slice(0, limit)
}

/** Lists judged branches of all organisations whose state has a reason, by repository. */
export async function listStatesWithReason(db: Database, limit: number): Promise<readonly ListedBranch[]> {
  const rows = await selectListed(db, db.selectFrom('expectation_states').selectAll().where('reason', 'is not', null))
    .orderBy('repositories.org')
    .orderBy('repositories.name')
    .orderBy('found.branch')
    .orderBy('expectations.created_at')
    .limit(limit)
    .execute()
  return rows.map(toListed)
}

/** Expectations of an organisation, and a repository if only its branches are listed. */
export type ListedExpectations = {
  readonly org: string
  readonly ids: readonly string[]
  readonly repoId?: string | undefined
}

/** The first judged branches of an expectation, and the number of unmet ones. */
export type ListedStates = { readonly unmet: number; readonly branches: readonly ListedBranch[] }

/**
 * Lists the judged branches of each of these expectations, unmet ones first, then by name, by its id. Reads no more
 * states of an expectation than twice the limit, besides counting the unmet ones: of more, those whose repositories
 * have the first ids.
 */
export async function listStatesOfExpectations(
  db: Database,
  { org, ids, repoId }: ListedExpectations,
  limit: number,
): Promise<ReadonlyMap<string, ListedStates>> {
  const ofOrg = db
    .selectFrom('expectations')
    .select('id')
    .where('org', '=', org)
    .where(isOneOf(db, 'id', ids))
  const counts = await db
    .selectFrom('expectation_states')
    .select((eb) => ['expectation_id', eb.fn.countAll<number>().as('unmet')])
    .where('expectation_id', 'in', ofOrg)
    .where('unmet_since', 'is not', null)
    .$if(repoId !== undefined, (query) => query.where('repo_id', '=', repoId ?? ''))
    .groupBy('expectation_id')
    .execute()
  const unmetOf = new Map(counts.map(({ expectation_id, unmet }) => [expectation_id, unmet]))
  const pages = ids.flatMap((id) => {
    const unmet = unmetOf.get(id) ?? 0
    const states = db
      .selectFrom('expectation_states')
      .selectAll()
      .where('expectation_id', '=', id)
      .$if(repoId !== undefined, (query) => query.where('repo_id', '=', repoId ?? ''))
      .orderBy('repo_id')
      .orderBy('branch')
      .limit(limit)
    const failing = unmet === 0 ? [] : [states.where('unmet_since', 'is not', null)]
    // Skips fewer states than the limit.
    return unmet < limit ? [...failing, states.where('unmet_since', 'is', null)] : failing
  })
  const [first, ...others] = pages.map((page) => db.selectFrom(page.as('page')).selectAll())
  if (first === undefined) return new Map()
  // An organisation has at most twice `maxExpectations` expectations of its own. SQLite takes 500 parts of a union.
  const union = others.reduce((all, page) => all.unionAll(page), first)
  const rows = await selectListed(db, union).where('expectations.org', '=', org).execute()
  const listed = Map.groupBy(rows.map(toListed), ({ expectation }) => expectation.id)
  return new Map(
    ids.map((id) => {
      const branches = (listed.get(id) ?? []).sort(compareListed).slice(0, limit)
      return [id, { unmet: unmetOf.get(id) ?? 0, branches }]
    }),
  )
}

function isNotUnmet({ state }: ListedBranch): boolean {
  return state.unmetSince === null
}

/** Unmet ones come first, then the order is that of the names of repositories and branches. */
function compareListed(left: ListedBranch, right: ListedBranch): number {
  if (isNotUnmet(left) !== isNotUnmet(right)) return isNotUnmet(left) ? 1 : -1
  const [first, second] = left.repo === right.repo ? [left.branch, right.branch] : [left.repo, right.repo]
  return first < second ? -1 : Number(first > second)
}

function compareSince(left: ListedBranch, right: ListedBranch): number {
  return (right.state.unmetSince?.getTime() ?? 0) - (left.state.unmetSince?.getTime() ?? 0)
}

/** @param states a query for all columns of rows of `expectation_states` */
function selectListed(db: Database, states: AliasableExpression<Selectable<ExpectationStatesTable>>) {
  return db
    .selectFrom(states.as('found'))
    .innerJoin('expectations', 'expectations.id', 'expectation_id')
    .innerJoin('repositories', 'repositories.id', 'found.repo_id')
    .selectAll('expectations')
    .select(['repositories.name as repo', 'found.repo_id as found_repo_id', 'found.branch as found_branch'])
    .select(stateColumns)
}

function toListed(row: Awaited<ReturnType<ReturnType<typeof selectListed>['executeTakeFirstOrThrow']>>): ListedBranch {
  const expectation = toExpectation(row)
  const { repo, found_repo_id: repoId, found_branch: branch } = row
  return { expectation, repo, repoId, branch, state: toState(row, expectation) }
}
