// Two lanes to one database. An ordinary statement can wait for thousands of others of the process. A heartbeat must
// not: other replicas would take the process for dead.
import { type Dialect, Kysely } from 'kysely'
import type { Tables } from './tables.ts'

/** Two dialects for one database. A statement of the urgent one waits at most for the transaction that runs now. */
export type Lanes = { readonly ordinary: Dialect; readonly urgent: Dialect }

/** A database with an urgent lane. */
export class LanedDatabase extends Kysely<Tables> {
  /**
   * The same database, for heartbeats. They go before all other statements of this process. Closed with the database.
   */
  readonly urgent: Kysely<Tables>
  /** The address that it was opened with, so that a thread can open it too. */
  readonly url: string

  constructor({ ordinary, urgent }: Lanes, url: string) {
    super({ dialect: ordinary })
    this.url = url
    this.urgent = new Kysely<Tables>({ dialect: urgent })
  }

  override async destroy(): Promise<void> {
    await this.urgent.destroy()
    await super.destroy()
  }
}
