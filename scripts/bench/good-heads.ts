// How long it takes to find the last good head among 1,000, which two checks and two expectations decide.
// Usage: npm run bench -- good-heads [--database postgres://USER@HOST/DATABASE]
import { loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import {
  addExpectation,
  type Database,
  judgeHeads,
  type KindObject,
  maxSeenHeads,
  openDatabase,
} from '@floe/storage/database'
import { by, moveHead } from '../../test/storage/records/database/recorded.ts'
import { rememberRepository } from '../../test/storage/records/database/remember-repository.ts'
import { createDatabase } from './deliveries/loopback-deliveries.ts'
import { findMedian, findPercentile } from './measuring/table.ts'

const repeats = 200
const checks = ['quality', 'range']
const common = {
  alias: null,
  branch: 'main',
  severity: 'warning',
  within: null,
  withinMs: null,
  remind: null,
  remindMs: null,
  repos: null,
  document: null,
} as const

/** Writes heads. The newest `bad` of them have failed a check. */
async function fill(db: Database, bad: number) {
  const now = new Date()
  const repository = {
    id: await rememberRepository(db, 'acme', `weather-${bad}`, now),
    org: 'acme',
    name: `weather-${bad}`,
  }
  const expect = (kind: 'good' | 'written' | 'contract', settings: KindObject, document: string | null = null) =>
    addExpectation(db, repository, { ...common, kind, settings, document }, { by, now })
  const kinds = [await expect('written', { share: 1 }), await expect('contract', {}, '{"version":1}')]
  await expect('good', { checks, expectations: null })
  for (let head = 1; head <= maxSeenHeads; head++) {
    const snapshot = `P874YS3J19695${String(head).padStart(7, '0')}`
    const about = { repo_id: repository.id, snapshot_id: snapshot }
    await moveHead(db, repository.id, [snapshot], now)
    const state = head > maxSeenHeads - bad ? ('failed' as const) : ('passed' as const)
    const found = { state, text: null, link: null, figures: '{}', posted_at: now.getTime() }
    await db
      .insertInto('checks')
      .values(checks.map((name) => ({ ...about, name, ...found })))
      .execute()
    const verdicts = kinds.map(({ expectation }) => ({
      ...about,
      expectation_id: expectation.id,
      is_met: 1 as const,
      words: null,
    }))
    await db.insertInto('head_verdicts').values(verdicts).execute()
  }
  return repository
}

const { values } = parseArgs({ options: { database: { type: 'string' } } })
const { url, remove } = await createDatabase(values.database)
const db = await openDatabase(url)
for (const [bad, limit] of [
  [0, 20],
  [10, 20],
  [maxSeenHeads, maxSeenHeads],
] as const) {
  const repository = await fill(db, bad)
  const times: number[] = []
  for (let run = 0; run < repeats; run++) {
    const start = performance.now()
    const { heads } = await judgeHeads(db, repository, 'main', { limit, now: new Date() })
    times.push(performance.now() - start)
    if (heads.findIndex(({ state }) => state === 'good') !== (bad < limit ? bad : -1)) throw new Error('a wrong head')
  }
  const figures = [findMedian(times), findPercentile(times, 10), findPercentile(times, 95)]
  const [median, p10, p95] = figures.map((ms) => ms.toFixed(1))
  const load = loadavg()[0]?.toFixed(0)
  console.log(`${bad} bad heads, judging ${limit}: median ${median} ms, p10 ${p10} ms, p95 ${p95} ms, load ${load}`)
}
await db.destroy()
await remove()
