// What a caller may not read changes neither his answers nor the work that they take.
import type { SearchQuery } from '../../../../server/search/page/search-query.ts'
import type { Database } from '@floe/storage/database'
import type { KyselyPlugin } from 'kysely'
import { t } from 'tap'
import { testOnEngines } from '../../../storage/records/database/engines.ts'
import { indexRepository, type MadeUpDataset, search } from './indexed-corpus.ts'

const test = await testOnEngines(t)

const open: MadeUpDataset[] = [
  { path: 'daily', attributes: { title: 'Open record' }, variables: { tas: { long_name: 'Air temperature' } } },
  { path: 'hourly', variables: { tempest: { units: 'm/s' } } },
]

/** Words, values and beginnings, each once in the hidden repositories, and once nowhere at all. */
const pairs: readonly (readonly [SearchQuery, SearchQuery])[] = [
  [{ q: 'zeppelin ' }, { q: 'zeppolini ' }],
  [{ q: 'zep' }, { q: 'zop' }],
  [{ q: 'air zeppelin ' }, { q: 'air zeppolini ' }],
  [{ q: '"zeppelin flight"' }, { q: '"zeppolini flight"' }],
  [{ variable: ['zeppelin'] }, { variable: ['zeppolini'] }],
  [{ units: ['zorkmid'] }, { units: ['zorkmod'] }],
  [{ attribute: ['secret=yes'] }, { attribute: ['secret=yep'] }],
  [{ institution: ['Hidden Institute'] }, { institution: ['Absent Institute'] }],
  [
    { q: 'zeppelin ', repo: ['hidden*'] },
    { q: 'zeppolini ', repo: ['absent*'] },
  ],
]

const hidden: MadeUpDataset[] = [
  {
    path: 'zeppelin',
    attributes: { title: 'Zeppelin flight', secret: 'yes', institution: 'Hidden Institute' },
    variables: { zeppelin: { units: 'zorkmid', long_name: 'Air temperature of the zeppelin' } },
  },
  ...Array.from({ length: 250 }, (_, index) => ({ path: `group-${index}`, variables: { [`tem${index}`]: {} } })),
]

/** A database that notes the size of what each of its statements returned. */
function noteSizes(db: Database): { readonly db: Database; readonly take: () => readonly number[] } {
  const sizes: number[] = []
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      sizes.push(JSON.stringify(result.rows).length)
      return result
    },
  }
  return { db: db.withPlugin(plugin), take: () => sizes.splice(0) }
}

// Proves: what a caller may not read changes neither the answer of a search nor what it reads
test('a search is the same whether or not a hidden repository has what it asks for', async (t, { db }) => {
  await indexRepository(db, 'acme', 'open', open)
  await indexRepository(db, 'acme', 'hidden', hidden)
  await indexRepository(db, 'rival', 'open', hidden)
  const noted = noteSizes(db)
  for (const [present, absent] of pairs) {
    const facets = ['variable', 'units', 'institution'] as const
    const seen = await search(noted.db, { ...present, facets: [...facets] }, { repos: ['open'] })
    const sizes = noted.take()
    const unseen = await search(noted.db, { ...absent, facets: [...facets] }, { repos: ['open'] })
    t.strictSame(sizes, noted.take(), `${JSON.stringify(present)} reads as much`)
    const answer = JSON.stringify(unseen).replaceAll('zeppolini', 'zeppelin').replaceAll('zop', 'zep')
    t.equal(JSON.stringify(seen), answer)
    t.equal((await search(db, present)).total, 1, 'a caller who may read it finds it')
  }
})

// Proves: beginnings are completed among what a caller can see
test('hundreds of hidden words with the same beginning hide no visible match', async (t, { db }) => {
  await indexRepository(db, 'acme', 'hidden', hidden)
  await indexRepository(db, 'acme', 'open', open)
  t.match(await search(db, { q: 'tem' }, { repos: ['open'] }), {
    total: 2,
    results: [{ repo: 'open' }, { repo: 'open' }],
  })
})

test('near words come from what a caller can see', async (t, { db }) => {
  await indexRepository(db, 'acme', 'hidden', hidden)
  await indexRepository(db, 'acme', 'open', open)
  t.match(await search(db, { q: 'zeppelyn ' }), { unknown_words: [{ word: 'zeppelyn', near: ['zeppelin'] }] })
  t.strictSame((await search(db, { q: 'zeppelyn ' }, { repos: ['open'] })).unknown_words, [
    { word: 'zeppelyn', near: [], repository: null },
  ])
  t.match(await search(db, { q: 'hidde ' }), { unknown_words: [{ repository: 'hidden' }] })
  t.match(await search(db, { q: 'hidde ' }, { repos: ['open'] }), { unknown_words: [{ repository: null }] })
})
