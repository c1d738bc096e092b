// From a recorded head move to a real HTTPS receiver and back into the database.
import {
  applyDeclaredReceivers,
  listReceivers,
  openReceiver,
  openDatabase,
  recordHeadMove,
} from '@floe/storage/database'
import type { IncomingHttpHeaders } from 'node:http'
import { t } from 'tap'
import { attempt } from '../../../../server/notifications/deliver/attempt.ts'
import { Deliverer, openQueue } from '../../../../server/notifications/deliver/deliverer.ts'
import { OpenReceivers } from '../../../../server/notifications/deliver/open-receivers.ts'
import { startBudget } from '../../../../server/notifications/post/start-budget.ts'
import { createMetrics } from '../../../../server/http/observation/metrics.ts'
import { systemTiming } from '../../../../server/timing.ts'
import { signMessage } from '../../../../server/notifications/deliver/write-request.ts'
import { secrets } from '../../../storage/sample-secrets.ts'
import { openTestPoster, startReceiver, type Cleanup } from '../start-receiver.ts'
import { waitUntil } from '../../wait-until.ts'
import { commit } from '../../../storage/database/recorded.ts'
import { rememberRepository } from '../../../storage/database/remember-repository.ts'

type Request = { readonly path: string; readonly headers: IncomingHttpHeaders; readonly body: string }

async function startDelivering(t: Cleanup, chooseStatus: (path: string, count: number) => number) {
  const requests: Request[] = []
  const port = await startReceiver(t, (request, response) => {
    const path = request.url ?? ''
    let body = ''
    request.setEncoding('utf8').on('data', (text) => (body += text))
    request.on('end', () => {
      requests.push({ path, headers: request.headers, body })
      response.writeHead(chooseStatus(path, requests.filter((one) => one.path === path).length)).end('seen')
    })
  })
  const db = await openDatabase('sqlite::memory:')
  t.teardown(() => db.destroy())
  const repoId = await rememberRepository(db, 'acme', 'weather', new Date())
  let offsetMs = 0
  const now = () => Date.now() + offsetMs
  const { post } = openTestPoster(t)
  const deliverer = new Deliverer({
    queue: openQueue(db, { now, refresh: async () => undefined }),
    attempt: (claim) =>
      attempt(claim, {
        post,
        receivers: new OpenReceivers(secrets),
        version: '1.2.3',
        timing: { now, elapsed: now },
        random: () => 0.5,
        startBudget: () => startBudget(5_000, systemTiming),
      }),
    timing: { ...systemTiming, now },
    metrics: createMetrics(),
    onError: (error) => {
      throw error
    },
  })
  deliverer.start()
  t.teardown(() => deliverer.stop())
  let sequence = 0
  return {
    db,
    repoId,
    requests,
    declare: (...paths: string[]) =>
      applyDeclaredReceivers(
        db,
        repoId,
        paths.map((path) => ({
          kind: 'webhook',
          alias: path,
          url: `https://receiver.test:${port}/${path}`,
          service: null,
          events: ['NewCommit'],
          secretToken: 'open sesame',
          signingSecret: null,
        })),
        { secrets, now: new Date(now()) },
      ),
    moveHead: async () => {
      const previous = sequence === 0 ? null : { snapshotId: `S${sequence}`, sequence }
      sequence++
      const event = { payload: `{"n":${sequence}}`, line: `line ${sequence}` }
      await recordHeadMove(
        db,
        { repoId, branch: 'main', previous, snapshotId: `S${sequence}`, commit, event },
        new Date(now()),
      )
      deliverer.wake()
    },
    /** Lets time pass. */
    advance: (ms: number) => {
      offsetMs += ms
      deliverer.wake()
    },
  }
}

t.test('each receiver gets every event once, in order, signed with its own key', async (t) => {
  const { db, repoId, requests, declare, moveHead } = await startDelivering(t, () => 204)
  await declare('a', 'b', 'c')
  for (let n = 0; n < 5; n++) await moveHead()
  await waitUntil(() => requests.length === 15)
  for (const receiver of await listReceivers(db, repoId)) {
    const { signingSecrets } = openReceiver(receiver, secrets, new Date())
    const received = requests.filter(({ path }) => path === `/${receiver.alias}`)
    t.strictSame(
      received.map(({ body }) => body),
      ['{"n":1}', '{"n":2}', '{"n":3}', '{"n":4}', '{"n":5}'],
    )
    for (const { headers, body } of received) {
      const message = { id: String(headers['webhook-id']), timestamp: Number(headers['webhook-timestamp']), body }
      t.equal(headers['webhook-signature'], signMessage(signingSecrets, message))
      t.equal(headers['x-secret-token'], 'open sesame')
    }
  }
  t.equal(new Set(requests.map(({ headers }) => headers['webhook-id'])).size, 15)
  await waitUntil(async () => (await db.selectFrom('attempts').select('status').execute()).length === 15)
})

t.test('a failed delivery is repeated with the same id and bytes, and holds later ones back', async (t) => {
  const { db, requests, declare, moveHead, advance } = await startDelivering(t, (_path, count) =>
    count < 3 ? 500 : 200,
  )
  const listAttempts = () => db.selectFrom('attempts').select(['number', 'status', 'error']).orderBy('number').execute()
  await declare('a')
  await moveHead()
  await moveHead()
  await waitUntil(async () => (await listAttempts()).length === 1)
  advance(5_000)
  await waitUntil(async () => (await listAttempts()).length === 2)
  advance(30_000)
  await waitUntil(() => requests.length === 4)
  const seen = requests.map(({ headers, body }) => [headers['webhook-attempt'], body])
  t.strictSame(seen, [
    ['1', '{"n":1}'],
    ['2', '{"n":1}'],
    ['3', '{"n":1}'],
    ['1', '{"n":2}'],
  ])
  const ids = requests.map(({ headers }) => headers['webhook-id'])
  t.equal(new Set(ids.slice(0, 3)).size, 1)
  t.equal(new Set(ids).size, 2)
  t.not(requests[0]?.headers['webhook-signature'], requests[2]?.headers['webhook-signature'], 'signed anew')
})

t.test('410 disables the receiver', async (t) => {
  const { db, repoId, requests, declare, moveHead } = await startDelivering(t, (path) => (path === '/gone' ? 410 : 200))
  await declare('gone', 'here')
  await moveHead()
  const findGone = async () => (await listReceivers(db, repoId)).find(({ alias }) => alias === 'gone')
  await waitUntil(async () => (await findGone())?.isEnabled === false)
  t.match(await findGone(), { disabledReason: /410/ })
  await moveHead()
  await waitUntil(() => requests.filter(({ path }) => path === '/here').length === 2)
  t.equal(requests.filter(({ path }) => path === '/gone').length, 1)
})
