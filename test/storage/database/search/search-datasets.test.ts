// Searches on both engines give what a plain scan of the datasets gives.
import {
  countFacets,
  deleteUnusedTerms,
  countWithoutExtent,
  extendLease,
  findHeadToIndex,
  finishIndexing,
  type IndexedDataset,
  prepareSearch,
  type Database,
  type Search,
  searchDatasets,
  writeDatasets,
} from '@floe/storage/database'
import { t } from 'tap'
import { addWords, splitQuery, writeWords } from '../../../../server/reading/search/words.ts'
import { testOnEngines } from '../engines.ts'
import { at, moveHead } from '../recorded.ts'
import { rememberRepository } from '../remember-repository.ts'

const test = await testOnEngines(t)

/** Random numbers below a bound, the same in each run. */
function makeRandom(seed: number) {
  let state = seed
  return (bound: number) => {
    state = (state * 48_271) % 2_147_483_647
    return state % bound
  }
}

const stems = ['air', 'sea', 'Surface', 'temperature', 'wind', 'sst', 'Größe', '温度', 'windSpeed', 'air_temperature']
const units = ['K', 'm s-1', '%', 'kg_m"2', "it's"]

/** A dataset of a corpus, as a plain scan looks at it. */
type Described = {
  readonly repo: string
  readonly path: string
  readonly texts: readonly string[]
  readonly names: readonly string[]
  readonly units: readonly string[]
  readonly bbox: IndexedDataset['bbox']
  readonly startsAt: number | null
  readonly endsAt: number | null
}

type Pick = ReturnType<typeof makeRandom>

function describeAny(pick: Pick, repo: string, place: number): Described {
  const word = () => stems[pick(stems.length)] ?? ''
  const names = [`${word()}/${word()} ${place}`, ...Array.from({ length: 3 }, () => `${word()}_${word()}`)]
  const texts = [...names, `${word()} ${word()} ${word()}`, `${word()}, ${word()}`]
  const west = pick(360) - 180
  const south = pick(150) - 80
  const box = [west, south, west + pick(60), south + pick(10)] as const
  const [startsAt, endsAt] = [pick(3) === 0 ? null : pick(1_000), pick(3) === 0 ? null : 1_000 + pick(1_000)]
  const own = [units[pick(units.length)] ?? '', units[pick(units.length)] ?? '']
  return { repo, path: names[0] ?? '', texts, names, units: own, bbox: pick(4) === 0 ? null : box, startsAt, endsAt }
}

function listWords(texts: readonly string[]): Set<string> {
  const words = new Set<string>()
  for (const text of texts) addWords(words, text)
  return words
}

function toIndexed({ path, texts, names, units, bbox, startsAt, endsAt }: Described): IndexedDataset {
  return {
    path,
    fingerprint: path,
    terms: { word: [...listWords(texts)], name: [...listWords(names)], units: [...new Set(units)] },
    words: texts.map((text) => ` ${writeWords(text)} `).join('\n'),
    content: JSON.stringify({ path }),
    bbox,
    startsAt,
    endsAt,
  }
}

async function fill(db: Database, org: string, corpus: readonly Described[]): Promise<void> {
  for (const repo of new Set(corpus.map(({ repo }) => repo))) {
    const repoId = await rememberRepository(db, org, repo, at(1))
    await moveHead(db, repoId, ['A'], at(1))
    const due = await findHeadToIndex(db, [], at(2))
    if (due === undefined) throw new TypeError('no head is due')
    let head = await extendLease(db, due, at(3).getTime())
    const changed = corpus.filter((dataset) => dataset.repo === repo).map(toIndexed)
    head = await writeDatasets(db, head, { changed, removed: [] }, at(4).getTime())
    await finishIndexing(db, head, { omitted: 0, now: at(4) })
  }
}

const anything: Omit<Search, 'org'> = {
  repos: null,
  globs: [],
  words: [],
  phrases: [],
  values: [],
  bbox: null,
  time: null,
}

