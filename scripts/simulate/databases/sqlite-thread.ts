// The thread of SQLite in a simulated process: real statements on a real file. The write lock of the file is kept here,
// because a statement that waits for it would stop all processes.
import {
  type Connection,
  openConnection,
  type Opening,
  type StatementResult,
  type Work,
} from '../../../storage/records/database/sqlite/open-connection.ts'
import { isRead } from '../../../storage/records/database/sqlite/sqlite-driver.ts'
import { machine, type Owner } from '../machine/machine.ts'
import { programs, type ThreadProgram, type ThreadSide } from '../machine/patch-threads.ts'
import { type StatementFate, statementFates, StatementLabels } from './statements.ts'

/** A connection of a process. */
type Writer = { readonly owner: Owner }

/** Who holds the write lock of the database; undefined while nobody does. */
let writer: Writer | undefined

/** Longest wait between two tries to take the write lock, in milliseconds. Source: `sqliteDefaultBusyCallback`. */
const maxRetryMs = 50

/** Longest work of a thread after a pause, in milliseconds. */
const maxLateMs = 40

/** Makes processes that open a file of SQLite use this thread. */
export function useSqlite(): void {
  programs.set('sqlite-worker.ts', (side) => new SqliteThread(side))
  statementFates.holdsLock = (owner) => writer?.owner === owner
}

class SqliteThread implements ThreadProgram {
  readonly #side: ThreadSide
  readonly #writer: Writer
  readonly #opening: Opening
  #connection: Connection | undefined
  readonly #requests: (Work | 'close')[] = []
  readonly #labels = new StatementLabels()
  #isBusy = false

  constructor(side: ThreadSide) {
    this.#side = side
    this.#writer = { owner: side.owner }
    this.#opening = side.data as Opening // `SqliteThread` of the service starts threads with it
    this.#isBusy = true
    const open = () => {
      this.#connection = openConnection({ ...this.#opening, busyTimeoutMs: 0 })
      return []
    }
    this.#answer(describe(open), 0)
  }

  receive(message: unknown): void {
    this.#requests.push(message as Work | 'close') // the messages of the service
    if (!this.#isBusy) this.#next()
  }

  end(): void {
    this.#connection?.close()
    this.#connection = undefined
    this.#release()
  }

  #next(): void {
    const work = this.#requests.shift()
    this.#isBusy = work !== undefined
    if (work === undefined) return
    if (work === 'close') {
      this.end()
      this.#answer({ results: [] }, 0)
      machine.plan(1, 'thread ends', () => this.#side.exit())
      return
    }
    const label = this.#labels.label(work.statements.map(({ sql }) => sql))
    const { owner } = this.#side
    const fate = statementFates.decide(owner, label)
    machine.onStep(owner, `before ${label}`)
    machine.plan(
      fate.ms,
      `sql ${label}`,
      () => this.#run(work, label, fate, machine.now + this.#opening.busyTimeoutMs - (work.waitedMs ?? 0)),
      { owner },
    )
  }

  /** Executes statements when nobody else writes, or fails when that takes too long. */
  #run(work: Work, label: string, fate: StatementFate, until: number): void {
    const { owner } = this.#side
    const isBlocked = needsLock(work) && writer !== undefined && writer !== this.#writer
    if (isBlocked && machine.now < until) {
      const retry = () => this.#run(work, label, fate, until)
      machine.plan(machine.random.between(1, maxRetryMs), `sql ${label} waits for the lock`, retry, { owner })
      return
    }
    const execute = () => {
      if (isBlocked) throw sqliteError('SQLITE_BUSY', 'database is locked')
      if (fate.code !== undefined && fate.failsAfterEffect !== true) throw sqliteError(fate.code, 'simulated')
      // The connection rolls back what an error has left.
      if (work.mode !== 'inside') this.#release()
      const results = this.#connection?.execute(work) ?? []
      traceWork(work, results)
      const [first] = work.statements
      if (first?.sql === 'begin immediate') writer = this.#writer
      if (first?.sql === 'commit' || first?.sql === 'rollback') this.#release()
      if (fate.code !== undefined) throw sqliteError(fate.code, 'simulated, after the effect')
      return results
    }
    const answer = describe(execute)
    if ('failure' in answer && work.mode === 'inside') this.#releaseAfterFailure(work)
    machine.onStep(owner, `after ${label}`)
    this.#answer(answer, fate.answerMs)
  }

  #release(): void {
    if (writer === this.#writer) writer = undefined
  }

  /** A statement that fails leaves the transaction open, but a failed commit may not. */
  #releaseAfterFailure({ statements: [first] }: Work): void {
    if (first?.sql === 'commit' || first?.sql === 'rollback') this.#release()
  }

  /**
   * A process that was paused or killed meanwhile gets the answer later, or never. Its thread is paused too, and may
   * end its work after the process has sent a heartbeat.
   */
  #answer(answer: unknown, ms: number): void {
    const post = () => {
      this.#side.post(answer)
      this.#next()
    }
    const { owner } = this.#side
    const pausedMs = Math.max(0, owner.pausedUntil - machine.now)
    const lateMs = pausedMs > 0 && machine.random.chance(0.8) ? pausedMs + machine.random.between(1, maxLateMs) : ms
    if (lateMs === 0 && owner.isAlive && pausedMs === 0) post()
    else machine.plan(lateMs, 'sql is answered', post, { owner })
  }
}

function needsLock({ mode, statements: [first] }: Work): boolean {
  if (mode === 'together') return true
  return mode === 'alone' && first !== undefined && !isRead(first.sql) && !/^pragma\b/i.test(first.sql)
}

function describe(run: () => StatementResult[]) {
  try {
    const results = run()
    // Rows of SQLite.
    for (const { rows } of results) unwrapBuffers(rows as Record<string, unknown>[])
    return { results }
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'SQLITE_MISUSE'
    return { failure: { code, message } }
  }
}

/** Messages between threads are copies, in which buffers are plain bytes. */
function unwrapBuffers(rows: readonly Record<string, unknown>[]): void {
  const names = Object.keys(rows[0] ?? {})
  for (const row of rows) {
    for (const name of names) {
      const value = row[name]
      if (Buffer.isBuffer(value)) row[name] = new Uint8Array(value)
    }
  }
}

function sqliteError(code: string, message: string): Error {
  return Object.assign(new Error(message), { code })
}

function traceWork({ statements }: Work, results: readonly StatementResult[]): void {
  for (const { sql, parameters } of statements) {
    machine.trace.mix(sql)
    machine.trace.mix(
      JSON.stringify(parameters, (_, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value)),
    )
  }
  for (const { rows, changes } of results) machine.trace.mix(`${rows.length} ${changes ?? 0}`)
}
