// What checks have found about the expectations of many repositories.
import { type AliasableExpression, type Selectable, sql } from 'kysely'
import { isOneOf } from '../engine/engine.ts'
import type { Database } from '../open-database.ts'
import type { ExpectationFindingsTable } from '../tables.ts'
import {
  type ExpectationFindings,
  type ExpectationSettings,
  findingsColumns,
  type FindingsRow,
  toFindings,
} from './expectations.ts'

/** What is expected of a repository, and what was found. */
export type ListedExpectation = ExpectationSettings &
  ExpectationFindings & { readonly org: string; readonly repo: string; readonly repoId: string }

/** Lists what checks have found about expectations of these repositories: unmet ones first, then oldest first. */
export async function listFoundExpectations(
  db: Database,
  { org, names }: { readonly org: string; readonly names: readonly string[] },
  limit: number,
): Promise<readonly ListedExpectation[]> {
  const rows = await selectFound(db, db.selectFrom('expectation_findings').selectAll())
    .where('repositories.org', '=', org)
    .where(isOneOf(db, 'name', names))
    .orderBy(sql`case when unmet_since is null then 1 else 0 end`)
    .orderBy('expectations.created_at')
    .orderBy('expectations.id')
    .orderBy('repositories.id')
    .limit(limit)
    .execute()
  return rows.map(toListed)
}

/**
 * Lists what checks have found about expectations of all organisations: first those that are unmet for the shortest
 * time. Reads no more findings than twice the limit, however many there are.
 */
export async function listNewestFindings(db: Database, limit: number): Promise<readonly ListedExpectation[]> {
  const findings = db.selectFrom('expectation_findings').selectAll().limit(limit)
  const newest = findings.where('unmet_since', 'is not', null).orderBy('unmet_since', 'desc')
  // Met or not, so that the first entries of the primary key are enough.
  const first = findings.orderBy('expectation_id').orderBy('repo_id')
  const unmet = await selectFound(db, newest).execute()
  const others = unmet.length < limit ? await selectFound(db, first).execute() : []
  const met = others.filter(({ unmet_since }) => unmet_since === null)
  return [...unmet.sort(compareSince), ...met].slice(0, limit).map(toListed)
}

function compareSince(left: FindingsRow, right: FindingsRow): number {
  return (right.unmet_since ?? 0) - (left.unmet_since ?? 0)
}

/** @param findings a query for all columns of rows of `expectation_findings` */
function selectFound(db: Database, findings: AliasableExpression<Selectable<ExpectationFindingsTable>>) {
  return db
    .selectFrom(findings.as('found'))
    .innerJoin('expectations', 'expectations.id', 'expectation_id')
    .innerJoin('repositories', 'repositories.id', 'found.repo_id')
    .select(['repositories.org', 'name', 'found.repo_id', 'branch', 'path', 'max_age', 'max_age_ms', 'written'])
    .select(findingsColumns)
}

function toListed(row: Awaited<ReturnType<ReturnType<typeof selectFound>['executeTakeFirstOrThrow']>>) {
  return {
    org: row.org,
    repo: row.name,
    repoId: row.repo_id,
    branch: row.branch,
    path: row.path,
    maxAge: row.max_age,
    maxAgeMs: row.max_age_ms,
    written: row.written,
    ...toFindings(row),
  }
}
