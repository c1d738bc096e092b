// The rows of `expectation_states`.
import { type Selectable, sql } from 'kysely'
import { rowsOf } from '../engine/rows-of.ts'
import type { Database } from '../open-database.ts'
import type { ExpectationStatesTable } from '../tables.ts'
import { toDate } from '../to-date.ts'
import type { BranchState, Expectation, KindObject } from './expectation.ts'

/** The place of a state in its table. */
export type StateKey = Pick<Selectable<ExpectationStatesTable>, 'expectation_id' | 'repo_id' | 'branch'>

/** The columns besides the key, with their types in both engines. */
const columnTypes = {
  judged_version: 'integer',
  head_id: 'text',
  verdict: 'text',
  failing_since: 'bigint',
  unmet_since: 'bigint',
  told_at: 'bigint',
  facts: 'text',
  reason: 'text',
  due_at: 'bigint',
} as const

type StateColumn = keyof typeof columnTypes

export const stateColumns = Object.keys(columnTypes) as readonly StateColumn[] // `Object.keys` knows no names

/** A head that another version of the expectation judged is judged again. */
export function toState(
  row: Pick<Selectable<ExpectationStatesTable>, StateColumn>,
  { version }: Pick<Expectation, 'version'>,
): BranchState {
  return {
    version: row.judged_version,
    headId: row.judged_version === version ? row.head_id : '',
    verdict: row.verdict,
    failingSince: toDate(row.failing_since),
    unmetSince: toDate(row.unmet_since),
    toldAt: toDate(row.told_at),
    facts: row.facts === null ? null : (JSON.parse(row.facts) as KindObject), // Only `saveStates` writes it.
    reason: row.reason,
    dueAt: toDate(row.due_at),
  }
}

const keyColumns = { expectation_id: 'text', repo_id: 'text', branch: 'text' } as const

export type SavedState = StateKey & { readonly state: BranchState }

/** Saves states, in one statement. */
export async function saveStates(tx: Database, states: readonly SavedState[]): Promise<void> {
  if (states.length === 0) return
  const records = states.map(({ expectation_id, repo_id, branch, state }) => ({
    expectation_id,
    repo_id,
    branch,
    judged_version: state.version,
    head_id: state.headId,
    verdict: state.verdict,
    failing_since: state.failingSince?.getTime(),
    unmet_since: state.unmetSince?.getTime(),
    told_at: state.toldAt?.getTime(),
    facts: state.facts && JSON.stringify(state.facts),
    reason: state.reason,
    due_at: state.dueAt?.getTime(),
  }))
  const names = [...Object.keys(keyColumns), ...stateColumns]
  const changes = stateColumns.map((name) => sql`${sql.ref(name)} = ${sql.ref(`excluded.${name}`)}`)
  await sql`
    insert into expectation_states (${sql.join(names.map((name) => sql.ref(name)))})
    select ${sql.join(names.map((name) => sql.ref(`rows.${name}`)))}
    from ${rowsOf(tx, records, { ...keyColumns, ...columnTypes })}
    where true
    on conflict (expectation_id, repo_id, branch) do update set ${sql.join(changes)}`.execute(tx)
}

/** Deletes states, in one statement. */
export async function deleteStates(tx: Database, keys: readonly StateKey[]): Promise<void> {
  if (keys.length === 0) return
  const records = keys.map(({ expectation_id, repo_id, branch }) => ({ expectation_id, repo_id, branch }))
  await sql`
    delete from expectation_states where (expectation_id, repo_id, branch) in (
      select rows.expectation_id, rows.repo_id, rows.branch from ${rowsOf(tx, records, keyColumns)}
    )`.execute(tx)
}
