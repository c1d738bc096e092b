// Searches in an index of made-up datasets with 20 variables each, and how fast the index grows and how large it
// becomes.
// Usage: npm run bench -- search [--datasets 100000] [--per-repository 100] [--database postgres://USER@HOST/DATABASE]
// Uses a new SQLite file, or a new database on the server of `--database`.
import { loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { type SearchAnswer, searchFacets } from '@floe/contract'
import {
  type Database,
  databaseFile,
  findHeadToIndex,
  finishIndexing,
  leaseHead,
  type LanedDatabase,
  openDatabase,
  replaceShard,
} from '@floe/storage/database'
import { defaultLimits } from '@floe/storage/icechunk'
import { sql } from 'kysely'
import type { SearchTask } from '../../server/search/answer-search.ts'
import { parseSearch } from '../../server/search/parse-search.ts'
import type { SearchQuery } from '../../server/search/page/search-query.ts'
import { indexForm } from '../../server/search/describe/list-fingerprints.ts'
import { maxShardDatasets } from '../../server/search/form/places.ts'
import { readShardRows, ShardWriter } from '../../server/search/describe/write-shard.ts'
import { createMetrics } from '../../server/observation/metrics.ts'
import { ReaderPool } from '../../server/reading/threads/reader-pool.ts'
import { Searcher } from '../../server/search/searcher.ts'
import { systemTiming } from '../../server/timing.ts'
import { moveHead } from '../../test/storage/records/database/recorded.ts'
import { rememberRepository } from '../../test/storage/records/database/remember-repository.ts'
import { pick } from '../fuzz/mutations.ts'
import { createDatabase } from './deliveries/loopback-deliveries.ts'
import { makeDataset, places, quantities, random, standardNames } from './measuring/made-up-datasets.ts'
import { findMedian } from './measuring/table.ts'

const limitMs = 3_600_000
const repeats = 40
const warmUps = 3
const address = { v1: '/v1', deployment: 'tiles', org: 'acme', assetsRoot: '' }
const change = { fingerprint: 'x'.repeat(27), changedAt: 1_790_000_000_000, changedMessage: 'Append the run of 06 UTC' }

/** Returns how long describing and writing each shard took, in milliseconds. */
async function fill(db: Database, datasets: number, perRepository: number): Promise<readonly number[]> {
  const steps: number[] = []
  for (let written = 0; written < datasets;) {
    const now = new Date()
    const repo = `repository-${written / perRepository}`
    const repoId = await rememberRepository(db, 'acme', repo, now)
    await moveHead(db, repoId, ['A'], now)
    const due = await findHeadToIndex(db, { branches: [], replica: 'a', dueBy: new Date(), afterOrg: '', busyOrgs: [] })
    if (due === undefined) throw new TypeError('no head is due')
    const head = await leaseHead(db, due, 'a')
    for (let left = perRepository; left > 0; left -= maxShardDatasets) {
      const start = performance.now()
      const shard = new ShardWriter()
      for (let count = Math.min(left, maxShardDatasets); count > 0; count--, written++)
        shard.add(makeDataset(repo, written), change)
      await replaceShard(db, head, { shard: null, written: readShardRows(shard.write()) })
      steps.push(performance.now() - start)
    }
    await finishIndexing(db, head, { omitted: 0, form: indexForm, dueAt: new Date() })
    if (written % 2_000 === 0) console.error(`${written} datasets written`)
  }
  return steps
}

const all = [...searchFacets]
const makeBox = () => {
  const west = random(330) - 180
  return `${west},-20,${west + 30},60`
}
const place = () => pick(random, places)
const searches = {
  'one word': () => ({ q: `${pick(random, standardNames)} `, facets: all }),
  'one word without facets': () => ({ q: `${pick(random, standardNames)} ` }),
  'two words': () => ({ q: `${pick(random, standardNames)} ${place()} `, facets: all }),
  'word of one dataset': () => ({ q: `run_${random(1_000)} `, facets: all }),
  'word that may go on': () => ({ q: pick(random, standardNames), facets: all }),
  'word, box and time': () => ({ q: `${place()} `, bbox: makeBox(), time: '1990/1995' }),
  'word, box, time, facets': () => ({ q: `${place()} `, bbox: makeBox(), time: '1990/1995', facets: all }),
  'word that most have': () => ({ q: `${pick(random, quantities)} `, facets: all }),
  'word that all have': () => ({ q: 'climate ', facets: all }),
  'word that all have, without facets': () => ({ q: 'climate ' }),
  'two words that all have': () => ({ q: 'climate record ', facets: all }),
  'beginning of three letters': () => ({ q: pick(random, standardNames).slice(0, 3), facets: all }),
  'three words': () => ({ q: `climate record ${place()} `, facets: all }),
  units: () => ({ units: ['m/s'], facets: all }),
  'exact value': () => ({ standard_name: [pick(random, standardNames)], facets: all }),
  'nothing asked for': () => ({ facets: all }),
} as const satisfies Readonly<Record<string, () => SearchQuery>>

const asker = { caller: { tenant: 'acme', caller: 'bench', isAnonymous: false }, signal: new AbortController().signal }

/** Measures searches of some repositories, as many at once as there are callers. */
async function measure(
  searcher: Searcher,
  makeQuery: () => SearchQuery,
  { repos = null, callers = 1 }: { readonly repos?: readonly string[] | null; readonly callers?: number } = {},
): Promise<readonly (string | number)[]> {
  const times: number[] = []
  let found = 0
  const search = async (): Promise<number> => {
    const parsed = parseSearch(makeQuery(), { org: 'acme', repos, branches: [] })
    const start = performance.now()
    const task: SearchTask = { search: parsed, now: Date.now(), address, form: { format: 'json' } }
    const body = await searcher.search(asker, () => Promise.resolve(task))
    const ms = performance.now() - start
    found += (JSON.parse(body.toString()) as SearchAnswer).total
    return ms
  }
  const call = async (): Promise<void> => {
    for (let count = 0; count < repeats; count++) times.push(await search())
  }
  for (let count = 0; count < warmUps; count++) await search()
  found = 0
  await Promise.all(Array.from({ length: callers }, call))
  const p95 = times.toSorted((a, b) => a - b)[Math.ceil(times.length * 0.95) - 1] ?? Number.NaN
  return [Math.round(found / times.length), ...[findMedian(times), p95].map((ms) => ms.toFixed(1))]
}

async function countBytes(db: Database, isSqlite: boolean): Promise<number> {
  const query = isSqlite
    ? sql<{ bytes: number }>`select page_count * page_size as bytes from pragma_page_count(), pragma_page_size()`
    : sql<{ bytes: number }>`
        select cast(sum(pg_total_relation_size(oid)) as bigint) as bytes from pg_class
        where relkind = 'r' and relname like 'search\\_%'`
  return (await query.execute(db)).rows[0]?.bytes ?? Number.NaN
}

async function bench(db: LanedDatabase, datasets: number, perRepository: number): Promise<void> {
  const isSqlite = databaseFile(db.url) !== undefined
  const before = await countBytes(db, isSqlite)
  const steps = await fill(db, datasets, perRepository)
  // As PostgreSQL does by itself after a while.
  if (!isSqlite) await sql`vacuum analyze`.execute(db)
  const bytes = (await countBytes(db, isSqlite)) - before
  const settings = { cacheBytes: 50_000_000, limits: defaultLimits }
  const readers = new ReaderPool(2, { settings, manifestBytes: 1_000_000, metrics: createMetrics(), ...systemTiming })
  const searcher = new Searcher(db, readers, systemTiming)
  const rows: (readonly (string | number)[])[] = []
  const add = async (what: string, ...measured: Parameters<typeof measure>) => {
    console.error(`measuring: ${what}`)
    rows.push([what, ...(await measure(...measured).catch((error: unknown) => [String(error)]))])
  }
  for (const [what, makeQuery] of Object.entries(searches)) await add(what, searcher, makeQuery)
  for (const count of [100, 1]) {
    const repos = Array.from({ length: count }, (_, index) => `repository-${index}`)
    await add(`one word, in ${count} of the repositories`, searcher, searches['one word'], { repos })
  }
  for (const what of ['one word', 'two words'] as const)
    await add(`${what}, 8 callers at once`, searcher, searches[what], { callers: 8 })
  await readers.close()
  const rate = Math.round(datasets / (steps.reduce((sum, ms) => sum + ms) / 1_000))
  const header = ['search', 'found', 'median, ms', 'p95, ms']
  const lines = [header, header.map(() => '---'), ...rows]
  console.log(lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n'))
  const figures = [
    `${rate} described and written a second`,
    `longest shard: ${Math.max(...steps).toFixed(0)} ms`,
    `${(bytes / datasets / 20).toFixed(0)} bytes a variable`,
    `load ${loadavg()[0]?.toFixed(1)}`,
  ]
  console.log(`\n${datasets} datasets on ${isSqlite ? 'SQLite' : 'PostgreSQL'}: ${figures.join(', ')}`)
}

const { values } = parseArgs({
  options: {
    datasets: { type: 'string', default: '100000' },
    'per-repository': { type: 'string', default: '100' },
    database: { type: 'string' },
  },
})
const { url, remove } = await createDatabase(values.database)
const db = await openDatabase(url)
const limit = Promise.withResolvers<never>()
const timer = setTimeout(() => limit.reject(new Error('the run took more than an hour')), limitMs)
try {
  await Promise.race([bench(db, Number(values.datasets), Number(values['per-repository'])), limit.promise])
} finally {
  clearTimeout(timer)
  await db.destroy()
  await remove()
}
