import type { Database } from '@floe/storage/database'
import { CompiledQuery } from 'kysely'

/** The last query that `read` makes, as SQLite would run it. */
export async function explainLastQuery(db: Database, read: (spied: Database) => Promise<unknown>): Promise<string[]> {
  const queries: CompiledQuery[] = []
  const spied = db.withPlugin({
    transformQuery: ({ node, queryId }) => {
      queries.push(db.getExecutor().compileQuery(node, queryId))
      return node
    },
    transformResult: async ({ result }) => result,
  })
  await read(spied)
  const { sql, parameters } = queries.at(-1) ?? CompiledQuery.raw('select 1')
  const explain = CompiledQuery.raw(`explain query plan ${sql}`, [...parameters])
  return (await db.executeQuery<{ detail: string }>(explain)).rows.map(({ detail }) => detail)
}
