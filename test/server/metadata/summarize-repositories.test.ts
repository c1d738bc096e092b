import { ensureRepositories, openDatabase } from '@floe/storage/database'
import { t } from 'tap'
import { summarizeRepositories } from '../../../server/metadata/summarize-repositories.ts'
import { systemTiming } from '../../../server/timing.ts'
import { moveHead } from '../../storage/records/database/recorded.ts'
import { countQueries } from '../notifications/watch/watch.ts'
import { indexRepository } from '../search/find/indexed-corpus.ts'

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

t.test('a repository that states no title has that of its only dataset', async (t) => {
  const db = await openDatabase('sqlite::memory:')
  t.teardown(() => db.destroy())
  const titled = (path: string) => ({ path, attributes: { title: ['Sea ice'] } })
  await indexRepository(db, 'acme', 'single', [titled('ice')])
  await indexRepository(db, 'acme', 'pair', [titled('a'), titled('b')])
  const readTitles = async (enabled = true) => {
    const parts = { db, timing: systemTiming, search: { enabled } }
    const names = ['single', 'pair']
    const read = summarizeRepositories(parts, 'acme', { names, troubles: new Map() }, AbortSignal.timeout(60_000))
    return (await read).map(({ title }) => title)
  }
  t.strictSame(await readTitles(), ['Sea ice', null])
  t.strictSame(await readTitles(false), [null, null])
  await db.updateTable('repositories').set({ metadata: '{"title":"Ice"}' }).execute()
  t.strictSame(await readTitles(), ['Ice', 'Ice'])
})
