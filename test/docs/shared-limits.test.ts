// docs/internals/limits.md says who shares a limit. Here one organisation exhausts each of them, and another one is
// served meanwhile.
import { once } from 'node:events'
import { access, readFile } from 'node:fs/promises'
import { get, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { createApiKey } from '@floe/storage/database'
import { openLocalStore, type ReadOptions, type ReadResult } from '@floe/storage/objects'
import { t, type Test } from 'tap'
import { buildRepo } from '../storage/repositories/icechunk/build-object.ts'
import { systemTiming } from '../../server/timing.ts'
import { MemoryStore } from '../storage/memory-store.ts'
import { basic, fixtures, type RunningServer, type ServerOptions, startServer } from '../server/start-server.ts'

/** Starts a service for `acme`, which exhausts a limit, and `globex`. */
const start = (t: Test, options: ServerOptions = {}) =>
  startServer(t, { otherOrgs: { globex: [{ kind: 'scan', store: openLocalStore(fixtures) }] }, ...options })

type Request = { readonly org?: string; readonly path?: string; readonly address?: string; readonly key?: string }

/** Asks and returns the answer, unread. */
async function ask(
  t: Test,
  { origin }: RunningServer,
  { org = 'acme', path = 'discovery', address = '127.0.0.2', key }: Request,
): Promise<IncomingMessage> {
  const deployment = key === undefined ? 'open' : 'tiles'
  const url = path.startsWith('/') ? `${origin}${path}` : `${origin}/v1/services/${deployment}/${org}/_meta/${path}`
  const headers = key === undefined ? {} : { authorization: basic(org, key) }
  const request = get(url, { localAddress: address, agent: false, headers })
  t.teardown(() => request.destroy())
  request.on('error', () => {})
  const [response] = (await once(request, 'response')) as [IncomingMessage] // as Node.js documents this event
  return response.on('error', () => {})
}

/** Asks until an answer has this status. Fails after 500 answers. */
async function exhaust(t: Test, server: RunningServer, status: number, request: Request): Promise<void> {
  for (let count = 0; count < 500; count++) {
    const response = await ask(t, server, request)
    if (response.statusCode === status) return
  }
  throw new Error(`no answer has the status ${status}`)
}

/** Requires that another organisation, with another address, is served. */
async function requireService(t: Test, server: RunningServer, path = 'datasets/weather/main/info'): Promise<void> {
  const response = await ask(t, server, { org: 'globex', path, address: '127.0.0.3' })
  t.equal(response.statusCode, 200)
}

/** A repository whose snapshot never arrives. */
class HangingStore extends MemoryStore {
  constructor() {
    super([['repo', buildRepo()]])
  }

  override read(key: string, options: ReadOptions): Promise<ReadResult> {
    return key.startsWith('snapshots/') ? new Promise(() => {}) : super.read(key, options)
  }
}

type Trial = (t: Test) => Promise<void>

const trials: Readonly<Record<string, Trial>> = {
  'waiting queries': async (t) => {
    const names = ['one', 'two', 'three']
    const sources = names.map((name) => ({ kind: 'repository', name, store: new HangingStore() }) as const)
    const server = await start(t, { sources })
    const refused = Promise.withResolvers<void>()
    for (let index = 0; index < 450; index++) {
      const path = `datasets/${names[index % 3]}/main/g${index}/info`
      ask(t, server, { path }).then(({ statusCode }) => statusCode === 503 && refused.resolve(), refused.reject)
    }
    await refused.promise
    await requireService(t, server)
  },
  'reader threads': triedBy('server/reading/threads/organisations.long.test.ts'),
  searches: async (t) => {
    const server = await start(t, { hasSearch: true })
    const release = Promise.withResolvers<void>()
    const isHeld = Promise.withResolvers<void>()
    const holding = server.db.transaction().execute(async () => {
      isHeld.resolve()
      await release.promise
    })
    await isHeld.promise
    const refused = Promise.withResolvers<void>()
    for (let count = 0; count < 60; count++) {
      ask(t, server, { path: 'search' }).then(
        ({ statusCode }) => statusCode === 503 && refused.resolve(),
        refused.reject,
      )
    }
    await refused.promise
    const served = requireService(t, server, 'search')
    release.resolve()
    await Promise.all([holding, served])
  },
  'large bodies with a contract': triedBy('server/http/take-contracts.test.ts'),
  'streams of events': async (t) => {
    const server = await start(t, { streamLimits: { streams: 24, streamsPerCaller: 3 } })
    await exhaust(t, server, 429, { path: 'events' })
    await exhaust(t, server, 503, { path: 'events', address: '127.0.0.4' })
    await requireService(t, server, 'events')
  },
  'selections of streams': async (t) => {
    const server = await start(t)
    const select = async (count: number, request: Request) =>
      (await ask(t, server, { ...request, path: `events?branches=branch-${count}` })).statusCode
    let status: number | undefined = 200
    for (let count = 0; status === 200 && count < 100; count++) status = await select(count, {})
    t.equal(status, 429)
    t.equal(await select(100, { key: server.apiKey }), 200, 'another deployment')
    await requireService(t, server, 'events?branches=another')
  },
  'simultaneous attempts': triedBy('server/notifications/deliver/end-to-end/hanging-receivers.long.test.ts'),
  'simultaneous attempts to one host and port': triedBy('server/notifications/deliver/deliverer.test.ts'),
  'metadata requests per minute': async (t) => {
    const server = await start(t, { metadataPerMinute: 5 })
    await exhaust(t, server, 429, {})
    await requireService(t, server)
  },
  'administration requests per minute': async (t) => {
    const server = await start(t, { administrationPerMinute: 30 })
    const ofAcme = { key: server.adminKey, path: '/v1/orgs/acme/keys' }
    await exhaust(t, server, 429, ofAcme)
    const key = await createApiKey(server.db, { org: 'globex', role: 'admin', repos: null }, new Date())
    const ofGlobex = { org: 'globex', key, path: '/v1/orgs/globex/keys' }
    t.equal((await ask(t, server, ofGlobex)).statusCode, 200)
  },
  'wrong credentials per minute': async (t) => {
    const delays: number[] = []
    const after = (ms: number, callback: () => void) => {
      delays.push(ms)
      return systemTiming.after(ms, callback)
    }
    const server = await start(t, { after })
    const wrong = 'floe_0123456789abcdef_'.padEnd(60, 'x')
    const guess = (org: string, count: number, address: string) =>
      Promise.all(Array.from({ length: count }, () => ask(t, server, { org, address, key: wrong })))
    await guess('acme', 25, '127.0.0.2')
    t.ok(delays.includes(50), 'the 21st is delayed')
    delays.length = 0
    await guess('globex', 20, '127.0.0.3')
    t.notOk(delays.includes(50))
  },
  connections: async (t) => {
    const server = await start(t, { connectionLimits: { connections: 100, connectionsPerAddress: 10 } })
    const { port } = new URL(server.origin)
    const sockets = Array.from({ length: 11 }, () =>
      connect({ host: '127.0.0.1', port: Number(port), localAddress: '127.0.0.2' }).on('error', () => {}),
    )
    t.teardown(() => sockets.forEach((socket) => socket.destroy()))
    // Not `once`, which fails when the connection is reset.
    await Promise.race(sockets.map((socket) => new Promise((resolve) => socket.on('close', resolve))))
    await requireService(t, server)
  },
  'answers that wait to be read': triedBy('server/http/connections/unsent-answers.long.test.ts'),
}

/** A trial that takes long, and has a file of its own. */
function triedBy(file: string): Trial {
  return async (t) => {
    await t.resolves(access(new URL(`../${file}`, import.meta.url)), file)
  }
}

const page = await readFile(new URL('../../docs/internals/limits.md', import.meta.url), 'utf8')
const [, table = ''] = /^## Who shares a limit\n\n([^]*?)\n\n/m.exec(page) ?? []
const limits = table
  .split('\n')
  .slice(2)
  .map((row) => row.split('|')[1]?.trim() ?? '')

t.test('each limit of the table is tried', async (t) => {
  t.strictSame(limits, Object.keys(trials))
})

for (const [limit, trial] of Object.entries(trials)) {
  t.test(`while one organisation exhausts its ${limit}, another one is served`, trial)
}
