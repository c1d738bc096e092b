// Requests per second of `info` on a dataset of 280 variables, compared with bare Fastify that sends the same bytes.
// Usage: npm run bench -- info
// Each server is its own process. Rounds alternate, so that changes of the speed of the machine affect both.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createApiKey, openDatabase } from '@floe/storage/database'
import autocannon from 'autocannon'
import Fastify from 'fastify'

const rounds = 7
const secondsPerRound = 3
const connections = 32
const samples = fileURLToPath(new URL('../../test/fixtures/repositories/many-variables', import.meta.url))
const floe = fileURLToPath(new URL('../../server/floe.ts', import.meta.url))

type Target = { readonly url: string; readonly headers: Record<string, string>; readonly rates: number[] }

async function compare(): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'floe-bench-'))
  const children: ChildProcess[] = []
  try {
    const database = `sqlite:${join(directory, 'floe.db')}`
    const authorization = `Basic ${Buffer.from(`acme:${await makeKey(database)}`).toString('base64')}`
    const serve = [
      floe,
      'serve',
      samples,
      '--org',
      'acme',
      '--deployment',
      'bench',
      '--port',
      '0',
      '--database',
      database,
    ]
    const origin = await startChild(serve, children)
    const url = `${origin}/v1/services/bench/acme/_meta/datasets/many-variables/main/reanalysis/info`
    const info: Target = { url, headers: { authorization }, rates: [] }
    const bare: Target = {
      url: await startChild([fileURLToPath(import.meta.url), url, authorization], children),
      headers: {},
      rates: [],
    }
    for (let round = 0; round <= rounds; round++) {
      for (const target of [info, bare]) {
        const rate = await measure(target)
        // The first round is a warm-up.
        if (round > 0) target.rates.push(rate)
      }
    }
    report(info, bare)
  } finally {
    for (const child of children) child.kill()
    await rm(directory, { recursive: true, force: true })
  }
}

async function makeKey(database: string): Promise<string> {
  const db = await openDatabase(database)
  try {
    return await createApiKey(db, { org: 'acme', role: 'reader', repos: null }, new Date())
  } finally {
    await db.destroy()
  }
}

async function startChild(args: readonly string[], children: ChildProcess[]): Promise<string> {
  const child = spawn(process.execPath, ['--conditions=@floe/source', ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  children.push(child)
  const [line] = await once(child.stdout.setEncoding('utf8'), 'data')
  return String(line).trim().slice('listening on '.length)
}

async function measure({ url, headers }: Target): Promise<number> {
  const result = await autocannon({ url, headers, connections, duration: secondsPerRound })
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${url}: ${result.non2xx} not 2xx, ${result.errors} errors`)
  return result.requests.average
}

function report(info: Target, bare: Target): void {
  const ratios = info.rates.map((rate, index) => rate / (bare.rates[index] ?? Number.NaN))
  console.log(`info of 280 variables: ${findMedian(info.rates).toFixed(0)} requests/s (median of ${rounds} rounds)`)
  console.log(`bare Fastify, same bytes: ${findMedian(bare.rates).toFixed(0)} requests/s`)
  console.log(
    `ratio: ${findMedian(ratios).toFixed(2)} (${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)})`,
  )
}

function findMedian(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}

/** Bare Fastify, which sends the bytes that Floe answered. */
async function serveBytes(url: string, authorization: string): Promise<void> {
  const bytes = Buffer.from(await (await fetch(url, { headers: { authorization } })).arrayBuffer())
  const app = Fastify()
  app.get('/', (_request, reply) => reply.type('application/json; charset=utf-8').send(bytes))
  console.log(`listening on ${await app.listen({ host: '127.0.0.1', port: 0 })}`)
}

const [url, authorization] = process.argv.slice(2)
if (url !== undefined && authorization !== undefined) await serveBytes(url, authorization)
else await compare()
