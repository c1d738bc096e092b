// Warm answers: Floe beside bare Fastify that checks a key and sends the same bytes, and beside xpublish.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createBenchDatabase, startFloe, type MeasuredFloe } from './measuring/measured-floe.ts'
import { startProcess, type MeasuredProcess } from './measuring/measured-process.ts'
import { findFreePort } from '../free-port.ts'
import { python, scriptsFolder } from './peers.ts'
import { runWrk } from './measuring/run-wrk.ts'
import type { Row } from './measuring/table.ts'

const connections = 32

/** Longest wait for an answer for the bare server, in milliseconds. */
const saveLimitMs = 60_000

/** An answer and its path on each server. */
type Answer = { readonly what: string; readonly path: string; readonly accept?: string; readonly xpublish?: string }

const answers: readonly Answer[] = [
  { what: '`info`, 280 variables', path: 'datasets/reanalysis/main/reanalysis/info', xpublish: 'reanalysis/info' },
  { what: '`dict`, 280 variables', path: 'datasets/reanalysis/main/reanalysis/dict', xpublish: 'reanalysis/dict' },
  {
    what: 'page, 280 variables',
    path: 'datasets/reanalysis/main/reanalysis',
    accept: 'text/html',
    xpublish: 'reanalysis/',
  },
  { what: '`keys`, 280 variables', path: 'datasets/reanalysis/main/reanalysis/keys', xpublish: 'reanalysis/keys' },
  { what: '`info`, 5 variables', path: 'datasets/small/main/forecast/info', xpublish: 'small/info' },
  { what: 'datasets of a repository', path: 'discovery/reanalysis/main' },
  { what: 'branches and tags of a repository', path: 'discovery/reanalysis' },
  { what: 'list of repositories', path: 'discovery' },
]

/** Compressed forms, each measured beside the plain form. */
const encodings = ['br', 'zstd', 'gzip']

/** One address under load. */
type Target = {
  readonly server: MeasuredProcess
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly rates: number[]
}

/** Measures each answer on each server; the servers alternate. */
export async function measureWarmAnswers(repositories: string, rounds: number, seconds: number): Promise<Row[]> {
  const directory = await mkdtemp(join(tmpdir(), 'floe-bench-'))
  const database = await createBenchDatabase()
  const servers: MeasuredProcess[] = []
  try {
    const floe = await startFloe(repositories, database)
    servers.push(floe)
    const tags = await saveAnswers(floe, directory)
    const bareOrigin = await startBareServer(directory, floe.headers.authorization, servers)
    const xpublishOrigin = await startXpublish(repositories, servers)
    const [bare, xpublish] = servers.slice(1)
    const rows: Row[] = []
    for (const [index, { what, path, accept, xpublish: address }] of answers.entries()) {
      for (const tag of index === 0 ? [undefined, tags[0]] : [undefined]) {
        const headers = { ...floe.headers, ...(accept && { accept }), ...(tag && { 'if-none-match': tag }) }
        const ours: Target = { server: floe, url: `${floe.meta}/${path}`, headers, rates: [] }
        const peers: (Target & { name: string })[] = []
        if (bare) peers.push({ name: 'bare Fastify', server: bare, url: `${bareOrigin}/${path}`, headers, rates: [] })
        if (xpublish && address !== undefined) {
          const url = `${xpublishOrigin}/datasets/${address}`
          peers.push({ name: 'xpublish', server: xpublish, url, headers: {}, rates: [] })
        }
        await measureInTurns([ours, ...peers], rounds, seconds)
        const name = tag === undefined ? what : `304 of ${what}`
        for (const peer of peers) {
          const beside = { name: peer.name, values: peer.rates }
          rows.push({ what: name, floe: ours.rates, unit: 'requests a CPU second', peer: beside })
        }
      }
    }
    return [...rows, ...(await measureCompressed(floe, rounds, seconds))]
  } finally {
    for (const server of servers) await server.stop()
    await database.remove()
    await rm(directory, { recursive: true, force: true })
  }
}

/** Measures the compressed forms of the first answer beside the plain form. */
async function measureCompressed(floe: MeasuredFloe, rounds: number, seconds: number): Promise<Row[]> {
  const { what = '', path = '' } = answers[0] ?? {}
  const ask = (encoding: string): Target => ({
    server: floe,
    url: `${floe.meta}/${path}`,
    headers: { ...floe.headers, 'accept-encoding': encoding },
    rates: [],
  })
  const plain = ask('identity')
  const compressed = encodings.map((encoding) => ({ encoding, target: ask(encoding) }))
  await measureInTurns([plain, ...compressed.map(({ target }) => target)], rounds, seconds)
  return compressed.map(({ encoding, target }) => ({
    what: `${what}, as ${encoding}`,
    floe: target.rates,
    unit: 'requests a CPU second',
    peer: { name: 'the same, plain', values: plain.rates },
  }))
}

/** Requests each answer from Floe and saves it for the bare server. @returns the entity tags */
async function saveAnswers({ meta, headers }: MeasuredFloe, directory: string): Promise<string[]> {
  const saved = await Promise.all(
    answers.map(async ({ path, accept }, index) => {
      const response = await fetch(`${meta}/${path}`, {
        headers: { ...headers, ...(accept && { accept }) },
        signal: AbortSignal.timeout(saveLimitMs),
      })
      if (response.status !== 200) throw new Error(`${path} was answered with ${response.status}`)
      const file = join(directory, String(index))
      await writeFile(file, Buffer.from(await response.arrayBuffer()))
      const names = ['content-type', 'etag', 'cache-control', 'vary'] as const
      return {
        path: `/${path}`,
        file,
        headers: Object.fromEntries(names.map((name) => [name, response.headers.get(name) ?? ''])),
      }
    }),
  )
  await writeFile(join(directory, 'answers.json'), JSON.stringify(saved))
  return saved.map((answer) => answer.headers['etag'] ?? '')
}

async function startBareServer(directory: string, authorization: string, servers: MeasuredProcess[]): Promise<string> {
  const port = await findFreePort()
  const origin = `http://127.0.0.1:${port}`
  const program = fileURLToPath(new URL('measuring/bare-server.ts', import.meta.url))
  const args = [...process.execArgv, program, String(port), authorization, join(directory, 'answers.json')]
  servers.push(await startProcess({ command: process.execPath, args, readyUrl: origin }))
  return origin
}

async function startXpublish(repositories: string, servers: MeasuredProcess[]): Promise<string> {
  const port = await findFreePort()
  const origin = `http://127.0.0.1:${port}`
  const quiet = ['--no-access-log', '--log-level', 'error']
  const loop = ['--loop', 'uvloop', '--http', 'httptools']
  const environment = { PYTHONPATH: scriptsFolder, FLOE_BENCH_REPOSITORIES: repositories, ICECHUNK_LOG: 'error' }
  const args = ['-m', 'uvicorn', 'bench.peers.xpublish_app:app', '--port', String(port), ...loop, ...quiet]
  servers.push(await startProcess({ command: python, args, environment, readyUrl: `${origin}/datasets` }))
  return origin
}

/**
 * Measures requests a CPU second, which vary less with the machine's load than requests a second. The first round is a
 * warm-up.
 */
async function measureInTurns(targets: readonly Target[], rounds: number, seconds: number): Promise<void> {
  for (let round = 0; round <= rounds; round++) {
    for (const { server, url, headers, rates } of targets) {
      const before = await server.readCpuSeconds()
      const answers = await runWrk({ url, headers, connections, seconds })
      const cpuSeconds = (await server.readCpuSeconds()) - before
      if (round > 0) rates.push(answers / cpuSeconds)
    }
  }
}
