// What happens at three times the load that the service can answer: answers in time, refusals, health, memory.
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { Agent } from 'node:http'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { createBenchDatabase, type MeasuredFloe, startFloe } from './measured-floe.ts'
import { findFreePort } from './measured-process.ts'
import { ask, askAtRate, askInTurn, type Outcome, type Question } from './callers.ts'

/** Repositories that are asked, so many that a small cache does not hold their answers. */
const repositories = 200

/** A cache that holds next to nothing. */
const smallCache = { FLOE_CACHE_MAX_BYTES: '1MB' }

/** All callers of a benchmark have one address. */
const manyConnections = { FLOE_LIMITS_CONNECTIONS_PER_ADDRESS: '4000' }

const factor = 3
const callers = 16
const healthIntervalMs = 50

/** Longest wait for the metrics, in milliseconds. */
const readLimitMs = 30_000

/** A kind of load, and the environment of the service for it. */
type Load = {
  readonly what: string
  readonly environment: Readonly<Record<string, string>>
  readonly question: (floe: MeasuredFloe, n: number) => Question
}

const views = ['forecast/info', 'forecast/dict', 'wind/speed/info', 'wind/speed/keys']

const loads: readonly Load[] = [
  {
    what: 'answers that reader threads have to make',
    environment: smallCache,
    question: ({ meta, headers }, n) => ({
      url: `${meta}/datasets/weather-${n % repositories}/main/${views[Math.floor(n / repositories) % views.length]}`,
      headers,
    }),
  },
  {
    // Each caller sends another header, so that no whole answer is remembered.
    what: 'answers that are kept, each with another form of the request',
    environment: {},
    question: ({ meta, headers }, n) => ({
      url: `${meta}/datasets/weather-${n % 10}/main/forecast/info`,
      headers: { ...headers, accept: `application/json, text/plain;q=0.${n % 1_000_000}` },
    }),
  },
  {
    what: 'remembered answers',
    environment: {},
    question: ({ meta, headers }) => ({ url: `${meta}/datasets/weather-0/main/forecast/info`, headers }),
  },
]

async function copyRepositories(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'floe-overload-'))
  const weather = fileURLToPath(new URL('../../test/fixtures/repositories/weather', import.meta.url))
  for (let n = 0; n < repositories; n++) await cp(weather, join(directory, `weather-${n}`), { recursive: true })
  return directory
}

async function measure({ what, environment, question }: Load, directory: string, seconds: number): Promise<void> {
  const database = await createBenchDatabase()
  const metricsPort = await findFreePort()
  const floe = await startFloe(directory, database, {
    ...manyConnections,
    FLOE_METRICS_LISTEN_PORT: String(metricsPort),
    ...environment,
  })
  const agent = new Agent({ keepAlive: true, maxSockets: Infinity })
  try {
    let n = 0
    const askNext = () => ask(question(floe, n++), agent)
    await askInTurn(askNext, callers, 3)
    const usual = await askInTurn(askNext, callers, seconds)
    const perSecond = usual.filter(({ status }) => status === 200).length / seconds
    const before = await floe.readMemory()
    await readLoopDelay(metricsPort)
    const health = watchHealth(floe.origin)
    const ownHealth = watchHealth(`http://127.0.0.1:${metricsPort}`)
    const own = monitorEventLoopDelay({ resolution: 10 })
    own.enable()
    const { outcomes, unsent } = await askAtRate(askNext, { perSecond: factor * perSecond, seconds, maxOpen: 3_000 })
    const healthMs = await health.stop()
    const ownHealthMs = await ownHealth.stop()
    own.disable()
    const delay = await readLoopDelay(metricsPort)
    const memory = await floe.readMemory()
    print(what, [
      ['capacity, 16 callers', `${Math.round(perSecond)} a second, ${describe(usual, 200)}`],
      ['offered', `${Math.round(factor * perSecond)} a second, ${unsent} not sent, because 3,000 were open`],
      ['answered', `${Math.round(count(outcomes, 200) / seconds)} a second, ${describe(outcomes, 200)}`],
      [
        'refused with 503',
        `${count(outcomes, 503)}, ${describe(outcomes, 503)}; with Retry-After: ${withRetryAfter(outcomes)}`,
      ],
      ['otherwise', String(outcomes.filter(({ status }) => status !== 200 && status !== 503).length)],
      ['/healthz', describe(healthMs, 200)],
      ['/healthz without 200', String(healthMs.filter(({ status }) => status !== 200).length)],
      ['the same, at its port', describe(ownHealthMs, 200)],
      ['event loop', `${delay}; of the callers: p99 ${Math.round(own.percentile(99) / 1e6)} ms`],
      ['memory', `${Math.round(before.peak)} MB at most before, ${Math.round(memory.peak)} MB at most`],
    ])
  } finally {
    agent.destroy()
    await floe.stop()
    await database.remove()
  }
}

/** How late the event loop of the service was since the last look. */
async function readLoopDelay(port: number): Promise<string> {
  const text = await (
    await fetch(`http://127.0.0.1:${port}/metrics`, { signal: AbortSignal.timeout(readLimitMs) })
  ).text()
  const read = (name: string) =>
    Math.round(Number(new RegExp(`^nodejs_eventloop_lag_${name}_seconds (.*)$`, 'm').exec(text)?.[1]) * 1_000)
  return `mean ${read('mean')} ms, p99 ${read('p99')} ms, at most ${read('max')} ms`
}

/** Asks for the health at an address again and again. */
function watchHealth(origin: string): { readonly stop: () => Promise<Outcome[]> } {
  const agent = new Agent({ keepAlive: true, maxSockets: Infinity })
  const asked: Promise<Outcome>[] = []
  const timer = setInterval(() => asked.push(ask({ url: `${origin}/healthz`, headers: {} }, agent)), healthIntervalMs)
  return {
    stop: async () => {
      clearInterval(timer)
      const outcomes = await Promise.all(asked)
      agent.destroy()
      return outcomes
    },
  }
}

function count(outcomes: readonly Outcome[], status: number): number {
  return outcomes.filter((outcome) => outcome.status === status).length
}

function withRetryAfter(outcomes: readonly Outcome[]): number {
  return outcomes.filter(({ status, retryAfter }) => status === 503 && retryAfter !== undefined).length
}

function describe(outcomes: readonly Outcome[], status: number): string {
  const sorted = outcomes
    .filter((outcome) => outcome.status === status)
    .map(({ ms }) => ms)
    .sort((a, b) => a - b)
  if (sorted.length === 0) return 'none'
  const at = (share: number) => Math.round((sorted[Math.floor(share * (sorted.length - 1))] ?? 0) * 10) / 10
  return `median ${at(0.5)} ms, p99 ${at(0.99)} ms, slowest ${at(1)} ms`
}

function print(what: string, rows: readonly (readonly [string, string])[]): void {
  console.log(`\n${what}\n${rows.map(([name, text]) => `  ${name.padEnd(22)}${text}`).join('\n')}`)
}

const { values } = parseArgs({ options: { seconds: { type: 'string', default: '10' } } })
const directory = await copyRepositories()
try {
  for (const load of loads) await measure(load, directory, Number(values.seconds))
} finally {
  await rm(directory, { recursive: true, force: true })
}