function chooseSearch(pick: Pick): Omit<Search, 'org'> {
  const word = () => stems[pick(stems.length)] ?? ''
  const queries = [word(), `${word()} `, word().slice(0, 2), `${word()} ${word()}`, `"${word()} ${word()}"`, '']
  const west = pick(360) - 180
  return {
    ...anything,
    ...splitQuery(queries[pick(queries.length)] ?? ''),
    ...(pick(3) === 0 && { values: [{ kind: 'units', values: [units[pick(5)] ?? '', units[pick(5)] ?? ''] }] }),
    ...(pick(3) === 0 && { bbox: [west, -40, west + 100, 40] }),
    ...(pick(4) === 0 && { time: { start: pick(2_000), end: pick(2) === 0 ? null : 2_500 } }),
    ...(pick(4) === 0 && { globs: ['r*1', 'repo?'] }),
    ...(pick(4) === 0 && { repos: ['repo0', 'r[]1'] }),
  }
}

/** Applies the rules of a search to each dataset, one after the other. */
function scan(corpus: readonly Described[], search: Omit<Search, 'org'>) {
  const found = corpus.flatMap((dataset) => {
    const { repo, texts, names, units, bbox, startsAt, endsAt } = dataset
    const has = (words: ReadonlySet<string>) => (wanted: Search['words'][number]) =>
      wanted.isBeginning ? [...words].some((word) => word.startsWith(wanted.value)) : words.has(wanted.value)
    const matches = [
      search.repos === null || search.repos.includes(repo),
      search.globs.length === 0 || /^(?:r.*1|repo.)$/u.test(repo),
      search.words.every(has(listWords(texts))),
      search.phrases.every((phrase) => texts.some((text) => ` ${writeWords(text)} `.includes(` ${phrase} `))),
      search.values.every(({ values }) => values.some((value) => units.includes(value))),
      search.bbox === null || (bbox !== null && meets(bbox, search.bbox)),
      search.time === null ||
        ((startsAt !== null || endsAt !== null) &&
          (search.time.end === null || (startsAt ?? -Infinity) <= search.time.end) &&
          (search.time.start === null || (endsAt ?? Infinity) >= search.time.start)),
    ]
    if (!matches.every(Boolean)) return []
    return [{ ...dataset, score: search.words.filter(({ value }) => listWords(names).has(value)).length }]
  })
  const order = (left: string, right: string) => Buffer.compare(Buffer.from(left), Buffer.from(right))
  return found.sort((a, b) => b.score - a.score || order(a.repo, b.repo) || order(a.path, b.path))
}

function meets(one: NonNullable<Search['bbox']>, other: NonNullable<Search['bbox']>): boolean {
  const [west, south, east, north] = one
  return (
    south <= other[3] &&
    north >= other[1] &&
    [-360, 0, 360].some((turn) => west <= other[2] + turn && east >= other[0] + turn)
  )
}

const options = { after: null, limit: 1_000, maxRanked: 10_000, facetDatasets: 2_000 }

async function findPaths(db: Database, search: Search): Promise<readonly string[]> {
  const prepared = await prepareSearch(db, search)
  if (prepared === undefined) return []
  const { rows } = await searchDatasets(db, prepared, options)
  return rows.map(({ score, repo, path }) => `${score} ${repo} ${path}`)
}

test('500 random searches find what a plain scan finds, in the same order', async (t, { db }) => {
  const pick = makeRandom(7)
  const repos = ['repo0', 'r[]1', 'R%1', 'über1']
  const corpus = Array.from({ length: 120 }, (_, place) => describeAny(pick, repos[place % 4] ?? '', place))
  await fill(db, 'acme', corpus)
  await fill(db, 'other', corpus.slice(0, 20))
  for (let count = 0; count < 500; count++) {
    const search = chooseSearch(pick)
    const expected = scan(corpus, search).map(({ score, repo, path }) => `${score} ${repo} ${path}`)
    const found = await findPaths(db, { ...search, org: 'acme' })
    if (!t.strictSame(found, expected, JSON.stringify(search))) break
  }
})

