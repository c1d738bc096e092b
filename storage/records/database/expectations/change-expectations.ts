// Adds, changes and deletes expectations for administrators. Each change and its audit entry are written in one
// transaction, which locks the repository, as that of a check does.
import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { type AuditEntry, type ChangeOptions, recordAudit } from '../audit.ts'
import {
  DeclaredInFileError,
  ExpectationChangedError,
  ExpectationNotFoundError,
  TooManyExpectationsError,
} from '../errors.ts'
import type { Database } from '../open-database.ts'
import { lockOwner } from '../repositories.ts'
import {
  type Expectation,
  type ExpectationSettings,
  findExpectation,
  listExpectations,
  maxExpectations,
  type RepositoryName,
  toExpectation,
} from './expectations.ts'
import { transact } from '../transact.ts'

/** Who makes a change, and when. `versions`: the versions of the expectation that may be changed; default: any. */
type EditOptions = ChangeOptions & { readonly versions?: readonly number[] | undefined }

type ChangedExpectation = {
  readonly expectation: Expectation
  /** Undefined when nothing changed. */
  readonly audit: AuditEntry | undefined
}

/**
 * Adds an expectation to a repository.
 *
 * @throws TooManyExpectationsError
 */
export async function addExpectation(
  db: Database,
  repository: RepositoryName,
  settings: ExpectationSettings,
  options: ChangeOptions,
): Promise<ChangedExpectation> {
  return transact(db, async (tx) => {
    const { id: repoId, org } = repository
    await lockOwner(tx, { org, repoId })
    if ((await listExpectations(tx, repository)).length >= maxExpectations)
      throw new TooManyExpectationsError(maxExpectations)
    const at = options.now.getTime()
    const own = { id: randomUUID(), org, repo_id: repoId, is_declared: 0, created_at: at, updated_at: at } as const
    const row = await tx
      .insertInto('expectations')
      .values({ ...own, ...writeSettings(settings) })
      .returningAll()
      .executeTakeFirstOrThrow()
    const expectation = toExpectation(row)
    return { expectation, audit: await record(tx, repoId, 'create', { before: null, after: expectation }, options) }
  })
}

/**
 * Changes an expectation. Missing members stay as they are. Its state starts over with another branch or path,
 * and if `maxAge` replaces `written` or `written` replaces `maxAge`.
 *
 * @throws ExpectationNotFoundError, ExpectationChangedError, DeclaredInFileError
 */
export async function updateExpectation(
  db: Database,
  address: { readonly repository: RepositoryName; readonly id: string },
  change: Partial<ExpectationSettings>,
  options: EditOptions,
): Promise<ChangedExpectation> {
  return transact(db, async (tx) => {
    const before = await lockExpectation(tx, address, options)
    const columns = writeSettings({ ...before, ...change })
    if (isDeepStrictEqual(columns, writeSettings(before))) return { expectation: before, audit: undefined }
    const row = await tx
      .updateTable('expectations')
      .set({ ...columns, version: before.version + 1, updated_at: options.now.getTime() })
      .where('id', '=', before.id)
      .returningAll()
      .executeTakeFirstOrThrow()
    const expectation = toExpectation(row)
    if (isOther(expectation, before))
      await tx.deleteFrom('expectation_findings').where('expectation_id', '=', before.id).execute()
    else if (expectation.written !== before.written) await judgeAgain(tx, before)
    const audit = await record(tx, address.repository.id, 'update', { before, after: expectation }, options)
    return { expectation, audit }
  })
}

function isOther(after: ExpectationSettings, before: ExpectationSettings): boolean {
  const isOfOtherKind = (after.written === null) !== (before.written === null)
  return isOfOtherKind || after.branch !== before.branch || after.path !== before.path
}

/** Makes the next check judge the same head again, which keeps its state until then. */
async function judgeAgain(tx: Database, { id }: Expectation): Promise<void> {
  await tx.updateTable('expectation_findings').set({ head_id: '' }).where('expectation_id', '=', id).execute()
}

/**
 * Deletes an expectation.
 *
 * @throws ExpectationNotFoundError, ExpectationChangedError, DeclaredInFileError
 */
export async function deleteExpectation(
  db: Database,
  address: { readonly repository: RepositoryName; readonly id: string },
  options: EditOptions,
): Promise<AuditEntry> {
  return transact(db, async (tx) => {
    const before = await lockExpectation(tx, address, options)
    await tx.deleteFrom('expectations').where('id', '=', before.id).execute()
    return record(tx, address.repository.id, 'delete', { before, after: null }, options)
  })
}

/** Finds an expectation that may be changed. No other transaction changes it until this one ends. */
async function lockExpectation(
  tx: Database,
  { repository, id }: { readonly repository: RepositoryName; readonly id: string },
  { versions }: EditOptions,
): Promise<Expectation> {
  await lockOwner(tx, { org: repository.org, repoId: repository.id })
  const expectation = await findExpectation(tx, repository, id)
  if (expectation === undefined) throw new ExpectationNotFoundError(id)
  if (expectation.isDeclared)
    throw new DeclaredInFileError('The configuration file declares this expectation; change or delete it there')
  if (versions !== undefined && !versions.includes(expectation.version)) throw new ExpectationChangedError()
  return expectation
}

/** Returns the columns of what an expectation demands. */
export function writeSettings({ branch, path, maxAge, maxAgeMs, written }: ExpectationSettings) {
  return { branch, path, max_age: maxAge, max_age_ms: maxAgeMs, written }
}

function record(
  tx: Database,
  repoId: string,
  action: 'create' | 'update' | 'delete',
  { before, after }: { readonly before: Expectation | null; readonly after: Expectation | null },
  options: ChangeOptions,
): Promise<AuditEntry> {
  const describe = (one: Expectation | null) =>
    one && { branch: one.branch, path: one.path, max_age: one.maxAge, written: one.written }
  const subjectId = (after ?? before)?.id ?? null
  const change = { before: describe(before), after: describe(after) }
  return recordAudit(tx, { repoId, action: `expectation.${action}`, subjectId, ...change }, options)
}
