import type { Database } from '@floe/storage/database'
import { CompiledQuery } from 'kysely'

/** The queries that `read` makes, as SQLite would run them. */
export async function explainQueries(db: Database, read: (spied: Database) => Promise<unknown>): Promise<string[][]> {
  const queries: CompiledQuery[] = []
  const spied = db.withPlugin({
    transformQuery: ({ node, queryId }) => {
      queries.push(db.getExecutor().compileQuery(node, queryId))
      return node
    },
    transformResult: async ({ result }) => result,
  })
  await read(spied)
  const plans: string[][] = []
  for (const { sql, parameters } of queries) {
    const explain = CompiledQuery.raw(`explain query plan ${sql}`, [...parameters])
    plans.push((await db.executeQuery<{ detail: string }>(explain)).rows.map(({ detail }) => detail))
  }
  return plans
}

/** The last query that `read` makes, as SQLite would run it. */
export async function explainLastQuery(db: Database, read: (spied: Database) => Promise<unknown>): Promise<string[]> {
  return (await explainQueries(db, read)).at(-1) ?? []
}
