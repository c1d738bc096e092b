// Attaches, changes and deletes contracts for administrators. Each change and its audit entry are written in one
// transaction, which locks the repository, as that of a judgement does.
import { hash, randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { type AuditEntry, type ChangeOptions, recordAudit } from '../audit.ts'
import { ContractChangedError, ContractNotFoundError, DeclaredInFileError, TooManyContractsError } from '../errors.ts'
import type { RepositoryName } from '../expectations/expectations.ts'
import type { Database } from '../open-database.ts'
import { lockOwner } from '../repositories.ts'
import { type ContractSettings, findContract, listContracts, maxContracts } from './contracts.ts'
import { transact } from '../transact.ts'

/** A contract of a repository, by its id. */
type ContractAddress = { readonly repository: RepositoryName; readonly id: string }

/** Who makes a change, and when. `versions`: the versions of the contract that may be changed; default: any. */
type EditOptions = ChangeOptions & { readonly versions?: readonly number[] | undefined }

/**
 * Attaches a contract to a branch of a repository. Returns its id.
 *
 * @throws TooManyContractsError
 */
export async function addContract(
  db: Database,
  repository: RepositoryName,
  settings: ContractSettings,
  options: ChangeOptions,
): Promise<{ readonly id: string; readonly audit: AuditEntry }> {
  return transact(db, async (tx) => {
    const { id: repoId, org } = repository
    await lockOwner(tx, { org, repoId })
    if ((await listContracts(tx, repository)).length >= maxContracts) throw new TooManyContractsError(maxContracts)
    const [id, at] = [randomUUID(), options.now.getTime()]
    const row = { id, org, repo_id: repoId, ...settings, is_declared: 0, created_at: at, updated_at: at } as const
    await tx.insertInto('contracts').values(row).execute()
    return { id, audit: await record(tx, { repository, id }, 'create', { before: null, after: settings }, options) }
  })
}

/**
 * Changes a contract. Missing members stay as they are. With another branch, it starts over. Returns undefined when
 * nothing changes.
 *
 * @throws ContractNotFoundError, ContractChangedError, DeclaredInFileError
 */
export async function updateContract(
  db: Database,
  address: ContractAddress,
  change: Partial<ContractSettings>,
  options: EditOptions,
): Promise<AuditEntry | undefined> {
  return transact(db, async (tx) => {
    const { version, ...before } = await lockContract(tx, address, options)
    const after = { ...before, ...change }
    if (isDeepStrictEqual(after, before)) return undefined
    await tx
      .updateTable('contracts')
      .set({ ...after, version: version + 1, updated_at: options.now.getTime() })
      .where('id', '=', address.id)
      .execute()
    if (after.branch !== before.branch)
      await tx.deleteFrom('contract_findings').where('contract_id', '=', address.id).execute()
    return record(tx, address, 'update', { before, after }, options)
  })
}

/**
 * Deletes a contract.
 *
 * @throws ContractNotFoundError, ContractChangedError, DeclaredInFileError
 */
export async function deleteContract(
  db: Database,
  address: ContractAddress,
  options: EditOptions,
): Promise<AuditEntry> {
  return transact(db, async (tx) => {
    const { version: _, ...before } = await lockContract(tx, address, options)
    await tx.deleteFrom('contracts').where('id', '=', address.id).execute()
    return record(tx, address, 'delete', { before, after: null }, options)
  })
}

/** Finds a contract that may be changed. No other transaction changes it until this one ends. */
async function lockContract(
  tx: Database,
  { repository, id }: ContractAddress,
  { versions }: EditOptions,
): Promise<ContractSettings & { readonly version: number }> {
  await lockOwner(tx, { org: repository.org, repoId: repository.id })
  const contract = await findContract(tx, repository, id)
  if (contract === undefined) throw new ContractNotFoundError(id)
  if (contract.isDeclared)
    throw new DeclaredInFileError('The configuration file declares this contract; change or delete it there')
  if (versions !== undefined && !versions.includes(contract.version)) throw new ContractChangedError()
  const columns = ['name', 'branch', 'document', 'version'] as const
  return tx.selectFrom('contracts').select(columns).where('id', '=', id).executeTakeFirstOrThrow()
}

function record(
  tx: Database,
  { repository, id }: ContractAddress,
  action: 'create' | 'update' | 'delete',
  { before, after }: { readonly before: ContractSettings | null; readonly after: ContractSettings | null },
  options: ChangeOptions,
): Promise<AuditEntry> {
  const change = { before: before && describe(before), after: after && describe(after) }
  return recordAudit(tx, { repoId: repository.id, action: `contract.${action}`, subjectId: id, ...change }, options)
}

/** Names the document by its hash, because the audit log is no place for a megabyte. */
function describe({ name, branch, document }: ContractSettings) {
  return { name, branch, document_sha256: hash('sha256', document) }
}
