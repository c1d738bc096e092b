// Contracts say what readers of a branch rely on. One belongs to a repository; one that a file declares, to all
// repositories of an organisation whose names match a pattern.
import { sql } from 'kysely'
import { matchesSome } from '../../../globs.ts'
import type { Database } from '../open-database.ts'
import type { RepositoryName } from '../expectations/expectations.ts'
import { toDate } from '../to-date.ts'

/**
 * Maximum number of contracts of a repository, including those that a file declares. If a file declares more, the
 * oldest count.
 */
export const maxContracts = 20

/** What a contract asks of which branch. */
export type ContractSettings = {
  readonly name: string
  readonly branch: string
  /** What readers rely on, as JSON. It can have a megabyte. */
  readonly document: string
}

/** A contract without its document. */
export type AttachedContract = Omit<ContractSettings, 'document'> & {
  readonly id: string
  readonly isDeclared: boolean
  /** From 1. Each change increments it. */
  readonly version: number
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** What judgements have found about a contract in a repository. */
export type ContractFindings = {
  /** The version of the contract, and the head of the branch, that were judged last; no head if it is judged again. */
  readonly contractVersion: number
  readonly headId: string
  /** Null while no head could be judged. */
  readonly state: 'kept' | 'broken' | null
  /** When it was found to be broken; null while it is kept. */
  readonly brokenSince: Date | null
  /** What breaks it, in words. */
  readonly breaks: readonly string[]
  readonly breakingChanges: number
  /** Why the last head could not be judged: the rest is about an earlier one. Null if it could. */
  readonly unknownReason: string | null
}

/** A contract in a repository. */
export type ContractState = AttachedContract & {
  /** Null before the first judgement. */
  readonly findings: ContractFindings | null
  /** The recorded head of its branch; null while there is none. */
  readonly headId: string | null
}

/** Whether the head of the branch and this version of the contract were judged, or there is no head. */
export function isJudged({ findings, headId, version }: ContractState): boolean {
  return headId === null || (findings?.headId === headId && findings.contractVersion === version)
}

/** Lists the contracts of a repository with their state, oldest first. */
export async function listContracts(db: Database, repository: RepositoryName): Promise<readonly ContractState[]> {
  const rows = await selectStates(db, repository).execute()
  return rows
    .filter(({ repos }) => repos === null || matchesSome([repos], repository.name))
    .slice(0, maxContracts)
    .map(toState)
}

/** Finds a contract of a repository; undefined if it has none with this id. */
export async function findContract(
  db: Database,
  repository: RepositoryName,
  id: string,
): Promise<ContractState | undefined> {
  const row = await selectStates(db, repository).where('contracts.id', '=', id).executeTakeFirst()
  const isFound = row !== undefined && (row.repos === null || matchesSome([row.repos], repository.name))
  return isFound ? toState(row) : undefined
}

/** Reads the document of this version of a contract; undefined if it has another version now. */
export async function readContractDocument(
  db: Database,
  { id, version }: Pick<AttachedContract, 'id' | 'version'>,
): Promise<string | undefined> {
  const query = db.selectFrom('contracts').select('document').where('id', '=', id).where('version', '=', version)
  return (await query.executeTakeFirst())?.document
}

const columns = [
  'contracts.id',
  'contracts.repos',
  'contracts.name',
  'contracts.branch',
  'is_declared',
  'contracts.version',
  'contracts.created_at',
  'updated_at',
  'contract_version',
  'contract_findings.head_id',
  'state',
  'broken_since',
  'breaks',
  'breaking_changes',
  'unknown_reason',
] as const

function selectStates(db: Database, { id, org }: RepositoryName) {
  return db
    .selectFrom('contracts')
    .leftJoin('contract_findings', (join) =>
      join.onRef('contract_id', '=', 'contracts.id').on('contract_findings.repo_id', '=', id),
    )
    .leftJoin('heads', (join) => join.onRef('heads.branch', '=', 'contracts.branch').on('heads.repo_id', '=', id))
    .select([...columns, 'snapshot_id'])
    .where('contracts.org', '=', org)
    .where((eb) => eb.or([eb('contracts.repo_id', '=', id), eb('contracts.repo_id', 'is', null)]))
    .orderBy('contracts.created_at')
    .orderBy('contracts.id')
}

type StateRow = Awaited<ReturnType<ReturnType<typeof selectStates>['executeTakeFirstOrThrow']>>

function toState(row: StateRow): ContractState {
  return {
    id: row.id,
    name: row.name,
    branch: row.branch,
    isDeclared: row.is_declared === 1,
    version: row.version,
    createdAt: new Date(row.created_at),
    updatedAt: new Date(row.updated_at),
    findings: toFindings(row),
    headId: row.snapshot_id,
  }
}

function toFindings(row: StateRow): ContractFindings | null {
  const { contract_version: contractVersion, head_id: headId, breaks, breaking_changes: breakingChanges } = row
  if (contractVersion === null || headId === null || breaks === null || breakingChanges === null) return null
  return {
    contractVersion,
    headId,
    state: row.state,
    brokenSince: toDate(row.broken_since),
    breaks: JSON.parse(breaks) as string[], // `recordJudgement` wrote it
    breakingChanges,
    unknownReason: row.unknown_reason,
  }
}

/** A contract whose head was judged, and what was found. */
export type ListedContract = Pick<AttachedContract, 'name' | 'branch'> & { readonly findings: ContractFindings }

/** Lists what judgements have found about the contracts of a repository, what is broken first, then oldest first. */
export async function listJudgedContracts(
  db: Database,
  { org, name }: Omit<RepositoryName, 'id'>,
): Promise<readonly ListedContract[]> {
  const rows = await db
    .selectFrom('contract_findings')
    .innerJoin('contracts', 'contracts.id', 'contract_id')
    .innerJoin('repositories', 'repositories.id', 'contract_findings.repo_id')
    .select([...columns, sql<string | null>`null`.as('snapshot_id')])
    .where('repositories.org', '=', org)
    .where('repositories.name', '=', name)
    .orderBy(sql`case when broken_since is null then 1 else 0 end`)
    .orderBy('contracts.created_at')
    .orderBy('contracts.id')
    .limit(maxContracts)
    .execute()
  return rows.flatMap((row) => {
    const findings = toFindings(row)
    return findings === null ? [] : [{ name: row.name, branch: row.branch, findings }]
  })
}

/** Whether a contract is broken in a repository, with the names by which people know it. */
export type ContractVerdict = Pick<AttachedContract, 'name' | 'branch'> & {
  readonly org: string
  readonly repo: string
  readonly repoId: string
  readonly isBroken: boolean
}

/**
 * Lists contracts of all organisations that were judged: first those that are broken for the shortest time. Reads no
 * more findings than twice the limit, however many there are.
 */
export async function listNewestVerdicts(db: Database, limit: number): Promise<readonly ContractVerdict[]> {
  const columns = ['contract_id', 'repo_id', 'state', 'broken_since'] as const
  const findings = db.selectFrom('contract_findings').select(columns).limit(limit)
  const newest = findings.where('broken_since', 'is not', null).orderBy('broken_since', 'desc')
  // Broken or not, so that the first entries of the primary key are enough.
  const first = findings.orderBy('contract_id').orderBy('repo_id')
  const select = (page: typeof first) =>
    db
      .selectFrom(page.as('found'))
      .innerJoin('contracts', 'contracts.id', 'contract_id')
      .innerJoin('repositories', 'repositories.id', 'found.repo_id')
      .select(['repositories.org', 'repositories.name as repo', 'found.repo_id as repoId', 'state', 'broken_since'])
      .select(['contracts.name', 'branch'])
      .execute()
  const broken = await select(newest)
  const others = broken.length < limit ? await select(first) : []
  const kept = others.filter(({ state, broken_since }) => state !== null && broken_since === null)
  const sorted = broken.sort((left, right) => (right.broken_since ?? 0) - (left.broken_since ?? 0))
  return [...sorted, ...kept].slice(0, limit).map(({ org, repo, repoId, branch, name, broken_since }) => {
    return { org, repo, repoId, branch, name, isBroken: broken_since !== null }
  })
}
