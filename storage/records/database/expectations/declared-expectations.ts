// Expectations that the configuration file declares, each for the repositories of an organisation that match a pattern.
import { hash, randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { isOneOf } from '../engine/engine.ts'
import type { Database } from '../open-database.ts'
import { transact } from '../transact.ts'
import { closeStates, findChanged } from './close-states.ts'
import type { DescribeExpectation, Expectation, NewExpectation } from './expectation.ts'
import { toExpectation } from './read-expectations.ts'
import { lockExpectations, recordChanges } from './record-changes.ts'
import { insertExpectation, saveExpectation } from './stored-expectations.ts'

/** An expectation that the configuration file declares. The alias tells it from others of its organisation and kind. */
export type DeclaredExpectation = NewExpectation & { readonly org: string; readonly repos: readonly string[] }

/**
 * Makes the database contain exactly the declared expectations of all organisations. Those that were declared before
 * with the same organisation, kind and alias, or without an alias with the same settings, keep their states. The states
 * of the others are closed, with an event for each branch that was unmet.
 */
export async function applyDeclaredExpectations(
  db: Database,
  declared: readonly DeclaredExpectation[],
  describe: DescribeExpectation,
  now: Date,
): Promise<{ readonly hasEvents: boolean }> {
  const wanted = new Map(declared.map((one) => [writeKey(one), one]))
  const before = await listDeclared(db)
  // Nothing is written if nothing has changed, so that a service can start while its database refuses changes.
  if (before.length === wanted.size && before.every(({ key, ...known }) => isSame(known, wanted.get(key))))
    return { hasEvents: false }
  const orgs = [...new Set([...before.map(({ expectation }) => expectation.org), ...declared.map(({ org }) => org)])]
  return transact(db, async (tx) => {
    // In order, so that processes that start at the same time do not deadlock.
    for (const org of orgs.sort()) await lockExpectations(tx, org, 'alone')
    const known = (await listDeclared(tx)).filter(({ expectation: { org } }) => orgs.includes(org))
    const undeclared = known.filter(({ key }) => !wanted.has(key)).map(({ expectation }) => expectation)
    const changed = known.flatMap(({ key, ...stored }) => {
      const after = wanted.get(key)
      return after === undefined || isSame(stored, after) ? [] : [{ expectation: stored.expectation, after }]
    })
    const reason = 'The expectation was removed from the configuration file'
    const changes = await closeStates(tx, [
      ...undeclared.map((expectation) => ({ expectation, reason })),
      ...changed.flatMap(({ expectation, after }) => findChanged(expectation, after)),
    ])
    const ids = undeclared.map(({ id }) => id)
    await tx
      .deleteFrom('expectations')
      .where(isOneOf(tx, 'id', ids))
      .execute()
    for (const { expectation, after } of changed) await saveExpectation(tx, expectation, after, now)
    const keys = new Set(known.map(({ key }) => key))
    for (const [key, one] of wanted) {
      const row = { id: randomUUID(), org: one.org, repo_id: null, declared_key: key }
      if (!keys.has(key)) await insertExpectation(tx, row, one, now)
    }
    await recordChanges(tx, changes, describe, now)
    return { hasEvents: changes.length > 0 }
  })
}

type StoredDeclared = { readonly expectation: Expectation; readonly document: string | null }

async function listDeclared(db: Database): Promise<readonly (StoredDeclared & { readonly key: string })[]> {
  const rows = await db
    .selectFrom('expectations')
    .leftJoin('expectation_documents', 'expectation_id', 'expectations.id')
    .selectAll('expectations')
    .select('document')
    .where('declared_key', 'is not', null)
    .orderBy('expectations.id')
    .execute()
  return rows.map((row) => ({ key: row.declared_key ?? '', expectation: toExpectation(row), document: row.document }))
}

/** What tells declared expectations apart, as a hash. */
function writeKey({ org, kind, alias, ...others }: DeclaredExpectation): string {
  const { repos, branch, severity, withinMs, remindMs, settings, document } = others
  const sorted = Object.entries(settings).toSorted(([left], [right]) => (left < right ? -1 : 1))
  const unnamed = [repos, branch, severity, withinMs, remindMs, sorted, document]
  return hash('sha256', JSON.stringify([org, kind, alias, alias === null ? unnamed : null]))
}

function isSame({ expectation, document }: StoredDeclared, declared: DeclaredExpectation | undefined): boolean {
  if (declared === undefined) return false
  const stored = { ...expectation, document }
  return isDeepStrictEqual({ ...stored, ...declared }, stored)
}
