// Measures the cost of the first answer about a small local repository, in a process that has answered about others.
import { readFile } from 'node:fs/promises'
import { mkdirSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openRepository } from '@floe/storage/icechunk'
import { openStore } from '@floe/storage/objects'
import { countHeads, type Figures, type ScaledServices, until } from './scaled-services.ts'

const connections = 64
const fixture = fileURLToPath(new URL('../../../test/fixtures/repositories/weather', import.meta.url))

/** Asks for one `info` of each repository. The first half compiles the code. */
export async function measureCold(services: ScaledServices, size: number): Promise<Figures> {
  const names = Array.from({ length: size }, (_, index) => `repository-${index}`)
  const scan = join(services.directory, 'acme')
  await writeCopies(names.map((name) => join(scan, name)))
  // No polls while answers are measured.
  const orgs = { acme: { repositories: [{ scan }] } }
  const { origin, db, readThreadSeconds } = await services.start(orgs, { pollInterval: '1h' })
  await until(async () => (await countHeads(db)) === size)
  const half = size >> 1
  await askOnce(origin, names.slice(0, half))
  const before = await readThreadSeconds()
  const start = performance.now()
  await askOnce(origin, names.slice(half))
  const seconds = (performance.now() - start) / 1_000
  const after = await readThreadSeconds()
  const spent = (name: string) => ((after.get(name) ?? 0) - (before.get(name) ?? 0)) * (1_000 / (size - half))
  const [main, readers] = [spent('MainThread'), spent('reader')]
  const all = [...after.keys()].reduce((sum, name) => sum + spent(name), 0)
  return {
    'answers a second': (size - half) / seconds,
    'processor time for each, main thread, ms': main,
    'reader threads, ms': readers,
    'other threads, ms': all - main - readers,
  }
}

/** Copies the head of the fixture into each directory. */
async function writeCopies(directories: readonly string[]): Promise<void> {
  const { snapshotId } = await openRepository(await openStore(fixture)).resolve('main', AbortSignal.timeout(10_000))
  const keys = ['repo', `snapshots/${snapshotId}`]
  const files = await Promise.all(keys.map(async (key) => [key, await readFile(join(fixture, key))] as const))
  for (const directory of directories) {
    mkdirSync(join(directory, 'snapshots'), { recursive: true })
    for (const [key, bytes] of files) writeFileSync(join(directory, key), bytes)
  }
}

/**
 * Asks about each repository once, over some connections that take turns. Cheaper than `fetch`, because the caller
 * shares the processors.
 */
async function askOnce(origin: string, names: readonly string[]): Promise<void> {
  const left = names.values()
  await Promise.all(Array.from({ length: connections }, () => askInTurn(new URL(origin), left)))
}

function askInTurn({ host, hostname, port }: URL, left: Iterator<string>): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const socket = connect(Number(port), hostname)
  const askNext = () => {
    const { value, done } = left.next()
    if (done === true) return void socket.end(resolve)
    const path = `/v1/services/acme/acme/_meta/datasets/${value}/main/wind%2Fspeed/info`
    socket.write(`GET ${path} HTTP/1.1\r\nhost: ${host}\r\n\r\n`)
  }
  let answer = ''
  socket.setEncoding('latin1').on('data', (text: string) => {
    answer += text
    const end = answer.indexOf('\r\n\r\n') + 4
    const length = /\r\ncontent-length: (\d+)\r\n/i.exec(answer)?.[1]
    if (end < 4 || answer.length < end + Number(length)) return
    if (!answer.startsWith('HTTP/1.1 200 ')) return void socket.destroy(new Error(answer))
    answer = ''
    askNext()
  })
  socket.on('connect', askNext).on('error', reject)
  return promise
}
