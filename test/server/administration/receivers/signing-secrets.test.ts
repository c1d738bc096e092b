import type { IncomingMessage, ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { createReceiver } from '@floe/client'
import { t } from 'tap'
import { signMessage } from '../../../../server/notifications/deliver/write-request.ts'
import { startReceiver } from '../../notifications/start-receiver.ts'
import { receive, startAdministration, startWithCheck } from '../start-administration.ts'
import { waitUntil } from '../../wait-until.ts'

const events = ['NewCommit']

t.test(
  'a receiver that verifies accepts the test of a webhook before it is saved, and its deliveries after',
  async (t) => {
    const { server, check } = await startWithCheck(t)
    const signingSecret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
    const told: boolean[] = []
    const receiver = createReceiver({
      secretToken: 'open-sesame',
      signingSecrets: [signingSecret],
      onNewCommit: (_details, { isTest }) => void told.push(isTest),
    })
    const requests: Headers[] = []
    const take = async (request: IncomingMessage, response: ServerResponse) => {
      const headers = new Headers(Object.entries(request.headers).map(([name, value]) => [name, String(value)]))
      requests.push(headers)
      const body = await buffer(request)
      const answer = await receiver(new Request('https://127.0.0.1/', { method: 'POST', headers, body }))
      response.writeHead(answer.status).end(await answer.text())
    }
    const port = await startReceiver(t, (request, response) => void take(request, response))
    const webhook = { kind: 'webhook', url: `https://127.0.0.1:${port}/hook`, secret_token: 'open-sesame' }
    t.match(await check({ ...webhook, signing_secret: signingSecret }), { ok: true, status: 204 })
    t.equal(requests.at(-1)?.get('webhook-test'), 'true')
    t.match(await check(webhook), { ok: false, status: 401 }, 'another one signs when none is sent')

    const saved = { ...webhook, signing_secret: signingSecret, alias: 'tiles', events }
    const created = await (await server.administer('POST', 'repos/weather/receivers', saved)).json()
    t.equal(created.signing_secret, signingSecret)
    t.match(await check({ id: created.id }), { ok: true, status: 204 })
    await server.notifier.start()
    await server.administer('POST', 'repos/weather/refresh')
    await waitUntil(() => told.length >= 3)
    t.strictSame(told, [true, true, false], 'a delivery is no test')
    t.equal(requests.at(-1)?.get('webhook-test'), null)
    t.match(requests.at(-1)?.get('webhook-id'), /./)
  },
)

t.test('a signing secret that is none is refused, and not repeated', async (t) => {
  const { server } = await startWithCheck(t)
  const list = 'repos/weather/receivers'
  const writeSecret = (bytes: number) => `whsec_${Buffer.alloc(bytes, 7).toString('base64')}`
  const isRefused = async (method: string, path: string, body: object, message: string) => {
    const response = await server.administer(method, path, body)
    t.match(await response.json(), { status: 400, errors: [{ pointer: '/body/signing_secret', message }] })
  }
  const url = 'https://127.0.0.1/'
  const unpadded = `whsec_${Buffer.alloc(32).toString('base64url')}`
  for (const signing_secret of [
    'whsec_',
    'hush',
    writeSecret(32).slice(6),
    writeSecret(23),
    writeSecret(65),
    unpadded,
  ]) {
    const message = 'must be "whsec_" and the base64 of 24 to 64 bytes'
    await isRefused('POST', list, { kind: 'webhook', url, alias: 'tiles', events, signing_secret }, message)
    await isRefused('POST', `${list}/test`, { kind: 'webhook', url, signing_secret }, message)
  }
  for (const bytes of [24, 25, 26, 32, 62, 63, 64]) {
    const webhook = { kind: 'webhook', url, alias: `tiles ${bytes}`, events, signing_secret: writeSecret(bytes) }
    t.equal((await server.administer('POST', list, webhook)).status, 201, `${bytes} bytes`)
  }
  const [{ id }] = (await (await server.administer('GET', list)).json()).items
  const signing_secret = writeSecret(32)
  await isRefused('PATCH', `${list}/${id}`, { kind: 'webhook', signing_secret }, 'is not known')
  await isRefused('POST', `${list}/test`, { kind: 'webhook', id, signing_secret }, 'is not known')
})

t.test('for a day, a rotated secret signs beside the new one', async (t) => {
  let now = Date.now()
  const server = await startAdministration(t, { now: () => now })
  const { origin, requests } = await receive(t, { status: 204 })
  const webhook = { kind: 'webhook', url: origin, alias: 'tiles', events }
  const created = await server.administer('POST', 'repos/weather/receivers', webhook)
  const { id, signing_secret: old } = await created.json()
  const rotated = await server.administer('POST', `repos/weather/receivers/${id}/rotate-secret`)
  const { signing_secret: fresh } = await rotated.json()
  const readSignatures = async () => {
    await server.administer('POST', 'repos/weather/receivers/test', { kind: 'webhook', id })
    const { headers = {}, body = '' } = requests.at(-1) ?? {}
    const message = { id: headers['webhook-id'] ?? '', timestamp: Number(headers['webhook-timestamp']), body }
    return { sent: headers['webhook-signature'], by: (...secrets: string[]) => signMessage(secrets, message) }
  }
  const before = await readSignatures()
  t.equal(before.sent, before.by(fresh, old))
  now += 86_400_000
  const after = await readSignatures()
  t.equal(after.sent, after.by(fresh))
})
