// Events as CloudEvents, from a head move to a receiver, which reads them with the official SDK.
import { once, EventEmitter } from 'node:events'
import { type CloudEventV1, HTTP } from 'cloudevents'
import { createReceiver, type ReceivedDelivery } from '@floe/client'
import { t } from 'tap'
import { writeRequest } from '../../../server/notifications/deliver/write-request.ts'
import { defaultFilter } from '@floe/contract/lists'
import { notification } from '../../contract/notifications.ts'
import { receive, startAdministration } from '../administration/start-administration.ts'
import { openMovableRefs } from '../notifications/movable-refs.ts'
import { startReceiver } from '../notifications/start-receiver.ts'
import { signingSecret } from '../notifications/deliver/sample-claim.ts'

type Arrived = { readonly headers: Record<string, string>; readonly body: string }

/** Reads a request with the official SDK. */
function readCloudEvent(arrived: Arrived): CloudEventV1<unknown> {
  const event = HTTP.toEvent<unknown>(arrived)
  if (Array.isArray(event)) throw new TypeError('a batch')
  return event
}

/** Receives a request as a program of the client does. */
async function receiveWithClient({ headers, body }: Arrived, secret: string) {
  const handled: { readonly snapshot: string; readonly delivery: ReceivedDelivery }[] = []
  const receiver = createReceiver({
    signingSecrets: [secret],
    onNewCommit: ({ snapshot_id: snapshot }, delivery) => void handled.push({ snapshot, delivery }),
  })
  const { status } = await receiver(new Request('https://receiver.test/', { method: 'POST', headers, body }))
  return { status, handled }
}

// Proves: webhooks can ask for CloudEvents 1.0, in both modes
t.test('a commit arrives as a CloudEvent in both modes, signed, and the SDK and the client read it', async (t) => {
  const { source, point } = await openMovableRefs(t)
  const server = await startAdministration(t, { sources: [source] })
  const arrivals = new EventEmitter()
  const sent = new Map<string, Arrived>()
  const port = await startReceiver(t, (request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk))
    request.on('end', () => {
      const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]))
      sent.set(request.url?.slice(1) ?? '', { headers, body })
      response.writeHead(204).end()
      arrivals.emit('request')
    })
  })
  const check = () => server.administer('POST', 'repos/sea/refresh')
  await check()
  const secrets = new Map<string, string>()
  for (const format of ['standard', 'cloudevents-binary', 'cloudevents-structured']) {
    const url = `https://127.0.0.1:${port}/${format}`
    const webhook = { kind: 'webhook', url, alias: format, events: ['NewCommit'], format }
    const created = await (await server.administer('POST', 'repos/sea/receivers', webhook)).json()
    t.equal(created.format, format)
    secrets.set(format, created.signing_secret)
  }
  await server.notifier.start()
  await point('branch.main', 's1')
  await check()
  while (sent.size < 3) await once(arrivals, 'request')

  const take = (format: string) => sent.get(format) ?? { headers: {}, body: '' }
  const standard = take('standard')
  t.notOk(Object.keys(standard.headers).some((name) => name.startsWith('ce-')))
  const data = JSON.parse(standard.body)
  for (const format of ['cloudevents-binary', 'cloudevents-structured']) {
    const arrived = take(format)
    const event = readCloudEvent(arrived)
    t.match(event, {
      specversion: '1.0',
      id: arrived.headers['webhook-id'],
      source: '/v1/orgs/acme/repos/sea',
      type: 'floe.NewCommit',
      subject: 'main',
      datacontenttype: 'application/json',
    })
    t.ok(Math.abs(Date.parse(event.time ?? '') - Date.now()) < 600_000, 'the time when the move was found')
    t.strictSame(event.data, data, 'the notification of the other formats')
    const received = await receiveWithClient(arrived, secrets.get(format) ?? '')
    t.match(received, { status: 204, handled: [{ snapshot: data.details.snapshot_id, delivery: { attempt: 1 } }] })
    const forged = { ...arrived, body: arrived.body.replace('floe.NewCommit', 'floe.Forged').replace('sea', 'see') }
    t.equal((await receiveWithClient(forged, secrets.get(format) ?? '')).status, 401, 'the signature covers the body')
  }
  t.equal(take('cloudevents-binary').body, standard.body)
})

t.test(
  'names that a header or a URL cannot hold are encoded, and the attributes of both modes are the same',
  async (t) => {
    const branch = 'été "50%" \ud83d\ude00\ud800\n'
    const details = { ...notification.details, repo_name: 'sea ice/ü', branch }
    const event = { payload: JSON.stringify({ ...notification, details }), line: '', sequence: 1 }
    const message = { deliveryId: 'msg_1', attempt: 1, event: { ...event, recordedAt: new Date(0) } }
    const write = (format: 'cloudevents-binary' | 'cloudevents-structured') => {
      const way = { kind: 'webhook', url: 'https://receiver.test/', service: null } as const
      const receiver = {
        ...way,
        filter: { ...defaultFilter, format },
        secretToken: null,
        headers: {},
        signingSecrets: [signingSecret],
      }
      return writeRequest(message, receiver, '1.0.0', 0)
    }
    const binary = write('cloudevents-binary')
    const encoded = '%C3%A9t%C3%A9%20%2250%25%22%20%F0%9F%98%80%EF%BF%BD%0A'
    t.match(binary.headers, { 'ce-subject': encoded, 'ce-source': '/v1/orgs/acme/repos/sea%2520ice%252F%25C3%25BC' })
    const structured = JSON.parse(write('cloudevents-structured').body)
    const source = '/v1/orgs/acme/repos/sea%20ice%2F%C3%BC'
    t.match(structured, { subject: branch, source, time: '1970-01-01T00:00:00.000Z' })
    for (const name of ['specversion', 'id', 'source', 'type', 'time'])
      t.equal(decodeURIComponent(binary.headers[`ce-${name}`] ?? ''), structured[name])
  },
)

t.test(
  'a webhook changes its format, can be tested with another, and its own headers cannot begin with ce-',
  async (t) => {
    const server = await startAdministration(t)
    const { origin, requests } = await receive(t, { status: 204 })
    const webhook = { kind: 'webhook', url: `${origin}/hook`, alias: 'hook', events: ['NewCommit'] }
    const address = 'repos/weather/receivers'
    const created = await (await server.administer('POST', address, webhook)).json()
    t.equal(created.format, 'standard')
    const test = { kind: 'webhook', id: created.id, format: 'cloudevents-structured' }
    await server.administer('POST', `${address}/test`, test)
    t.match(readCloudEvent(requests[0] as Arrived), { type: 'floe.NewCommit', subject: 'main' })
    const change = { kind: 'webhook', format: 'cloudevents-binary' }
    t.match(await (await server.administer('PATCH', `${address}/${created.id}`, change)).json(), change)
    const { items } = await (await server.administer('GET', 'repos/weather/audit')).json()
    t.match(items[0], { before: { format: 'standard' }, after: { format: 'cloudevents-binary' } })
    await server.administer('POST', `${address}/test`, { kind: 'webhook', id: created.id })
    t.match(requests[1]?.headers, { 'ce-type': 'floe.NewCommit', 'webhook-test': 'true' })
    const refused = await server.administer('POST', address, { ...webhook, alias: 'b', headers: { 'ce-id': '1' } })
    t.match([refused.status, await refused.json()], [400, { errors: [{ pointer: '/body/headers/ce-id' }] }])
  },
)
