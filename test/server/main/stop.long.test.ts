// The service is asked to stop while it works, and ended by force at many points of its stop.
import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { openDatabase } from '@floe/storage/database'
import { sql } from 'kysely'
import { t, type Test } from 'tap'
import { buildId, buildNode, buildRepo, buildSnapshot } from '../../storage/repositories/icechunk/build-object.ts'
import { beginRequest } from '../begin-request.ts'
import { serveConfig, startFloe, toLoopback, writeConfig } from './commands/floe-process.ts'
import { startReceiver } from '../notifications/start-receiver.ts'
import { writeArray } from '../reading/hostile-documents.ts'

async function waitTurns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await nextTurn()
}

/** A receiver that answers when a test says so. */
class Receiver {
  /** The ids of the notifications that arrived at each path, in order. */
  readonly arrived = new Map<string, string[]>()
  /** The paths at which one was accepted by the service that runs. */
  readonly accepted = new Set<string>()
  isWaiting = false
  readonly #unanswered: (() => void)[] = []
  #next = Promise.withResolvers<string>()

  take({ url: path = '', headers }: IncomingMessage, response: ServerResponse): void {
    this.arrived.set(path, [...(this.arrived.get(path) ?? []), String(headers['webhook-id'])])
    const accept = () => {
      if (response.destroyed) return
      this.accepted.add(path)
      response.writeHead(204).end()
    }
    if (this.isWaiting) this.#unanswered.push(accept)
    else accept()
    this.#next.resolve(path)
    this.#next = Promise.withResolvers()
  }

  async waitFor(path: string): Promise<void> {
    while (!this.arrived.has(path)) await this.#next.promise
  }

  async waitUntilAccepted(paths: readonly string[]): Promise<void> {
    while (paths.some((path) => !this.accepted.has(path))) await this.#next.promise
  }

