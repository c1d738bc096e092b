// `npm run bench -- guard [--rounds N] [--write]`: measures what Floe costs, and compares it with the figures in
// `guard.json`, to show what a change made slower. Needs Linux. A round takes 20 s, and there are five unless fewer
// will do. `--write` keeps the figures of this run instead.
//
// A figure is processor time beside that of a reference program in the same round, because wall time and the speed of
// the processor differ between runs. Memory is in MB.
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { Agent, get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { parseArgs } from 'node:util'
import { z } from 'zod'
import {
  buildArrayData,
  buildId,
  buildNode,
  buildRepo,
  buildSnapshot,
  type TableDescription,
} from '../../test/storage/repositories/icechunk/build-object.ts'
import { createBenchDatabase, type MeasuredFloe, startFloe } from './measuring/measured-floe.ts'
import { findMedian } from './measuring/table.ts'

const warmRequests = 10_000
const warmConnections = 16

/** A figure that grew by more than this share is printed as slower. */
const tolerance = 0.15

const figuresFile = new URL('guard.json', import.meta.url)
const Figures = z.record(z.string(), z.number())

const variables = Array.from({ length: 280 }, (_, index) => `variable_${index}`)

const group = '{"zarr_format":3,"node_type":"group","attributes":{"Conventions":"CF-1.10"}}'

function buildArray(path: string, name: string): TableDescription {
  const data = buildArrayData({
    shape: [
      [100, 10],
      [180, 180],
      [360, 360],
    ],
    manifests: [],
  })
  return [...buildNode(path, 1, describeArray(name)), data && { table: data }]
}

function describeArray(name: string): string {
  return JSON.stringify({
    zarr_format: 3,
    node_type: 'array',
    shape: [100, 180, 360],
    data_type: 'float32',
    chunk_grid: { name: 'regular', configuration: { chunk_shape: [10, 180, 360] } },
    chunk_key_encoding: { name: 'default', configuration: { separator: '/' } },
    fill_value: 0,
    codecs: [{ name: 'bytes', configuration: { endian: 'little' } }],
    attributes: { standard_name: `quantity_${name}`, long_name: `The quantity ${name}`, units: 'kg m-2 s-1' },
    dimension_names: ['time', 'lat', 'lon'],
  })
}

/** One group with 280 variables, and 2,000 groups with five each. */
async function writeRepositories(directory: string): Promise<void> {
  const medium = ['/', ...variables.map((name) => `/${name}`)]
  const groups = Array.from({ length: 2_000 }, (_, index) => `/group_${index}`)
  const large = ['/', ...groups.flatMap((group) => [group, ...variables.slice(0, 5).map((name) => `${group}/${name}`)])]
  for (const [name, paths] of Object.entries({ medium, large })) {
    const nodes = paths
      .toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
      .map((path) => {
        const last = path.slice(path.lastIndexOf('/') + 1)
        return last.startsWith('variable') ? buildArray(path, last) : buildNode(path, 2, group)
      })
    await mkdir(join(directory, name, 'snapshots'), { recursive: true })
    await writeFile(join(directory, name, 'repo'), buildRepo())
    await writeFile(join(directory, name, 'snapshots', buildId(1)), buildSnapshot({ nodes }))
  }
}

const agent = new Agent({ keepAlive: true, maxSockets: warmConnections })

async function ask({ meta, headers }: MeasuredFloe, path: string, more: Record<string, string> = {}) {
  const { promise, resolve, reject } = Promise.withResolvers<{ status?: number; etag?: string; body: Buffer }>()
  get(`${meta}/${path}`, { agent, headers: { ...headers, ...more }, timeout: 60_000 }, (response) => {
    const { statusCode, headers } = response
    buffer(response).then((body) => resolve({ status: statusCode ?? 0, etag: headers.etag ?? '', body }), reject)
  }).on('error', reject)
  const answer = await promise
  if (answer.status !== 200 && answer.status !== 304) throw new Error(`${path} was answered with ${answer.status}`)
  return answer
}

/** Returns the processor time of the service while something is done, in seconds. */
async function measure(floe: MeasuredFloe, use: () => Promise<unknown>): Promise<number> {
  const before = await readSeconds(floe)
  await use()
  return (await readSeconds(floe)) - before
}

async function readSeconds(floe: MeasuredFloe): Promise<number> {
  return [...(await floe.readThreadSeconds()).values()].reduce((sum, seconds) => sum + seconds, 0)
}

/** Does what a service does much of, and returns its processor time in seconds. */
function runReference(): number {
  const text = JSON.stringify(variables.map(describeArray))
  const { user, system } = process.cpuUsage()
  for (let times = 0; times < 300; times++) {
    const bytes = Buffer.from(JSON.stringify((JSON.parse(text) as string[]).toSorted()))
    if (bytes.length === 0) throw new Error('the reference has no result')
  }
  const used = process.cpuUsage({ user, system })
  return (used.user + used.system) / 1e6
}

const warmQuestions: Readonly<Record<string, readonly [path: string, headers?: Record<string, string>]>> = {
  '`info` of 280 variables': ['datasets/medium/main/info'],
  '`keys` of 280 variables': ['datasets/medium/main/keys'],
  '`dict` of 280 variables': ['datasets/medium/main/dict'],
  'page of 280 variables': ['datasets/medium/main/', { accept: 'text/html' }],
  '`info` of 5 variables': ['datasets/large/main/group_7/info'],
  'list of branches': ['discovery/medium'],
}

const coldQuestions = {
  '`info` of 280 variables': 'datasets/medium/main/info',
  'datasets among 12,001 nodes': 'discovery/large/main',
  '`info` of one group among 12,001 nodes': 'datasets/large/main/group_7/info',
} as const

async function measureWarm(floe: MeasuredFloe, note: (what: string, value: number) => void): Promise<void> {
  const load = async (path: string, headers: Record<string, string>) => {
    const askOften = async () => {
      for (let left = warmRequests / warmConnections; left > 0; left--) await ask(floe, path, headers)
    }
    return measure(floe, () => Promise.all(Array.from({ length: warmConnections }, askOften)))
  }
  for (const [what, [path, headers = {}]] of Object.entries(warmQuestions)) {
    const { etag = '' } = await ask(floe, path, headers)
    await load(path, headers)
    note(`warm ${what}`, await load(path, headers))
    if (path.endsWith('medium/main/info')) note('warm 304', await load(path, { 'if-none-match': etag }))
  }
}

async function measureRound(directory: string, note: (what: string, value: number) => void): Promise<void> {
  for (const [what, path] of Object.entries(coldQuestions)) {
    const database = await createBenchDatabase()
    const floe = await startFloe(directory, database)
    try {
      if (path.endsWith('medium/main/info')) {
        note('start', await readSeconds(floe))
        note('memory when idle, MB', await floe.readMemory())
      }
      // Ends the warm-up of the reader thread, and answers about another repository.
      await ask(floe, path.includes('medium') ? 'datasets/large/main/group_1/info' : 'datasets/medium/main/info')
      note(`cold ${what}`, await measure(floe, () => ask(floe, path)))
      if (path.endsWith('medium/main/info')) await measureWarm(floe, note)
    } finally {
      await floe.stop()
      await database.remove()
    }
  }
}

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '5' }, write: { type: 'boolean', default: false } },
})
const rounds = Number(values.rounds)
if (!Number.isInteger(rounds) || rounds < 1) throw new TypeError('--rounds takes a number from 1')
const measured = new Map<string, number[]>()
const directory = await mkdtemp(join(tmpdir(), 'floe-guard-'))
try {
  await writeRepositories(directory)
  for (let round = 0; round < rounds; round++) {
    const reference = runReference()
    await measureRound(directory, (what, value) => {
      const figure = what.endsWith('MB') ? value : value / reference
      measured.set(what, [...(measured.get(what) ?? []), figure])
    })
  }
} finally {
  agent.destroy()
  await rm(directory, { recursive: true, force: true })
}

const medians = Object.fromEntries(
  [...measured].map(([what, figures]) => [what, Number(findMedian(figures).toPrecision(3))]),
)
if (values.write) await writeFile(figuresFile, `${JSON.stringify(medians, null, 2)}\n`)
const kept = Figures.parse(JSON.parse(await readFile(figuresFile, 'utf8')))
console.log('| what | kept | now | change |\n| --- | --- | --- | --- |')
for (const [what, now] of Object.entries(medians)) {
  const before = kept[what]
  const change = before === undefined ? undefined : now / before - 1
  const shown = change === undefined ? 'new' : `${change < 0 ? '' : '+'}${(change * 100).toFixed(0)} %`
  console.log(
    `| ${what} | ${before ?? ''} | ${now} | ${shown}${change !== undefined && change > tolerance ? ', slower' : ''} |`,
  )
}
