import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { parseNotification, verifySignature } from '@floe/client'
import {
  type LanedDatabase,
  listReceivers,
  openDatabase,
  openReceiver,
  ensureRepositories,
  mainAlone,
} from '@floe/storage/database'
import { defaultLimits } from '@floe/storage/icechunk'
import { type ObjectStore, openLocalStore } from '@floe/storage/objects'
import { t } from 'tap'
import { readProxy } from '../../../server/main/configuration/read-proxy.ts'
import { readReceiverCertificates } from '../../../server/main/configuration/read-certificates.ts'
import { loadConfig } from '../../../server/main/configuration/load-config.ts'
import type { ConfigInput } from '../../../server/main/configuration/schema.ts'
import { Catalog } from '../../../server/catalog/catalog.ts'
import { attempt } from '../../../server/notifications/deliver/attempt.ts'
import { openNotifier } from '../../../server/notifications/notifier.ts'
import { createMetrics } from '../../../server/observation/metrics.ts'
import { StateLog } from '../../../server/observation/state-log.ts'
import { DatabaseClock } from '../../../server/notifications/database-clock.ts'
import { systemTiming, type Timing } from '../../../server/timing.ts'
import { readExpectedAnswers } from '../expected-answers.ts'
import { fixtures } from '../start-server.ts'
import { waitUntil } from '../wait-until.ts'
import { secrets } from '../../storage/sample-secrets.ts'
import { makeSampleClaim } from './deliver/sample-claim.ts'
import { ManualTiming } from './manual-timing.ts'
import { startProxy } from './start-proxy.ts'
import { startReceiver, testAuthorityFile } from './start-receiver.ts'
import { rememberRepository } from '../../storage/records/database/remember-repository.ts'

type Received = { readonly path: string; readonly headers: Record<string, string | undefined>; readonly body: string }

/** A receiver that records its requests, and a promise of the first `count` of them. */
async function receive(t: Parameters<typeof startReceiver>[0], count: number) {
  const received: Received[] = []
  const { promise, resolve } = Promise.withResolvers<Received[]>()
  const port = await startReceiver(t, (request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk))
    request.on('end', () => {
      response.writeHead(204).end()
      const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]))
      received.push({ path: request.url ?? '', headers, body })
      if (received.length === count) resolve(received)
    })
  })
  return { url: `https://127.0.0.1:${port}`, all: promise }
}

/** A notifier of the organisation `acme`, and the failures that it reports. */
async function openTestNotifier(
  db: LanedDatabase,
  store: ObjectStore,
  notifications: ConfigInput['notifications'],
  timing: Timing = systemTiming,
) {
  const { notifications: settings } = await loadConfig(undefined, {}, { orgs: { acme: {} }, notifications })
  const ensureIds = (org: string, names: readonly string[]) => ensureRepositories(db, org, names, new Date())
  const errors: unknown[] = []
  const onError = (error: unknown) => void errors.push(error)
  const states = new StateLog(timing.elapsed, { error: ({ err }) => onError(err), warn: () => {}, info: () => {} })
  const catalog = new Catalog('acme', [{ kind: 'scan', store }], { ensureIds, timing, limits: defaultLimits, states })
  const notifier = openNotifier({
    db,
    listenUrl: 'sqlite::memory:',
    clock: new DatabaseClock(db, timing),
    secrets,
    catalogs: new Map([['acme', catalog]]),
    settings: { ...settings, expectations: [] },
    alwaysWatched: mainAlone,
    certificates: await readReceiverCertificates(settings),
    proxy: readProxy(settings, {}),
    version: '0.0.0',
    resolveHost: () => Promise.reject(new Error('the receiver is written as an address')),
    metrics: createMetrics(),
    readers: { ask: () => Promise.reject(new Error('nobody reads')) },
    states,
    log: { error: () => {}, warn: () => {} },
    onHeartbeat: () => {},
    onError,
  })
  return { notifier, errors }
}

