// Searches in an index of made-up datasets with 20 variables each, and how fast the index grows and how large it becomes.
// Usage: npm run bench -- search [--datasets 100000] [--database postgres://USER@HOST/DATABASE]
// Uses a new SQLite file, or a new database on the server of `--database`.
import { loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { searchFacets } from '@floe/contract'
import {
  type Database,
  extendLease,
  findHeadToIndex,
  finishIndexing,
  openDatabase,
  writeDatasets,
} from '@floe/storage/database'
import { sql } from 'kysely'
import { findDatasets } from '../../server/metadata/search/find-datasets.ts'
import { parseSearch } from '../../server/metadata/search/parse-search.ts'
import type { SearchQuery } from '../../server/pages/search/search-query.ts'
import { moveHead } from '../../test/storage/database/recorded.ts'
import { rememberRepository } from '../../test/storage/database/remember-repository.ts'
import { pick } from '../fuzz/mutations.ts'
import { createDatabase } from './deliveries/loopback-deliveries.ts'
import { makeDataset, places, quantities, random, standardNames } from './made-up-datasets.ts'
import { findMedian } from './table.ts'

const limitMs = 3_600_000
const perRepository = 100
const perStep = 100
const repeats = 20
/** Returns how long each step took, in milliseconds. */
async function fill(db: Database, datasets: number): Promise<readonly number[]> {
  const steps: number[] = []
  for (let written = 0; written < datasets;) {
    const now = new Date()
    const repoId = await rememberRepository(db, 'acme', `repository-${written / perRepository}`, now)
    await moveHead(db, repoId, ['A'], now)
    const due = await findHeadToIndex(db, [], new Date())
    if (due === undefined) throw new TypeError('no head is due')
    let head = await extendLease(db, due, Date.now() + 60_000)
    for (let step = 0; step < perRepository / perStep; step++, written += perStep) {
      const changed = Array.from({ length: perStep }, (_, place) => makeDataset(written + place))
      const start = performance.now()
      head = await writeDatasets(db, head, { changed, removed: [] }, head.leaseEnd + 1)
      steps.push(performance.now() - start)
    }
    await finishIndexing(db, head, { omitted: 0, now: new Date() })
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
const searches: Readonly<Record<string, () => SearchQuery>> = {
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
  'beginning of one letter': () => ({ q: pick(random, 'abcdefghiklmnoprst'.split('')), facets: all }),
  'exact value': () => ({ standard_name: pick(random, standardNames), facets: all }),
  'nothing asked for': () => ({ facets: all }),
}

async function measure(db: Database, makeQuery: () => SearchQuery): Promise<readonly (string | number)[]> {
  const times: number[] = []
  const processorTimes: number[] = []
  let found = 0
  for (let count = -3; count < repeats; count++) {
    const query = makeQuery()
    const finding = {
      ...parseSearch(query, 'acme', null),
      branches: [],
      limit: 20,
      facets: [query.facets ?? []].flat(),
      address: () => '/',
    }
    const start = performance.now()
    const used = process.cpuUsage()
    const { total } = await findDatasets(db, finding)
    if (count < 0) continue
    times.push(performance.now() - start)
    const { user, system } = process.cpuUsage(used)
    processorTimes.push((user + system) / 1_000)
    found += total / repeats
  }
  const p95 = times.toSorted((a, b) => a - b)[Math.ceil(repeats * 0.95) - 1] ?? Number.NaN
  const shown = [findMedian(times), p95, findMedian(processorTimes)]
  return [Math.round(found), ...shown.map((ms) => ms.toFixed(1))]
}

async function countBytes(db: Database, isSqlite: boolean): Promise<number> {
  const query = isSqlite
    ? sql<{ bytes: number }>`select page_count * page_size as bytes from pragma_page_count(), pragma_page_size()`
    : sql<{ bytes: number }>`
        select cast(sum(pg_total_relation_size(oid)) as bigint) as bytes from pg_class where relkind = 'r' and relname like 'search\\_%'`
  return (await query.execute(db)).rows[0]?.bytes ?? Number.NaN
}

async function bench(db: Database, datasets: number, isSqlite: boolean): Promise<void> {
  const before = await countBytes(db, isSqlite)
  const steps = await fill(db, datasets)
  // As PostgreSQL does by itself after a while.
  if (!isSqlite) await sql`vacuum analyze`.execute(db)
  const bytes = (await countBytes(db, isSqlite)) - before
  const rows: (readonly (string | number)[])[] = []
  for (const [what, makeQuery] of Object.entries(searches)) {
    console.error(`measuring: ${what}`)
    rows.push([what, ...(await measure(db, makeQuery).catch((error: unknown) => [String(error)]))])
  }
  const rate = Math.round(datasets / (steps.reduce((sum, ms) => sum + ms) / 1_000))
  // The last one is that of this process, without PostgreSQL.
  const header = ['search', 'found', 'median, ms', 'p95, ms', 'processor time, ms']
  const lines = [header, header.map(() => '---'), ...rows]
  console.log(lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n'))
  console.log(
    `\n${datasets} datasets on ${isSqlite ? 'SQLite' : 'PostgreSQL'}: ${rate} written a second, longest step of ${perStep}: ` +
      `${Math.max(...steps).toFixed(0)} ms, ${(bytes / datasets / 20).toFixed(0)} bytes a variable, load ${loadavg()[0]?.toFixed(1)}`,
  )
}

const { values } = parseArgs({
  options: { datasets: { type: 'string', default: '100000' }, database: { type: 'string' } },
})
const { url, remove } = await createDatabase(values.database)
const db = await openDatabase(url)
const limit = Promise.withResolvers<never>()
const timer = setTimeout(() => limit.reject(new Error('the run took more than an hour')), limitMs)
try {
  await Promise.race([bench(db, Number(values.datasets), values.database === undefined), limit.promise])
} finally {
  clearTimeout(timer)
  await db.destroy()
  await remove()
}
