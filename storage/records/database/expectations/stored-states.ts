// The rows of `expectation_states`.
import { type Selectable, sql } from 'kysely'
import { rowsOf } from '../engine/rows-of.ts'
import type { Database } from '../open-database.ts'
import type { ExpectationStatesTable } from '../tables.ts'
import { toDate } from '../to-date.ts'
import type { BranchState, Expectation, KindObject } from './expectation.ts'

/** The place of a state in its table. */
export type StateKey = Pick<Selectable<ExpectationStatesTable>, 'expectation_id' | 'repo_id' | 'branch'>

export const stateColumns = [
  'expectation_id',
  'branch',
  'judged_version',
  'head_id',
  'verdict',
  'failing_since',
  'unmet_since',
  'facts',
  'reason',
  'due_at',
] as const

type StateRow = Pick<
  Selectable<ExpectationStatesTable>,
  Exclude<(typeof stateColumns)[number], 'expectation_id' | 'branch'>
>

/** A head that another version of the expectation judged is judged again. */
export function toState(row: StateRow, { version }: Pick<Expectation, 'version'>): BranchState {
  return {
    version: row.judged_version,
    headId: row.judged_version === version ? row.head_id : '',
    verdict: row.verdict,
    failingSince: toDate(row.failing_since),
    unmetSince: toDate(row.unmet_since),
    facts: row.facts === null ? null : (JSON.parse(row.facts) as KindObject), // Only `saveStates` writes it.
    reason: row.reason,
    dueAt: toDate(row.due_at),
  }
}

const keyColumns = { expectation_id: 'text', repo_id: 'text', branch: 'text' } as const

/** Saves states, in one statement. */
export async function saveStates(
  tx: Database,
  states: readonly (StateKey & { readonly state: BranchState })[],
): Promise<void> {
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
    facts: state.facts && JSON.stringify(state.facts),
    reason: state.reason,
    due_at: state.dueAt?.getTime(),
  }))
  const values = {
    judged_version: 'integer',
    head_id: 'text',
    verdict: 'text',
    failing_since: 'bigint',
    unmet_since: 'bigint',
    facts: 'text',
    reason: 'text',
    due_at: 'bigint',
  } as const
  const names = [...Object.keys(keyColumns), ...Object.keys(values)]
  const changes = Object.keys(values).map((name) => sql`${sql.ref(name)} = ${sql.ref(`excluded.${name}`)}`)
  await sql`
    insert into expectation_states (${sql.join(names.map((name) => sql.ref(name)))})
    select ${sql.join(names.map((name) => sql.ref(`rows.${name}`)))}
    from ${rowsOf(tx, records, { ...keyColumns, ...values })}
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
