import type { Database } from '@floe/storage/database'

/** The same database over a connection that a test can cut, and how often it was used. */
export function makeCuttable(db: Database) {
  const connection = { isCut: false, uses: 0, transactions: 0 }
  const get = (target: Database, name: string | symbol) => {
    connection.uses++
    if (name === 'transaction') connection.transactions++
    if (connection.isCut) throw new Error('the database is out of reach')
    const value: unknown = Reflect.get(target, name)
    return typeof value === 'function' ? value.bind(target) : value
  }
  return { connection, db: new Proxy(db, { get }) }
}
