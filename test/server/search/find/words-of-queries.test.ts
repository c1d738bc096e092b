// What the words of a query find in whatever order they are, and what is said of those that nothing has.
import { t } from 'tap'
import { testOnEngines } from '../../../storage/records/database/engines.ts'
import { indexRepository, search } from './indexed-corpus.ts'

const test = await testOnEngines(t)

test('the order of the words of a query does not change the order of results', async (t, { db }) => {
  await indexRepository(db, 'acme', 'corpus', [
    { path: 'ice', variables: { salt: {}, ice: {} } },
    { path: 'other', attributes: { title: 'Salt' }, variables: { ice: {}, plain: { comment: 'salt' } } },
  ])
  const list = async (q: string) => (await search(db, { q })).results.map(({ group }) => group)
  t.strictSame(await list('salt - ice '), await list('ice - salt '))
})

test('phrases are found in every text of a dataset and of its variables', async (t, { db }) => {
  const texts = ['summary', 'comment', 'description', 'history', 'source', 'note'] as const
  await indexRepository(db, 'acme', 'corpus', [
    ...texts.map((name) => ({ path: `own/${name}`, attributes: { [name]: `${name}: sea ice drift of buoys` } })),
    ...texts.map((name) => ({ path: `of/${name}`, variables: { v: { [name]: `${name}: Sea-ice drifts (buoys)` } } })),
    {
      path: 'spread',
      attributes: { comment: 'ice drift', source: 'sea' },
      variables: { v: { comment: 'sea, drift ice' } },
    },
    { path: 'dimension', sizes: { sea_ice_drift: 1n } },
  ])
  t.equal((await search(db, { q: '"sea ice drift"' })).total, 2 * texts.length + 1)
  t.equal((await search(db, { q: 'sea ice drift ' })).total, 2 * texts.length + 2)
})

test('names that end in digits are found by inflected forms of their letters', async (t, { db }) => {
  await indexRepository(db, 'acme', 'corpus', [{ path: 'emissions2020' }])
  for (const q of ['emissions ', 'emission ', 'emissions2020 ']) t.match(await search(db, { q }), { total: 1 }, q)
})

test('a word that nothing has is listed once', async (t, { db }) => {
  await indexRepository(db, 'acme', 'corpus', [{ path: 'ice' }])
  const { unknown_words } = await search(db, { q: 'salt ice salt' })
  t.strictSame(unknown_words, [{ word: 'salt', near: [], repository: null }])
})

test('a change that a wrong clock dates after 2038 comes first and is not lost', async (t, { db }) => {
  await indexRepository(db, 'acme', 'corpus', [
    { path: 'now', changedAt: Date.UTC(2026) },
    { path: 'wrong', changedAt: Date.UTC(9_999) },
  ])
  const { total, results } = await search(db, { sort: 'changed' })
  t.equal(total, 2)
  t.strictSame(
    results.map(({ group }) => group),
    ['wrong', 'now'],
  )
})
