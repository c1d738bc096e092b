// Adds, changes and deletes expectations for administrators. Each change, its audit entry and the events that close
// states are written in one transaction, which has the expectations of the organisation alone.
import { hash, randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { type AuditedRecord, type AuditEntry, type ChangeOptions, type EditOptions, recordAudit } from '../audit.ts'
import { explainChangedRecord, explainMissingExpectation, RecordProblem } from '../record-problem.ts'
import type { Database } from '../open-database.ts'
import { transact } from '../transact.ts'
import { closeStates, findChanged } from './close-states.ts'
import {
  type DescribeExpectation,
  type Expectation,
  type ExpectationOwner,
  maxExpectations,
  type NewExpectation,
} from './expectation.ts'
import { findExpectation, listExpectations, readContractDocument } from './read-expectations.ts'
import { lockExpectations, recordChanges } from './record-changes.ts'
import { insertExpectation, saveExpectation } from './stored-expectations.ts'

export type ChangedExpectation = {
  readonly expectation: Expectation
  /** Undefined when nothing changed. */
  readonly audit: AuditEntry | undefined
  readonly hasEvents: boolean
}

/** An expectation of a repository or of an organisation, by its id. */
type ExpectationAddress = { readonly owner: ExpectationOwner; readonly id: string }

/**
 * Adds an expectation to a repository or an organisation.
 *
 * @throws RecordProblem
 */
export async function addExpectation(
  db: Database,
  owner: ExpectationOwner,
  added: NewExpectation,
  options: ChangeOptions,
): Promise<ChangedExpectation> {
  return transact(db, async (tx) => {
    await lockExpectations(tx, owner.org, 'alone')
    const others = await listExpectations(tx, owner)
    // What a file declares takes no room from the administrators of an organisation.
    const counted = 'id' in owner ? others : others.filter(({ isDeclared }) => !isDeclared)
    if (counted.length >= maxExpectations)
      throw new RecordProblem(
        'too-many-expectations',
        `The ${nameOwner(owner)} has ${maxExpectations} expectations, which is the maximum`,
      )
    const [id, repoId] = [randomUUID(), 'id' in owner ? owner.id : null]
    const row = { id, org: owner.org, repo_id: repoId, declared_key: null }
    const expectation = await insertExpectation(tx, row, added, options.now)
    return { expectation, audit: await record(tx, expectation, [null, added], options), hasEvents: false }
  })
}

/**
 * Changes an expectation. Missing members stay as they are, and so do missing settings. All branches are judged again;
 * states of branches and repositories that no longer match are closed, with an event for those that were unmet. So are
 * unmet ones if the severity changes.
 *
 * @throws RecordProblem
 */
export async function updateExpectation(
  db: Database,
  address: ExpectationAddress,
  change: Partial<Omit<NewExpectation, 'kind'>>,
  describe: DescribeExpectation,
  options: EditOptions,
): Promise<ChangedExpectation> {
  return transact(db, async (tx) => {
    const { expectation, settings: before } = await lockExpectation(tx, address, options)
    const after = { ...before, ...change, settings: { ...before.settings, ...change.settings } }
    if (isDeepStrictEqual(after, before)) return { expectation, audit: undefined, hasEvents: false }
    const changes = await closeStates(tx, findChanged(expectation, after))
    const changed = await saveExpectation(tx, expectation, after, options.now)
    const audit = await record(tx, changed, [before, after], options)
    await recordChanges(tx, changes, describe, options.now)
    return { expectation: changed, audit, hasEvents: changes.length > 0 }
  })
}

/**
 * Deletes an expectation, with an event for each branch that was unmet.
 *
 * @throws RecordProblem
 */
export async function deleteExpectation(
  db: Database,
  address: ExpectationAddress,
  describe: DescribeExpectation,
  options: EditOptions,
): Promise<{ readonly audit: AuditEntry; readonly hasEvents: boolean }> {
  return transact(db, async (tx) => {
    const { expectation, settings } = await lockExpectation(tx, address, options)
    const changes = await closeStates(tx, [{ expectation, reason: 'The expectation was deleted' }])
    await tx.deleteFrom('expectations').where('id', '=', expectation.id).execute()
    const audit = await record(tx, expectation, [settings, null], options)
    await recordChanges(tx, changes, describe, options.now)
    return { audit, hasEvents: changes.length > 0 }
  })
}

/** Finds an expectation that may be changed. No other transaction changes or judges it until this one ends. */
async function lockExpectation(
  tx: Database,
  { owner, id }: ExpectationAddress,
  { versions }: EditOptions,
): Promise<{ readonly expectation: Expectation; readonly settings: NewExpectation }> {
  await lockExpectations(tx, owner.org, 'alone')
  const expectation = await findExpectation(tx, owner, id)
  if (expectation?.isDeclared)
    throw new RecordProblem(
      'declared-in-file',
      'The configuration file declares this expectation; change or delete it there',
    )
  const repoId = 'id' in owner ? owner.id : null
  if (expectation?.repoId !== repoId) throw explainMissingExpectation(nameOwner(owner), id)
  if (versions !== undefined && !versions.includes(expectation.version)) throw explainChangedRecord('expectation')
  const { kind, alias, branch, severity, within, withinMs, remind, remindMs, settings, repos } = expectation
  const common = { kind, alias, branch, severity, within, withinMs, remind, remindMs }
  const document = (await readContractDocument(tx, expectation)) ?? null
  return { expectation, settings: { ...common, settings, repos, document } }
}

function nameOwner(owner: ExpectationOwner): 'repository' | 'organisation' {
  return 'id' in owner ? 'repository' : 'organisation'
}

function record(
  tx: Database,
  { id, repoId }: Expectation,
  [before, after]: readonly [before: NewExpectation | null, after: NewExpectation | null],
  options: ChangeOptions,
): Promise<AuditEntry> {
  const action = before === null ? 'create' : after === null ? 'delete' : 'update'
  const change = { before: before && describeForAudit(before), after: after && describeForAudit(after) }
  return recordAudit(tx, { repoId, action: `expectation.${action}`, subjectId: id, ...change }, options)
}

/** Names the document by its hash, because the audit log is no place for a megabyte. */
function describeForAudit({
  repos,
  settings,
  document,
  withinMs: _,
  remindMs: __,
  ...others
}: NewExpectation): AuditedRecord {
  const members = { ...others, ...(repos && { repos }) }
  const hashed = document !== null && { document_sha256: hash('sha256', document) }
  // Settings are JSON.
  return { ...(settings as AuditedRecord), ...members, ...hashed }
}
