// From a recorded head move to a real HTTPS receiver and back into the database.
import type { IncomingHttpHeaders } from 'node:http'
import { listReceivers, openReceiver } from '@floe/storage/database'
import { t } from 'tap'
import { createMetrics } from '../../../../../server/observation/metrics.ts'
import { attempt } from '../../../../../server/notifications/deliver/attempt.ts'
import { Deliverer } from '../../../../../server/notifications/deliver/deliverer.ts'
import { signMessage } from '../../../../../server/notifications/deliver/write-request.ts'
import { systemTiming } from '../../../../../server/timing.ts'
import { secrets } from '../../../../storage/sample-secrets.ts'
import { waitUntil } from '../../../wait-until.ts'
import { openTestPoster, startReceiver, type Cleanup } from '../../start-receiver.ts'
import { openDeliveries } from './open-deliveries.ts'

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
  let offsetMs = 0
  const now = () => Date.now() + offsetMs
  const { declare, moveHead, ...deliveries } = await openDeliveries(t, now)
  const { post } = openTestPoster(t)
  const context = { post, secrets, version: '1.2.3', timing: { now, dueNow: now, elapsed: now, random: () => 0.5 } }
  const deliverer = new Deliverer({
    db: deliveries.db,
    replica: { id: 'a', life: { aliveUntil: Infinity } },
    attempt: (claim) => attempt(claim, context),
    timing: { ...systemTiming, now, dueNow: now },
    metrics: createMetrics(),
    maxInFlight: 512,
    onRecorded: () => {},
    onError: (error) => {
      throw error
    },
  })
  deliverer.start()
  t.teardown(() => deliverer.stop())
  return {
    ...deliveries,
    requests,
    declare: (...paths: string[]) =>
      declare(Object.fromEntries(paths.map((path) => [path, `https://receiver.test:${port}/${path}`]))),
    moveHead: async () => {
      await moveHead()
      deliverer.wake()
    },
    /** Lets time pass. */
    advance: (ms: number) => {
      offsetMs += ms
      deliverer.wake()
    },
  }
}

// Proves: webhooks get the JSON payload
t.test('each receiver gets every event once, in order, signed with its own key', async (t) => {
  const { db, repoId, requests, declare, moveHead, listAttempts } = await startDelivering(t, () => 204)
  await declare('a', 'b', 'c')
  for (let n = 0; n < 5; n++) await moveHead()
  await waitUntil(() => requests.length === 15)
  for (const receiver of await listReceivers(db, { org: 'acme', repoId })) {
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
  await waitUntil(async () => (await listAttempts()).length === 15)
})

t.test('a failed delivery is repeated with the same id and bytes, and holds later ones back', async (t) => {
  const { requests, declare, moveHead, advance, listAttempts } = await startDelivering(t, (_path, count) =>
    count < 3 ? 500 : 200,
  )
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
  const findGone = async () => (await listReceivers(db, { org: 'acme', repoId })).find(({ alias }) => alias === 'gone')
  await waitUntil(async () => (await findGone())?.isEnabled === false)
  t.match(await findGone(), { disabledReason: /410/ })
  await moveHead()
  await waitUntil(() => requests.filter(({ path }) => path === '/here').length === 2)
  t.equal(requests.filter(({ path }) => path === '/gone').length, 1)
})
