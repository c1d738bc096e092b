// Contracts that the configuration file declares, each for the repositories of an organisation that match a pattern.
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { isOneOf, lockRows } from '../engine/engine.ts'
import type { Database } from '../open-database.ts'
import type { ContractSettings } from './contracts.ts'
import { transact } from '../transact.ts'

/** A contract that the configuration file declares. Organisation, pattern and name tell it from others. */
export type DeclaredContract = ContractSettings & {
  readonly org: string
  /** A pattern of the names of repositories. */
  readonly repos: string
}

/**
 * Makes the database contain exactly the declared contracts of all organisations. Those that were declared before
 * keep their state, unless their branch changes.
 */
export async function applyDeclaredContracts(
  db: Database,
  declared: readonly DeclaredContract[],
  now: Date,
): Promise<void> {
  const wanted = new Map(declared.map((contract) => [writeKey(contract), contract]))
  const before = await selectDeclared(db).execute()
  // Nothing is written if nothing has changed, so that a service can start while its database refuses changes.
  if (before.length === wanted.size && before.every((row) => isSame(row, wanted.get(writeKey(row))))) return
  await transact(db, async (tx) => {
    const rows = await lockRows(tx, selectDeclared(tx)).execute()
    const known = new Map(rows.map((row) => [writeKey(row), row]))
    const at = now.getTime()
    for (const [key, contract] of wanted) {
      const row = known.get(key)
      const { branch, document } = contract
      if (row === undefined) {
        await tx
          .insertInto('contracts')
          .values({ id: randomUUID(), repo_id: null, ...contract, is_declared: 1, created_at: at, updated_at: at })
          // Two processes may start with the same file.
          .onConflict((conflict) => conflict.doNothing())
          .execute()
      } else if (!isSame(row, contract)) {
        const change = { branch, document, version: row.version + 1, updated_at: at }
        await tx.updateTable('contracts').set(change).where('id', '=', row.id).execute()
        if (branch !== row.branch) await tx.deleteFrom('contract_findings').where('contract_id', '=', row.id).execute()
      }
    }
    const undeclared = rows.filter((row) => !wanted.has(writeKey(row))).map(({ id }) => id)
    await tx
      .deleteFrom('contracts')
      .where(isOneOf(tx, 'id', undeclared))
      .execute()
  })
}

function selectDeclared(db: Database) {
  return (
    db
      .selectFrom('contracts')
      .select(['id', 'org', 'repos', 'name', 'branch', 'document', 'version'])
      // A literal: with a parameter, SQLite would not use the index of declared rows.
      .where('is_declared', '=', sql.lit<1>(1))
      .orderBy('id')
  )
}

/** What tells declared contracts apart. */
function writeKey(contract: { readonly org: string; readonly repos: string | null; readonly name: string }): string {
  return JSON.stringify([contract.org, contract.repos, contract.name])
}

function isSame(row: Omit<ContractSettings, 'name'>, contract: ContractSettings | undefined): boolean {
  return row.branch === contract?.branch && row.document === contract.document
}