// Proves: `repo_id` is the id of the repository in the service
// Proves: `X-Secret-Token` is sent when a token is set
t.test('declared receivers get the first head of a repository, signed, and chats a line', async (t) => {
  const directory = t.testdir()
  await cp(join(fixtures, 'weather'), join(directory, 'weather'), { recursive: true })
  const db = await openDatabase('sqlite::memory:')
  const { url, all } = await receive(t, 2)
  const of = { org: 'acme', repo: 'weather' }
  const { notifier, errors } = await openTestNotifier(db, openLocalStore(directory), {
    allowPrivateNetworks: ['127.0.0.0/8'],
    extraCaFile: testAuthorityFile,
    webhooks: [{ ...of, url: `${url}/hook`, alias: 'pipeline', secretToken: 'a-token', headers: { 'X-Key': 'a-key' } }],
    chats: [{ ...of, url: `${url}/chat`, alias: 'team' }],
  })
  await notifier.start()
  const byPath = new Map((await all).map((request) => [request.path, request]))
  await notifier.stop()

  const hook = byPath.get('/hook')
  const { branches } = await readExpectedAnswers('weather')
  const notification = parseNotification(hook?.body ?? '')
  t.match(notification.details, {
    repo_id: await rememberRepository(db, 'acme', 'weather', new Date()),
    snapshot_id: branches['main'],
    commits_unavailable_reason: 'first_observation',
  })
  t.match(hook?.headers, {
    'x-secret-token': 'a-token',
    'x-key': 'a-key',
    'user-agent': 'Floe/0.0.0',
    'webhook-attempt': '1',
    'webhook-sequence': '1',
  })
  const receivers = await listReceivers(db, { org: 'acme', repoId: notification.details.repo_id })
  t.ok(
    await verifySignature({
      id: hook?.headers['webhook-id'] ?? null,
      timestamp: hook?.headers['webhook-timestamp'] ?? null,
      signature: hook?.headers['webhook-signature'] ?? null,
      body: hook?.body ?? '',
      secrets: receivers.flatMap((one) => openReceiver(one, secrets, new Date()).signingSecrets),
    }),
  )
  const chat = byPath.get('/chat')
  t.match(JSON.parse(chat?.body ?? '{}'), { text: `acme/weather branch main is now at ${branches['main']}: ` })
  t.notOk(Object.keys(chat?.headers ?? {}).some((name) => name.startsWith('webhook-') || name === 'x-secret-token'))
  t.strictSame(errors, [])
  await db.destroy()
})

t.test('webhooks and chats are reached through the proxy of the configuration', async (t) => {
  const directory = t.testdir()
  await cp(join(fixtures, 'weather'), join(directory, 'weather'), { recursive: true })
  const db = await openDatabase('sqlite::memory:')
  t.teardown(() => db.destroy())
  const proxy = await startProxy(t, { credentials: 'floe:hush' })
  const { url, all } = await receive(t, 2)
  const of = { org: 'acme', repo: 'weather' }
  const { notifier, errors } = await openTestNotifier(db, openLocalStore(directory), {
    allowPrivateNetworks: ['127.0.0.0/8'],
    extraCaFile: testAuthorityFile,
    proxy: proxy.url.replace('//', '//floe:hush@'),
    webhooks: [{ ...of, url: `${url}/hook`, alias: 'pipeline' }],
    chats: [{ ...of, url: `${url}/chat`, alias: 'team' }],
  })
  await notifier.start()
  t.strictSame(new Set((await all).map(({ path }) => path)), new Set(['/hook', '/chat']))
  await notifier.stop()
  const { host } = new URL(url)
  t.strictSame(new Set(proxy.asked), new Set([host]))
  t.strictSame(errors, [])
})

