// The server of PostgreSQL: one PGlite in memory, which knows neither sessions nor waits. Each connection is a session
// here. One of them at a time has a transaction; meanwhile, statements of the others wait.
import { PGlite } from '@electric-sql/pglite'
import { readCopy } from '../../../test/storage/records/database/open-pglite.ts'
import { machine, type Owner } from '../machine/machine.ts'
import { type Connection, type Host, hosts, type Peer } from '../machine/patch-network.ts'
import { SeededRandom } from '../../history/seeded-random.ts'
import { type PostgresMessage, readTexts, splitMessages, writeMessage } from './postgres-messages.ts'
import { PostgresSession } from './postgres-session.ts'
import { statementFates } from './statements.ts'
// The service loads these on demand, and the machine does not wait for that.
import '../../../storage/records/database/postgres/listener.ts'
import '../../../storage/records/database/postgres/open-postgres.ts'

const host = 'database.example'

/** A deadlock, a full disk, and a statement that was cancelled. */
const codes = ['40P01', '53100', '57014']

/** Starts the server; returns the address of its database. */
export async function startPostgres(): Promise<string> {
  const loadDataDir = await readCopy()
  // Whoever had to make the copy has drawn random numbers, and PGlite draws others for its timers.
  machine.random = new SeededRandom(0)
  const server = new PostgresServer(await PGlite.create({ loadDataDir }))
  hosts.set(host, server)
  statementFates.codes = codes
  statementFates.holdsLock = (owner) => server.isHeldBy(owner)
  return `postgres://floe@${host}/floe`
}

export class PostgresServer implements Host {
  readonly address = '10.9.0.1'
  readonly waiting = new Set<() => void>()
  readonly #pglite: PGlite
  readonly #sessions = new Set<PostgresSession>()
  /** The session that has a transaction. */
  #holder: PostgresSession | undefined
  #greeting: Buffer | undefined
  /** The texts of prepared statements. All sessions share them, because a name has the same text in all. */
  readonly #prepared = new Map<string, string>()

  constructor(pglite: PGlite) {
    this.#pglite = pglite
  }

  lookUp(): { readonly ms: number } {
    return { ms: 0 }
  }

  connect(): { readonly ms: number; readonly code?: string } {
    const { ms, code } = statementFates.decide(machine.owner ?? machine.world, 'connect')
    return { ms, ...(code && { code: 'ECONNREFUSED' }) }
  }

  accept(connection: Connection): Peer {
    const session = new PostgresSession(this, connection)
    this.#sessions.add(session)
    return session
  }

  greet(startup: Buffer): Buffer {
    // Once, because PGlite has one session.
    return (this.#greeting ??= Buffer.from(this.#pglite.execProtocolRawSync(startup)))
  }

  findText(name: string): string {
    return this.#prepared.get(name) ?? ''
  }

  isFreeFor(session: PostgresSession): boolean {
    return this.#holder === undefined || this.#holder === session
  }

  isHeldBy(owner: Owner): boolean {
    return this.#holder?.owner === owner
  }

  execute(session: PostgresSession, messages: readonly PostgresMessage[]) {
    const [first] = messages
    const [name = '', text = ''] = first?.type === 'P' ? readTexts(first) : []
    // PGlite would not prepare it again for another session.
    const isPrepared = this.#prepared.has(name)
    const sent = Buffer.concat(messages.slice(isPrepared ? 1 : 0).map(({ bytes }) => bytes))
    const received: Uint8Array[] = []
    // Executes at once. Without a function for the answer, PGlite would parse it too.
    void this.#pglite.execProtocolRawStream(sent, { syncToFs: false, onRawData: (data) => received.push(data.slice()) })
    const answers = splitMessages(Buffer.concat(received)).messages
    machine.trace.mix(`${sent.toString('latin1')} ${answers.map(({ type }) => type).join('')}`)
    if (name !== '' && answers[0]?.type === '1') this.#prepared.set(name, text)
    for (const answer of answers) if (answer.type === 'A') this.#notify(answer)
    const isInTransaction = this.#pglite.isInTransaction()
    this.#holder = isInTransaction ? session : undefined
    const own = answers.filter(({ type }) => type !== 'A').map(({ bytes }) => bytes)
    return { answer: Buffer.concat([...(isPrepared ? [writeMessage('1')] : []), ...own]), isInTransaction }
  }

  admit(): void {
    for (const enter of this.waiting) {
      if (this.#holder !== undefined) return
      this.waiting.delete(enter)
      enter()
    }
  }

  leave(session: PostgresSession): void {
    this.#sessions.delete(session)
    if (this.#holder === session) this.execute(session, [{ type: 'Q', bytes: writeMessage('Q', 'rollback\0') }])
    this.admit()
  }

  #notify(notification: PostgresMessage): void {
    // Behind the number of the process that sent it.
    const [channel = ''] = readTexts(notification, 4)
    for (const session of this.#sessions) if (session.channels.has(channel)) session.send(notification.bytes)
  }
}
