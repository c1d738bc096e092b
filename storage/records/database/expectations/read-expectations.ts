import type { Selectable } from 'kysely'
import { matchesSome } from '../../../globs.ts'
import type { Database } from '../open-database.ts'
import { parsePatterns } from '../receivers/receivers.ts'
import type { ExpectationsTable } from '../tables.ts'
import {
  type Expectation,
  type ExpectationOwner,
  type ExpectedBranch,
  type ExpectedHead,
  type KindObject,
  maxExpectations,
  maxExpectedBranches,
} from './expectation.ts'
import { toState } from './stored-states.ts'
import type { RecordedRepository } from '../repositories.ts'

/**
 * Lists the expectations of a repository, those of its organisation that match it included, or those of an
 * organisation; oldest first.
 */
export async function listExpectations(db: Database, owner: ExpectationOwner): Promise<readonly Expectation[]> {
  const expectations = (await selectExpectations(db, owner).execute()).map(toExpectation)
  return 'id' in owner
    ? expectations.filter((one) => coversName(one, owner.name)).slice(0, maxExpectations)
    : expectations
}

/** Finds an expectation of a repository or of an organisation; undefined if it has none with this id. */
export async function findExpectation(
  db: Database,
  owner: ExpectationOwner,
  id: string,
): Promise<Expectation | undefined> {
  const row = await selectExpectations(db, owner).where('id', '=', id).executeTakeFirst()
  const expectation = row && toExpectation(row)
  return expectation && (!('id' in owner) || coversName(expectation, owner.name)) ? expectation : undefined
}

/** Reads the document of this version of an expectation; undefined if it has none, or another version now. */
export async function readContractDocument(
  db: Database,
  { id, version }: Pick<Expectation, 'id' | 'version'>,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('expectation_documents')
    .innerJoin('expectations', 'expectations.id', 'expectation_id')
    .select('document')
    .where('expectation_id', '=', id)
    .where('version', '=', version)
    .executeTakeFirst()
  return row?.document
}

/**
 * Lists the branches of a repository that its expectations match, with their heads and states, in the order of the
 * expectations. A branch is listed while it has a head or a state; the only branch that a name matches always is.
 */
export async function listExpectedBranches(
  db: Database,
  repository: RecordedRepository,
): Promise<readonly ExpectedBranch[]> {
  const expectations = await listExpectations(db, repository)
  if (expectations.length === 0) return []
  const heads = await readExpectedHeads(db, repository.id)
  const rows = await db
    .selectFrom('expectation_states')
    .selectAll()
    .where('repo_id', '=', repository.id)
    .orderBy('branch')
    .execute()
  const byExpectation = Map.groupBy(rows, ({ expectation_id }) => expectation_id)
  return expectations.flatMap((expectation) => {
    const states = new Map(byExpectation.get(expectation.id)?.map((row) => [row.branch, toState(row, expectation)]))
    const matching = [...heads.keys()].filter((branch) => matchesSome([expectation.branch], branch))
    // Branches with a state first, so that the limit always leaves out the same ones.
    const names = new Set([...states.keys(), ...(isPattern(expectation.branch) ? matching : [expectation.branch])])
    return [...names].slice(0, maxExpectedBranches).map((branch) => {
      return { expectation, branch, head: heads.get(branch) ?? null, state: states.get(branch) ?? null }
    })
  })
}

async function readExpectedHeads(db: Database, repoId: string): Promise<ReadonlyMap<string, ExpectedHead>> {
  const rows = await db
    .selectFrom('heads')
    .innerJoin('repositories', 'repositories.id', 'repo_id')
    .select(['branch', 'snapshot_id', 'written_at', 'moved_at', 'message', 'author', 'remarks'])
    .where('repo_id', '=', repoId)
    .orderBy('branch')
    .execute()
  return new Map(
    rows.map(({ branch, snapshot_id: snapshotId, written_at, moved_at, message, author, remarks }) => {
      const commit = { message, author, writtenAt: new Date(written_at) }
      return [branch, { snapshotId, committedAt: new Date(Math.min(written_at, moved_at)), commit, remarks }]
    }),
  )
}

function isPattern(branch: string): boolean {
  return /[*?]/.test(branch)
}

/** Whether an expectation is one of a repository, or of an organisation and matches the name of the repository. */
export function coversName({ repos }: Pick<Expectation, 'repos'>, name: string): boolean {
  return repos === null || matchesSome(repos, name)
}

function selectExpectations(db: Database, owner: ExpectationOwner) {
  const all = db.selectFrom('expectations').selectAll().where('org', '=', owner.org).orderBy('created_at').orderBy('id')
  if (!('id' in owner)) return all.where('repo_id', 'is', null)
  return all.where((eb) => eb.or([eb('repo_id', '=', owner.id), eb('repo_id', 'is', null)]))
}

export function toExpectation(row: Selectable<ExpectationsTable>): Expectation {
  return {
    number: row.number,
    id: row.id,
    org: row.org,
    repoId: row.repo_id,
    repos: row.repos === null ? null : parsePatterns(row.repos),
    kind: row.kind,
    alias: row.alias,
    branch: row.branch,
    severity: row.severity,
    within: row.within,
    withinMs: row.within_ms,
    remind: row.remind,
    remindMs: row.remind_ms,
    settings: JSON.parse(row.settings) as KindObject, // Only `writeColumns` writes it.
    isDeclared: row.declared_key !== null,
    version: row.version,
    createdAt: new Date(row.created_at),
    updatedAt: new Date(row.updated_at),
  }
}