t.test('declared receivers of the organisation get the heads of the repositories that they select', async (t) => {
  const directory = t.testdir()
  for (const name of ['weather', 'satellite'])
    await cp(join(fixtures, 'weather'), join(directory, name), { recursive: true })
  const db = await openDatabase('sqlite::memory:')
  t.teardown(() => db.destroy())
  const { url, all } = await receive(t, 3)
  const { notifier, errors } = await openTestNotifier(db, openLocalStore(directory), {
    allowPrivateNetworks: ['127.0.0.0/8'],
    extraCaFile: testAuthorityFile,
    webhooks: [
      { org: 'acme', repos: ['sat*'], url: `${url}/some`, alias: 'some' },
      { org: 'acme', repos: ['**'], url: `${url}/all`, alias: 'all' },
    ],
    chats: [{ org: 'acme', repos: ['**'], url: `${url}/chat`, alias: 'chat' }],
  })
  await notifier.start()
  const requests = (await all).map(({ path, body }) => [path, parseNotification(body).details.repo_name])
  await notifier.stop()
  t.strictSame(
    new Set(requests),
    new Set([
      ['/all', 'weather'],
      ['/all', 'satellite'],
      ['/some', 'satellite'],
    ]),
    'the chat is told of moves alone',
  )
  t.strictSame(errors, [])
})

t.test('the deliveries of a receiver that is no longer declared are deleted soon', async (t) => {
  const directory = t.testdir()
  await cp(join(fixtures, 'weather'), join(directory, 'weather'), { recursive: true })
  const db = await openDatabase('sqlite::memory:')
  t.teardown(() => db.destroy())
  const { url, all } = await receive(t, 1)
  const { notifier, errors } = await openTestNotifier(db, openLocalStore(directory), {
    allowPrivateNetworks: ['127.0.0.0/8'],
    extraCaFile: testAuthorityFile,
    webhooks: [{ org: 'acme', repo: 'weather', url: `${url}/hook`, alias: 'pipeline' }],
  })
  await notifier.start()
  await all
  t.equal((await db.selectFrom('deliveries').select('id').execute()).length, 1)
  await notifier.declare({ webhooks: [], chats: [], expectations: [] })
  await waitUntil(async () => (await db.selectFrom('deliveries').select('id').execute()).length === 0)
  await notifier.stop()
  t.strictSame(errors, [])
})

t.test('declared receivers are applied although a location cannot be reached at the start', async (t) => {
  const db = await openDatabase('sqlite::memory:')
  t.teardown(() => db.destroy())
  const list = () => Promise.reject(new Error('nobody answers'))
  const store = Object.assign(openLocalStore(t.testdir()), { list })
  const hook = { org: 'acme', url: 'https://example.org/hook', alias: 'pipeline' }
  for (const repo of ['weather', 'satellite']) {
    const { notifier } = await openTestNotifier(db, store, { webhooks: [{ ...hook, repo }] })
    await notifier.start()
    await notifier.stop()
    const count = async (name: string) => {
      const id = await rememberRepository(db, 'acme', name, new Date())
      return (await listReceivers(db, { org: 'acme', repoId: id })).length
    }
    t.equal(await count('weather'), repo === 'weather' ? 1 : 0)
    t.equal(await count('satellite'), repo === 'satellite' ? 1 : 0)
  }
})

// Proves: an exchange may take 5 seconds
t.test('an attempt ends when a receiver has not answered within five seconds, and not before', async (t) => {
  const db = await openDatabase('sqlite::memory:')
  t.teardown(() => db.destroy())
  const asked = Promise.withResolvers<void>()
  const port = await startReceiver(t, () => asked.resolve())
  const timing = new ManualTiming()
  const settings = { allowPrivateNetworks: ['127.0.0.0/8'], extraCaFile: testAuthorityFile }
  const { notifier } = await openTestNotifier(db, openLocalStore(t.testdir()), settings, timing)
  let hasEnded = false
  const claim = makeSampleClaim({ url: `https://127.0.0.1:${port}/hook` })
  const finished = attempt(claim, notifier.attemptContext).finally(() => (hasEnded = true))
  await asked.promise
  await timing.pass(4_999, 1)
  t.equal(hasEnded, false)
  await timing.pass(1, 1)
  t.equal(hasEnded, true)
  // A longer limit would be over too.
  await timing.pass(60_000)
  const { outcome, next } = await finished
  t.match(outcome, { durationMs: 5_000, status: null, error: /^127\.0\.0\.1 did not answer within 5 seconds; / })
  t.equal(next.kind, 'retry')
  await notifier.stop()
})