test('pages follow each other, and counts are those of all pages', async (t, { db }) => {
  const pick = makeRandom(11)
  const corpus = Array.from({ length: 60 }, (_, place) => describeAny(pick, 'weather', place))
  await fill(db, 'acme', corpus)
  const search = { ...anything, org: 'acme', ...splitQuery('air') }
  const prepared = await prepareSearch(db, search)
  if (prepared === undefined) throw new TypeError('no dataset has the word')
  const all = await searchDatasets(db, prepared, options)
  const paged: string[] = []
  for (let after: (typeof all.rows)[number] | null | undefined = null; after !== undefined;) {
    const { rows } = await searchDatasets(db, prepared, { ...options, after, limit: 7 })
    paged.push(...rows.map(({ path }) => path))
    after = rows.at(-1)
  }
  t.strictSame(
    paged,
    all.rows.map(({ path }) => path),
  )
  t.equal(all.total, all.rows.length)
  const counts = await countFacets(db, all.facets, ['units'], 3)
  const found = scan(corpus, search)
  const count = (value: string) => found.filter(({ units }) => units.includes(value)).length
  const expected = units.map((value) => ({ value, count: count(value) })).sort((a, b) => b.count - a.count)
  t.strictSame(
    counts.get('units')?.map(({ count }) => count),
    expected.slice(0, 3).map(({ count }) => count),
  )
  for (const { value, count: counted } of counts.get('units') ?? []) t.equal(counted, count(value))
  const inBox = await prepareSearch(db, { ...search, bbox: [0, 0, 1, 1] })
  t.equal(inBox && (await countWithoutExtent(db, inBox, 1_000)), found.filter(({ bbox }) => bbox === null).length)
})

test('a head that moves back while it is indexed is indexed again', async (t, { db }) => {
  const [one, two] = [0, 1].map((place) => describeAny(makeRandom(3), 'weather', place))
  if (one === undefined || two === undefined) throw new TypeError('there are two')
  await fill(db, 'acme', [one])
  const { id } = await db.selectFrom('repositories').select('id').executeTakeFirstOrThrow()
  await moveHead(db, id, ['B'], at(5))
  const due = await findHeadToIndex(db, [], at(6))
  if (due === undefined) throw new TypeError('no head is due')
  const head = await extendLease(db, due, at(7).getTime())
  await writeDatasets(db, head, { changed: [toIndexed(two)], removed: [one.path] }, at(8).getTime())
  // The process is killed here.
  await moveHead(db, id, ['A'], at(9))
  t.match(await findHeadToIndex(db, [], at(10)), { snapshotId: 'A' })
})

test('terms that no dataset has any more are deleted, a few at a time', async (t, { db }) => {
  const pick = makeRandom(5)
  const kept = describeAny(pick, 'weather', 0)
  const removed = { ...describeAny(pick, 'ocean', 1), texts: ['lonely'], units: ['furlong'] }
  await fill(db, 'acme', [kept, removed])
  const count = async () => (await db.selectFrom('search_terms').select('id').execute()).length
  const before = await count()
  await db.deleteFrom('search_datasets').where('path', '=', removed.path).execute()
  let rounds = 0
  for (let last = 0; rounds === 0 || last > 0; rounds++) last = await deleteUnusedTerms(db, last, 5)
  t.ok(rounds > 2)
  t.ok((await count()) < before)
  const values = (await db.selectFrom('search_terms').select('value').execute()).map(({ value }) => value)
  t.notOk(values.some((value) => value === 'lonely' || value === 'furlong'))
  const { terms } = toIndexed(kept)
  t.ok(Object.values(terms).every((own) => own.every((value) => values.includes(value))))
})