  release(): void {
    this.isWaiting = false
    for (const accept of this.#unanswered.splice(0)) accept()
  }
}

/** A repository of one commit, whose `info` keeps a reader thread at work for a while. */
async function writeRepository(directory: string): Promise<void> {
  const document = `{"zarr_format":3,"node_type":"group","attributes":{"coordinates":"${'a '.repeat(500_000)}"}}`
  const nodes = [buildNode('/', 2, document), buildNode('/a', 1, writeArray())]
  await mkdir(join(directory, 'snapshots'), { recursive: true })
  await writeFile(join(directory, 'snapshots', buildId(1)), buildSnapshot({ nodes }))
  await writeFile(join(directory, 'repo'), buildRepo())
}

async function configure(t: Test, receiver: Receiver, names: readonly string[]): Promise<string> {
  const port = await startReceiver(t, (request, response) => receiver.take(request, response))
  const cwd = t.testdir({ repositories: {} })
  const origin = `https://127.0.0.1:${port}`
  const webhooks = names.map((repo) => ({ org: 'acme', repo, alias: 'held', url: `${origin}/${repo}` }))
  await writeConfig(cwd, { notifications: { ...toLoopback, webhooks } })
  return cwd
}

/** The paths of the receivers whose deliveries are not recorded as done. */
async function listOpenDeliveries(cwd: string): Promise<string[]> {
  await using db = await openDatabase(`sqlite:${join(cwd, 'floe.db')}`)
  const open = await db
    .selectFrom('undelivered')
    .innerJoin('receivers', 'receivers.id', 'undelivered.receiver_id')
    .innerJoin('repositories', 'repositories.id', 'receivers.repo_id')
    .select('repositories.name')
    .where('undelivered.queue_position', 'is not', null)
    .execute()
  return open.map(({ name }) => `/${name}`)
}

t.setTimeout(900_000)

t.test(
  'a service that is ended at any point of its stop loses nothing, and the next one starts',
  { timeout: 600_000 },
  async (t) => {
    const rounds = [0, 4_096, 65_536, 262_144].flatMap((turns, index) => [
      { turns, last: 'SIGTERM' as const, name: `terminated-${index}` },
      { turns, last: 'SIGKILL' as const, name: `killed-${index}` },
    ])
    const receiver = new Receiver()
    const cwd = await configure(t, receiver, [...rounds.map(({ name }) => name), 'last'])
    for (const { turns, last, name } of rounds) {
      await writeRepository(join(cwd, 'repositories', name))
      receiver.isWaiting = true
      const { child, origin, ended } = await serveConfig(t, cwd)
      await receiver.waitFor(`/${name}`)
      const base = `${origin}/v1/services/tiles/acme/_meta/datasets/${name}/main`
      const asked = await Promise.all(['info', 'dict', 'keys'].map((view) => beginRequest(`${base}/${view}`)))
      t.equal((await fetch(`${origin}/healthz`)).status, 200)
      child.kill('SIGTERM')
      await waitTurns(turns / 2)
      receiver.release()
      await waitTurns(turns / 2)
      child.kill(last)
      const { code, signal } = await ended
      t.ok(
        (code === 0 || code === null) && (signal === null || signal === last),
        `${name} ended with ${code}, ${signal}`,
      )
      const statuses = await Promise.all(asked.map(({ status }) => status))
      if (code === 0) t.strictSame(statuses, [200, 200, 200], `${name}: what was asked before is answered`)
    }
    await writeRepository(join(cwd, 'repositories', 'last'))
    // What a killed service had sent and not recorded is sent again, so the receiver's word is not enough.
    const open = await listOpenDeliveries(cwd)
    receiver.accepted.clear()
    const { child, ended } = await serveConfig(t, cwd)
    await receiver.waitUntilAccepted([...open, '/last'])
    child.kill('SIGTERM')
    t.match(await ended, { code: 0, signal: null })
    for (const [path, ids] of receiver.arrived) t.equal(new Set(ids).size, 1, `${path} got one notification`)
    for (const { name } of rounds) t.ok(receiver.arrived.has(`/${name}`), `${name} got its notification`)
    t.strictSame(await listOpenDeliveries(cwd), [])
    await using db = await openDatabase(`sqlite:${join(cwd, 'floe.db')}`)
    t.strictSame((await sql`pragma integrity_check`.execute(db)).rows, [{ integrity_check: 'ok' }])
  },
)

t.test('an attempt at a receiver that hangs gets its five seconds, and is recorded', async (t) => {
  const receiver = new Receiver()
  const cwd = await configure(t, receiver, ['hangs'])
  await writeRepository(join(cwd, 'repositories', 'hangs'))
  receiver.isWaiting = true
  const { child, ended } = await serveConfig(t, cwd)
  await receiver.waitFor('/hangs')
  child.kill('SIGTERM')
  const { code, signal, err } = await ended
  t.strictSame([code, signal], [0, null])
  t.notMatch(err, 'not everything has ended')
  await using db = await openDatabase(`sqlite:${join(cwd, 'floe.db')}`)
  const attempts = await db.selectFrom('attempts').select(['status', 'error', 'duration_ms']).execute()
  t.match(attempts, [{ status: null, error: /within 5 s/ }])
  t.equal(attempts.length, 1)
  // By the clock of the service. Timers may be early by a millisecond.
  t.ok(Number(attempts[0]?.duration_ms) > 4_900, `${attempts[0]?.duration_ms} ms`)
})

t.test('what a killed service was sending is sent again by the next one', async (t) => {
  const receiver = new Receiver()
  const cwd = await configure(t, receiver, ['killed'])
  await writeRepository(join(cwd, 'repositories', 'killed'))
  receiver.isWaiting = true
  const first = await serveConfig(t, cwd)
  await receiver.waitFor('/killed')
  first.child.kill('SIGKILL')
  await first.ended
  receiver.release()
  const second = await serveConfig(t, cwd)
  await receiver.waitUntilAccepted(['/killed'])
  second.child.kill('SIGTERM')
  t.match(await second.ended, { code: 0, signal: null })
  const ids = receiver.arrived.get('/killed') ?? []
  t.strictSame([ids.length, new Set(ids).size], [2, 1], 'the same notification')
})

t.test('a process that is stopped before it handles signals has opened nothing', async (t) => {
  for (const [index, turns] of [0, 64, 1_024, 16_384, 65_536].entries()) {
    const cwd = join(t.testdir({ 0: {}, 1: {}, 2: {}, 3: {}, 4: {} }), String(index))
    const { child, ended } = startFloe(t, cwd, 'serve', cwd, '--org', 'acme', '--deployment', 'tiles', '--port', '0')
    await waitTurns(turns)
    child.kill('SIGTERM')
    const { code, signal } = await ended
    if (signal === null) t.equal(code, 0, 'it heard the signal and ended by itself')
    else t.notOk(existsSync(join(cwd, '.floe')), 'the signal ended it before anything was made')
  }
})

t.test('work that goes on does not keep a stopped service from ending its process', async (t) => {
  const cwd = t.testdir({ 'endless.mjs': 'setInterval(() => undefined, 1_000_000)' })
  await writeConfig(cwd, { database: 'sqlite::memory:', orgs: { acme: {} } })
  const { child, ended } = await serveConfig(t, cwd, [`--import=${join(cwd, 'endless.mjs')}`])
  child.kill('SIGTERM')
  t.match(await ended, { code: 0, signal: null })
})
