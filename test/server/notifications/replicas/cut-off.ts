import type { Database } from '@floe/storage/database'

/** The same database over a connection that a test can cut. */
export function makeCuttable(db: Database) {
  const connection = { isCut: false }
  const get = (target: Database, name: string | symbol) => {
    if (connection.isCut) throw new Error('the database is out of reach')
    const value: unknown = Reflect.get(target, name)
    return typeof value === 'function' ? value.bind(target) : value
  }
  return { connection, db: new Proxy(db, { get }) }
}
