// Cold answers, start and memory: Floe beside official Icechunk and xarray.
import { setTimeout } from 'node:timers/promises'
import { z } from 'zod'
import { createBenchDatabase, startFloe, type MeasuredFloe } from './measuring/measured-floe.ts'
import { runPeer } from './peers.ts'
import type { Row } from './measuring/table.ts'

/** Time between two health checks, in milliseconds. Without a pause, they would take half of the main thread. */
const healthPauseMs = 5

/** Longest wait for an answer, in milliseconds. */
const answerLimitMs = 60_000

/** A dataset of `huge` that no other question is about. */
const groupOfHuge = 'region0100/station0050'

/** Questions to a new service that has answered about another repository, and the peer's names for them. */
const questions = [
  { what: '`info` of 280 variables', path: 'datasets/reanalysis/main/reanalysis/info', peer: 'info' },
  { what: 'datasets among 12,000 nodes', path: 'discovery/large/main', peer: 'large' },
  // The peer would have to read each manifest.
  { what: 'written chunks of 12,000 nodes', path: 'completeness/large/main', peer: null },
  // A page with the gaps of 1,000 arrays. Their manifests need not be read.
  { what: 'gaps of 12,000 nodes', path: 'gaps/large/main?limit=1000', peer: null },
  { what: 'gaps of 1,000,000 chunks in ten manifests', path: 'gaps/archive/main', peer: 'archive' },
  { what: 'datasets among 120,000 nodes', path: 'discovery/huge/main', peer: 'huge' },
  {
    what: '`info` of one group among 120,000 nodes',
    path: `datasets/huge/main/${groupOfHuge}/info`,
    peer: 'huge group',
  },
] as const

const PeerTimes = z.record(z.string(), z.number())

/** Milliseconds or MB by name; one value for each round. */
type Figures = Map<string, number[]>

/** Starts a new service for each figure of each round. */
export async function measureColdAnswers(repositories: string, rounds: number): Promise<Row[]> {
  const figures: Figures = new Map()
  const peers: Figures = new Map()
  for (let round = 0; round < rounds; round++) {
    await withService(repositories, async (floe) => {
      note(figures, 'start', floe.startMs)
      note(figures, 'memory', await floe.readMemory())
      note(figures, 'first', await time(floe, questions[0].path))
    })
    for (const { what, path } of questions) {
      await withService(repositories, (floe) => measureQuestion(floe, figures, what, path))
    }
    const times = PeerTimes.parse(JSON.parse(await runPeer('time_icechunk', [repositories, groupOfHuge])))
    for (const [name, value] of Object.entries(times)) note(peers, name, value)
  }
  return makeRows(figures, peers)
}

async function measureQuestion(floe: MeasuredFloe, figures: Figures, what: string, path: string): Promise<void> {
  await time(floe, 'datasets/small/main/forecast/info')
  let isAnswered = false
  const answered = time(floe, path).finally(() => (isAnswered = true))
  const longest = await findLongestHealthCheck(floe, () => isAnswered)
  note(figures, what, await answered)
  note(figures, `${what}, /healthz`, longest)
}

async function withService(repositories: string, use: (floe: MeasuredFloe) => Promise<void>): Promise<void> {
  const database = await createBenchDatabase()
  const floe = await startFloe(repositories, database)
  try {
    await use(floe)
  } finally {
    await floe.stop()
    await database.remove()
  }
}

/** Returns the milliseconds until the complete answer has arrived. */
async function time({ meta, headers }: MeasuredFloe, path: string): Promise<number> {
  const start = performance.now()
  const response = await fetch(`${meta}/${path}`, { headers, signal: AbortSignal.timeout(answerLimitMs) })
  await response.arrayBuffer()
  if (response.status !== 200) throw new Error(`${path} was answered with ${response.status}`)
  return performance.now() - start
}

/** Returns the longest time of `/healthz` until the service has answered, in milliseconds. */
async function findLongestHealthCheck({ origin }: MeasuredFloe, isAnswered: () => boolean): Promise<number> {
  let longest = 0
  while (!isAnswered()) {
    const start = performance.now()
    await (await fetch(`${origin}/healthz`, { signal: AbortSignal.timeout(answerLimitMs) })).arrayBuffer()
    longest = Math.max(longest, performance.now() - start)
    await setTimeout(healthPauseMs)
  }
  return longest
}

function makeRows(figures: Figures, peers: Figures): Row[] {
  const find = (what: string) => figures.get(what) ?? []
  const rows: Row[] = [
    { what: 'start until ready', floe: find('start'), unit: 'ms' },
    { what: 'memory when idle', floe: find('memory'), unit: 'MB' },
    { what: 'first answer of a process: `info` of 280 variables', floe: find('first'), unit: 'ms' },
  ]
  for (const { what, peer } of questions) {
    const row = { what: `first ${what}`, floe: find(what), unit: 'ms' } as const
    rows.push(peer === null ? row : { ...row, peer: { name: 'Icechunk and xarray', values: peers.get(peer) ?? [] } })
    rows.push({ what: `longest \`/healthz\` meanwhile`, floe: find(`${what}, /healthz`), unit: 'ms' })
  }
  return rows
}

function note(figures: Figures, what: string, value: number): void {
  figures.set(what, [...(figures.get(what) ?? []), value])
}
