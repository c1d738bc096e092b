// A session of the simulated server of PostgreSQL: executes the statements of a connection one after the other.
import { machine, type MachineEvent, type Owner } from '../machine/machine.ts'
import type { Connection, Peer } from '../machine/patch-network.ts'
import {
  type PostgresMessage,
  readStartup,
  readTexts,
  splitMessages,
  writeError,
  writeMessage,
} from './postgres-messages.ts'
import { type StatementFate, statementFates, StatementLabels } from './statements.ts'

/** The messages of a statement; the last one asks for the answer. */
type Statement = { readonly messages: readonly PostgresMessage[]; readonly sql: string; readonly label: string }

/** Limit in milliseconds where the client has set none. */
const noLimit = 2 ** 31

/** PostgreSQL does not refuse these; but their connection may be lost. */
const unrefused: ReadonlySet<string> = new Set(['begin', 'rollback'])

const waitedTooLong = Buffer.concat([
  writeError('57014', 'canceling statement due to statement timeout'),
  writeMessage('Z', 'I'),
])
const idleTooLong = writeError('25P03', 'terminating connection due to idle-in-transaction timeout')

/** The part of the server that a session uses. */
type SessionServer = {
  /** Statements that wait for the end of a transaction, in order. */
  readonly waiting: Set<() => void>
  /** Answers the first message of a client. */
  greet(startup: Buffer): Buffer
  /** Returns the text of a prepared statement. */
  findText(name: string): string
  /** Whether no other session has a transaction. */
  isFreeFor(session: PostgresSession): boolean
  /** Executes the messages of a statement of a session for which the server is free. */
  execute(
    session: PostgresSession,
    messages: readonly PostgresMessage[],
  ): { readonly answer: Buffer; readonly isInTransaction: boolean }
  /** Executes statements that wait, until one of them begins a transaction. */
  admit(): void
  /** Ends a session, and its transaction. */
  leave(session: PostgresSession): void
}

export class PostgresSession implements Peer {
  readonly channels = new Set<string>()
  readonly #server: SessionServer
  readonly #connection: Connection
  readonly #labels = new StatementLabels()
  #received: Buffer = Buffer.alloc(0)
  /** Undefined until the client has begun. */
  #parameters: ReadonlyMap<string, string> | undefined
  #messages: PostgresMessage[] = []
  /** What the client has sent; undefined stands for the end of the connection. */
  readonly #statements: (Statement | undefined)[] = []
  #isBusy = false
  #isInTransaction = false
  #hasEnded = false
  /** Ends a transaction whose client sends nothing. */
  #idle: MachineEvent | undefined

  constructor(server: SessionServer, connection: Connection) {
    this.#server = server
    this.#connection = connection
  }

  receive(bytes: Buffer): void {
    this.#received = Buffer.concat([this.#received, bytes])
    if (this.#parameters === undefined) this.#begin()
    const { messages, rest } = splitMessages(this.#received)
    this.#received = rest
    for (const message of messages) {
      this.#messages.push(message)
      if (message.type === 'X') this.#add(undefined)
      if (message.type === 'S' || message.type === 'Q') this.#add(this.#describe(this.#messages.splice(0)))
    }
  }

  get owner(): Owner {
    return this.#connection.owner
  }

  /** What was received before is executed first, unless the connection was reset. */
  close(): void {
    if (machine.random.chance(0.5)) this.#end()
    else this.#add(undefined)
  }

  send(bytes: Buffer): void {
    this.#connection.send(bytes)
  }

  #begin(): void {
    const length = this.#received.readInt32BE(0)
    const startup = this.#received.subarray(0, length)
    this.#received = this.#received.subarray(length)
    this.#parameters = readStartup(startup)
    this.send(this.#server.greet(startup))
  }

  #describe(messages: readonly PostgresMessage[]): Statement {
    const [first] = messages
    const [name = '', text = ''] = first === undefined ? [] : readTexts(first)
    // To bind, a client names a portal and a statement.
    const sql = first?.type === 'Q' ? name : first?.type === 'P' ? text : this.#server.findText(text)
    return { messages, sql, label: this.#labels.label([sql]) }
  }

  #add(statement: Statement | undefined): void {
    if (this.#hasEnded) return
    this.#statements.push(statement)
    if (this.#idle !== undefined) this.#idle.isCancelled = true
    if (!this.#isBusy) this.#next()
  }

  #next(): void {
    this.#isBusy = this.#statements.length > 0
    if (!this.#isBusy) {
      if (this.#isInTransaction) this.#limitIdleness()
      return
    }
    const statement = this.#statements.shift()
    if (statement === undefined) {
      this.#end()
      return
    }
    const fate = statementFates.decide(this.owner, statement.label)
    this.#reach(statement, 'before')
    this.#plan(fate.ms, `sql ${statement.label}`, () => this.#enter(statement, fate))
  }

  /** Waits while another session has a transaction, but not longer than a statement may take. */
  #enter(statement: Statement, fate: StatementFate): void {
    if (this.#server.isFreeFor(this)) {
      this.#execute(statement, fate)
      return
    }
    const ms = unrefused.has(statement.label) ? noLimit : this.#findLimit('statement_timeout')
    const enter = () => {
      limit.isCancelled = true
      this.#execute(statement, fate)
    }
    const limit = this.#plan(ms, 'sql waits too long', () => {
      this.#server.waiting.delete(enter)
      this.#answer(waitedTooLong)
    })
    this.#server.waiting.add(enter)
  }

  #execute(statement: Statement, { code, failsAfterEffect = false, answerMs }: StatementFate): void {
    if (this.#hasEnded) return
    const { messages, sql, label } = statement
    const isLost = code !== undefined && (failsAfterEffect || unrefused.has(label))
    const isRefused = code !== undefined && !isLost
    const { answer, isInTransaction } = this.#server.execute(this, isRefused ? [raise(code)] : messages)
    this.#isInTransaction = isInTransaction
    const channel = /^listen "(.+)"$/.exec(sql)?.[1]
    if (channel !== undefined) this.channels.add(channel)
    this.#reach(statement, 'after')
    if (isLost) this.#end(true)
    else this.#plan(answerMs, answerMs === 0 ? 'turn' : 'sql is answered', () => this.#answer(answer))
    this.#server.admit()
  }

  #answer(answer: Buffer): void {
    if (this.#hasEnded) return
    this.send(answer)
    this.#next()
  }

  #limitIdleness(): void {
    this.#idle = this.#plan(this.#findLimit('idle_in_transaction_session_timeout'), 'sql is idle', () => {
      statementFates.onIdleEnd()
      this.send(idleTooLong)
      this.#end()
    })
  }

  #end(isReset = false): void {
    if (this.#hasEnded) return
    this.#hasEnded = true
    if (this.#idle !== undefined) this.#idle.isCancelled = true
    this.#connection.end(isReset)
    this.#server.leave(this)
  }

  #findLimit(parameter: string): number {
    return Number(this.#parameters?.get(parameter) ?? noLimit)
  }

  #reach({ label }: Statement, moment: 'before' | 'after'): void {
    if (this.owner.isAlive) machine.onStep(this.owner, `${moment} ${label}`)
  }

  #plan(ms: number, label: string, run: () => void): MachineEvent {
    return machine.plan(ms, label, run, { owner: machine.world, detail: this.owner.name })
  }
}

/** A query that fails, which ends the transaction as other failures do. */
function raise(code: string): PostgresMessage {
  const sql = `do $$ begin raise exception 'simulated' using errcode = '${code}'; end $$`
  return { type: 'Q', bytes: writeMessage('Q', `${sql}\0`) }
}
