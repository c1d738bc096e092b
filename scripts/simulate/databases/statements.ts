// The statements that simulated databases execute: what they are called, and what can happen to them.
import { machine, type Owner } from '../machine/machine.ts'

/** What can happen to statements. */
export type StatementFate = {
  /** How long they take, and how long their answer takes, in milliseconds. */
  readonly ms: number
  readonly answerMs: number
  /** The code of an error: before they are executed, or after they took effect. */
  readonly code?: string | undefined
  readonly failsAfterEffect?: boolean
}

/** Decides what happens to statements; the plan of troubles replaces it. */
export const statementFates = {
  decide: (_owner: Owner, _label: string): StatementFate => ({ ms: machine.random.between(0.05, 0.8), answerMs: 0 }),
  /** Whether a process has a transaction that keeps others from writing. The database of this run decides. */
  holdsLock: (_owner: Owner): boolean => false,
  /** Called when the database ends a transaction for which the others have waited long enough. */
  onIdleEnd: () => {},
  /** Codes of the errors that the database of this run can have. */
  codes: ['SQLITE_BUSY', 'SQLITE_IOERR', 'SQLITE_FULL'] as readonly string[],
}

/** Names of statements, by a part of their text; the first one counts. */
const labels: readonly (readonly [RegExp, string])[] = [
  [/insert into attempts/, 'record'],
  [/with due as/, 'claim'],
  [/insert into "replicas"/, 'heartbeat'],
  [/update "heads" set "index_leased_by" = \S+ where "repo_id"/, 'lease'],
  [/update "heads" set "indexed_snapshot_id" = \S+ where/, 'index change'],
  [/"index_form" = \S+ where/, 'end of indexing'],
  [/from "source_names"/, 'read of names'],
  [/update "repositories" set "unreadable_since"/, 'readability'],
  [/insert into "events"/, 'event'],
  [/update "undelivered" set "awaits_digest"/, 'digest'],
  [/^begin\b/, 'begin'],
  [/^commit\b/, 'commit'],
  [/^rollback\b/, 'rollback'],
]

/** Names statements of a connection that are executed together. A commit is named by what its transaction did first. */
export class StatementLabels {
  #first: string | undefined

  label(texts: readonly string[]): string {
    const label = labelStatements(texts)
    if (label === 'commit' && this.#first !== undefined) return `commit of ${this.#first}`
    if (label === 'begin') this.#first = undefined
    else if (label !== 'read' && label !== 'write') this.#first ??= label
    return label
  }
}

function labelStatements(texts: readonly string[]): string {
  for (const [part, label] of labels) if (texts.some((sql) => part.test(sql))) return label
  return /^\s*(?:select|with)\b/i.test(texts[0] ?? '') ? 'read' : 'write'
}
