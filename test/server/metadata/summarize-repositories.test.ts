import { ensureRepositories, openDatabase } from '@floe/storage/database'
import { t } from 'tap'
import { summarizeRepositories } from '../../../server/metadata/summarize-repositories.ts'
import { systemTiming } from '../../../server/timing.ts'
import { moveHead } from '../../storage/records/database/recorded.ts'
import { countQueries } from '../notifications/watch/watch.ts'

t.test('the number of queries does not depend on the number of repositories', async (t) => {
  const db = await openDatabase('sqlite::memory:')
  t.teardown(() => db.destroy())
  const names = Array.from({ length: 100 }, (_, index) => `r${index}`)
  const ids = await ensureRepositories(db, 'acme', names, new Date())
  for (const id of ids.values()) await moveHead(db, id, ['A', 'B'], new Date())
  const { queries, counting } = countQueries(db)
  const search = { enabled: true, branches: [] }
  const summarize = async (names: readonly string[]) => {
    const parts = { db: counting, timing: systemTiming, search }
    const summaries = await summarizeRepositories(
      parts,
      'acme',
      { names, troubles: new Map() },
      AbortSignal.timeout(60_000),
    )
    return { shown: summaries.filter(({ moves }) => moves.at(-1) === 1).length, queries: queries.splice(0).length }
  }
  const [one, all] = [await summarize(['r1']), await summarize(names)]
  t.strictSame([one.shown, all.shown], [1, 100])
  t.equal(one.queries, all.queries)
  t.ok(one.queries <= 8, `${one.queries} queries`)
})
