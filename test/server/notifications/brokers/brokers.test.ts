// Notifications for message brokers, from a head move to the messages in them. Those of AWS are moto's, that of Google
// is its emulator.
import { createHmac, createHash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { join } from 'node:path'
import { parseNotification, verifySignature } from '@floe/client'
import { type Test, t } from 'tap'
import { startAdministration } from '../../administration/start-administration.ts'
import { waitUntil } from '../../wait-until.ts'
import { openMovableRefs } from '../movable-refs.ts'
import { listen } from '../start-receiver.ts'
import { openBrokers } from '../../../../server/notifications/brokers/brokers.ts'
import type { PostRequest } from '../../../../server/notifications/post/post.ts'
import { notification } from '../../../contract/notifications.ts'
import { account, openCloud, type ReceivedMessage, secretKey, setCredentials } from './cloud-apis.ts'

const { FLOE_TEST_MOTO: moto, FLOE_TEST_PUBSUB: emulator } = process.env
const skip = moto === undefined && 'FLOE_TEST_MOTO names no moto server'

setCredentials()

/** A name that no earlier run on the same server has used. */
const makeName = (suffix = '') => `floe-${process.pid}-${Date.now()}${suffix}`

type Webhook = {
  readonly kind: 'sqs' | 'sns' | 'eventbridge' | 'pubsub'
  readonly url: string
  readonly format?: string
}

/** A server whose organisation may send to a broker, and which has a webhook for it. */
async function startWithBroker(t: Test, { kind, url, ...settings }: Webhook) {
  const { source, point } = await openMovableRefs(t)
  const brokers = [{ org: 'acme', kind, url: url.replace(/floe-/, '*') }]
  const notifications = { allowHttpLoopback: true, brokers }
  const server = await startAdministration(t, { sources: [source], notifications })
  await server.administer('POST', 'repos/sea/refresh')
  const webhook = { kind: 'webhook', alias: 'broker', events: ['NewCommit'], branches: ['**'], url, ...settings }
  const created = await server.administer('POST', 'repos/sea/receivers', webhook)
  t.equal(created.status, 201)
  const { id, signing_secret: secret } = await created.json()
  const test = async (changes: object = {}) => {
    const response = await server.administer('POST', 'repos/sea/receivers/test', { kind: 'webhook', id, ...changes })
    return response.json()
  }
  return { server, point, secret, test }
}

/** Lets two commits of `main`, and one of another branch between them, arrive at a broker, and returns the secret. */
async function deliverTo(t: Test, webhook: Webhook): Promise<string> {
  const { server, point, secret, test } = await startWithBroker(t, webhook)
  t.match(await test(), { ok: true, error: null })
  await server.notifier.start()
  for (const [branch, commit] of [
    ['main', 's1'],
    ['other', 's1'],
    ['main', 's2'],
  ] as const) {
    await point(`branch.${branch}`, commit)
    await server.administer('POST', 'repos/sea/refresh')
  }
  await waitUntil(async () => {
    const { items } = await (await server.administer('GET', 'repos/sea/deliveries?state=delivered')).json()
    return items.length === 3
  })
  return secret
}

/** Checks three messages that were sent after a test: their order, their groups, and that they are signed. */
async function checkMessages(t: Test, messages: readonly ReceivedMessage[], secret: string, isFifo: boolean) {
  const sent = messages.filter(({ MessageAttributes }) => MessageAttributes?.['webhook-test'] === undefined)
  t.equal(messages.length - sent.length, 1, 'the test is marked')
  const branches = sent.map(({ Body }) => String(Reflect.get(parseNotification(Body).details, 'branch')))
  if (isFifo) {
    t.strictSame(branches, ['main', 'other', 'main'])
    const [main, other, again] = sent.map(({ Attributes }) => Attributes['MessageGroupId'])
    t.ok(main === again && main !== other && /^[0-9a-f]{64}$/.test(main ?? ''), 'each branch has its group')
  } else t.strictSame(branches.toSorted(), ['main', 'main', 'other'])
  for (const { Body: body, Attributes, MessageAttributes = {} } of sent) {
    const read = (name: string) => MessageAttributes[`webhook-${name}`]?.StringValue ?? null
    const proof = { id: read('id'), timestamp: read('timestamp'), signature: read('signature'), body }
    t.ok(await verifySignature({ ...proof, secrets: [secret] }), 'signed as for a webhook')
    if (isFifo) t.equal(Attributes['MessageDeduplicationId'], read('id'), 'an attempt that is repeated counts once')
  }
}

for (const isFifo of [false, true]) {
  const suffix = isFifo ? '.fifo' : ''
  const order = isFifo ? ', in order within a branch' : ''
  t.test(`a queue of SQS gets signed notifications${order}`, { skip }, async (t) => {
    const cloud = openCloud(moto ?? '')
    const { url } = await cloud.makeQueue(makeName(suffix), isFifo)
    const secret = await deliverTo(t, { kind: 'sqs', url })
    await checkMessages(t, await cloud.receive(url, 4), secret, isFifo)
  })

  t.test(`a topic of SNS gets signed notifications${order}`, { skip }, async (t) => {
    const cloud = openCloud(moto ?? '')
    const { url, arn } = await cloud.makeQueue(makeName(suffix), isFifo)
    const topic = await cloud.makeTopic(makeName(suffix), arn, isFifo)
    const secret = await deliverTo(t, { kind: 'sns', url: `${moto}/?TopicArn=${topic}` })
    await checkMessages(t, await cloud.receive(url, 4), secret, isFifo)
  })
}

t.test('a bus of EventBridge gets CloudEvents if the webhook asks for them', { skip }, async (t) => {
  const cloud = openCloud(moto ?? '')
  const { url, arn } = await cloud.makeQueue(makeName())
  const bus = makeName()
  await cloud.makeBus(bus, arn)
  const format = 'cloudevents-structured'
  await deliverTo(t, { kind: 'eventbridge', url: `${moto}/?EventBusName=${bus}`, format })
  const events = (await cloud.receive(url, 4)).map(({ Body }) => JSON.parse(Body))
  for (const event of events)
    t.match(event, {
      source: 'floe',
      'detail-type': 'NewCommit',
      detail: { type: 'floe.NewCommit', specversion: '1.0' },
    })
  t.strictSame(events.map(({ detail }) => String(detail.subject)).toSorted(), ['main', 'main', 'main', 'other'])
})

const noEmulator = emulator === undefined && 'FLOE_TEST_PUBSUB names no emulator of Pub/Sub'
t.test('a topic of Pub/Sub gets signed notifications, in order within a branch', { skip: noEmulator }, async (t) => {
  const projects = `${emulator}/v1/projects/acme`
  const [topic, subscription] = [makeName(), makeName()]
  const send = async (method: string, path: string, body: object = {}) => {
    const headers = { 'content-type': 'application/json' }
    const response = await fetch(`${projects}/${path}`, { method, headers, body: JSON.stringify(body) })
    t.equal(response.status, 200)
    return response.json()
  }
  await send('PUT', `topics/${topic}`)
  const settings = { topic: `projects/acme/topics/${topic}`, enableMessageOrdering: true }
  await send('PUT', `subscriptions/${subscription}`, settings)
  const secret = await deliverTo(t, { kind: 'pubsub', url: `${projects}/topics/${topic}:publish` })
  const messages: ReceivedMessage[] = []
  while (messages.length < 4) {
    const { receivedMessages = [] } = await send('POST', `subscriptions/${subscription}:pull`, { maxMessages: 10 })
    const ackIds: string[] = []
    for (const { ackId, message } of receivedMessages) {
      ackIds.push(ackId)
      const attributes = Object.entries<string>(message.attributes).map(([name, StringValue]) => [
        name,
        { StringValue },
      ])
      messages.push({
        Body: Buffer.from(message.data, 'base64').toString(),
        Attributes: { MessageGroupId: message.orderingKey },
        MessageAttributes: Object.fromEntries(attributes),
      })
    }
    await send('POST', `subscriptions/${subscription}:acknowledge`, { ackIds })
  }
  await checkMessages(t, messages, secret, false)
})

/** Finds the broker of a webhook of `acme`, if an operator allows an organisation its URL. */
function findBroker(kind: Webhook['kind'], url: string, org = 'acme') {
  const event = { payload: JSON.stringify(notification) }
  return openBrokers([{ org, kind, url }])({ kind: 'webhook', url }, { deliveryId: 'msg_1', event })
}

/** Writes the request that hands a notification over to a broker. */
async function handOver(kind: Webhook['kind'], url: string): Promise<PostRequest> {
  const broker = findBroker(kind, url)
  if (broker === undefined) throw new TypeError('this is no broker')
  const headers = { 'content-type': 'application/json', 'user-agent': 'Floe/1', 'webhook-id': 'msg_1' }
  return broker.handOver({ url: new URL(url), headers, body: '{"sent":"ü"}' }, Date.now())
}

/** A server in place of a broker, which answers as `answer` says at the time. */
async function startCloud(t: Test, answer: { status: number; body: string }) {
  const requests: { readonly path: string; readonly headers: IncomingHttpHeaders; readonly body: string }[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk))
    request.on('end', () => {
      requests.push({ path: request.url ?? '', headers: request.headers, body })
      response.writeHead(answer.status).end(answer.body)
    })
  })
  t.teardown(() => server.closeAllConnections())
  return { origin: `http://127.0.0.1:${await listen(t, server)}`, requests }
}

t.test('a request to AWS is signed as AWS documents it, and nobody sees the signature', async (t) => {
  const { origin, requests } = await startCloud(t, { status: 200, body: '{}' })
  const { test } = await startWithBroker(t, { kind: 'sqs', url: `${origin}/${account}/floe-heads` })
  const result = await test()
  t.match(result, { ok: true, request: { headers: { 'webhook-signature': '[redacted]' } } })
  t.equal(result.request.headers.authorization, undefined)
  const [{ path, headers, body } = { path: '', headers: {}, body: '' }] = requests
  t.equal(path, '/')
  // https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html
  const [, scope = '', signed = '', signature] =
    /Credential=AKIDEXAMPLE\/(\S+), SignedHeaders=(\S+), Signature=(\w+)$/.exec(headers.authorization ?? '') ?? []
  t.match(scope, /^\d{8}\/us-east-1\/sqs\/aws4_request$/)
  const names = signed.split(';')
  t.ok(['host', 'content-type', 'x-amz-target', 'x-amz-date'].every((name) => names.includes(name)))
  const hash = (text: string) => createHash('sha256').update(text).digest('hex')
  const lines = names.map((name) => `${name}:${String(headers[name])}\n`).join('')
  const canonical = ['POST', '/', '', lines, signed, hash(body)].join('\n')
  const toSign = ['AWS4-HMAC-SHA256', headers['x-amz-date'], scope, hash(canonical)].join('\n')
  const sign = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()
  const key = scope.split('/').reduce<string | Buffer>(sign, `AWS4${secretKey}`)
  t.equal(sign(key, toSign).toString('hex'), signature)
})

// Proves: only brokers that an operator lists for the organisation get requests with the credentials of the service
t.test('without the leave of an operator, nothing is signed', async (t) => {
  const { origin, requests } = await startCloud(t, { status: 403, body: '' })
  const { test } = await startWithBroker(t, { kind: 'sqs', url: `${origin}/999999999999/floe-heads` })
  const result = await test({ url: `${origin}/${account}/floe-heads` })
  t.match(result, { ok: false, status: 403, error: /it may expect a Secret Token/ })
  const [{ path, headers } = { path: '', headers: {} }] = requests
  t.equal(path, `/${account}/floe-heads`)
  t.match(headers, { authorization: undefined, 'webhook-signature': /^v1,/ }, 'sent as to any webhook')
  const url = `https://sqs.eu-west-1.amazonaws.com/${account}/heads`
  t.ok(findBroker('sqs', url, 'acme'))
  t.equal(findBroker('sqs', url, 'other'), undefined, 'a rule is for the receivers of one organisation')
})

t.test('a broker that refuses, a wrong URL and settings that no broker takes are explained', async (t) => {
  const answer = { status: 400, body: '{"__type":"QueueDoesNotExist"}' }
  const { origin, requests } = await startCloud(t, answer)
  const queue = await startWithBroker(t, { kind: 'sqs', url: `${origin}/${account}/floe-heads` })
  t.match(await queue.test(), { ok: false, status: 400, error: 'answered 400: {"__type":"QueueDoesNotExist"}' })
  const bus = await startWithBroker(t, { kind: 'eventbridge', url: `${origin}/?EventBusName=floe-heads` })
  Object.assign(answer, { status: 200, body: '{"FailedEntryCount":1}' })
  t.match(await bus.test(), { ok: false, error: 'answered 200: {"FailedEntryCount":1}' })
  answer.body = '{"FailedEntryCount":0}'
  t.match(await bus.test(), { ok: true })
  const sent = requests.length
  for (const [kind, path, like] of [
    ['sqs', '/heads/floe-heads', /must be like https:\/\/sqs\./],
    ['sqs', `/${account}/floe-heads?Action=DeleteQueue`, /must be like https:\/\/sqs\./],
    ['sns', '/?TopicArn=floe-heads', /must be like https:\/\/sns\./],
    ['sns', `/?TopicArn=arn:aws:sns:us-east-1:${account}:heads&y=floe-heads`, /must be like https:\/\/sns\./],
    ['eventbridge', '/?EventBusName=heads&y=floe-heads', /must be like https:\/\/events\./],
    ['pubsub', '/v1/projects/acme/topics/floe-heads', /must be like https:\/\/pubsub\./],
  ] as const) {
    const { test } = await startWithBroker(t, { kind, url: origin + path })
    t.match(await test(), { ok: false, status: null, error: like })
  }
  const misplaced = /^not sent: a message broker takes no header/
  for (const changes of [{ secret_token: 'sesame' }, { headers: { 'X-Key': '1' } }, { format: 'cloudevents-binary' }])
    t.match(await queue.test(changes), { ok: false, error: misplaced })
  t.equal(requests.length, sent, 'nothing was sent')
})

t.test('a request to Google has the access token of the service, and no other host gets it', async (t) => {
  const token = { access_token: 'granted', issued_token_type: 'jwt', expires_in: 3_600, token_type: 'Bearer' }
  const { origin, requests } = await startCloud(t, { status: 200, body: JSON.stringify(token) })
  const directory = t.testdir({ subject: 'a token' })
  const credentials = {
    type: 'external_account',
    audience: '//iam.googleapis.com/floe',
    subject_token_type: 'urn:ietf:params:oauth:token-type:jwt',
    token_url: `${origin}/token`,
    credential_source: { file: join(directory, 'subject') },
  }
  await writeFile(join(directory, 'key.json'), JSON.stringify(credentials))
  process.env['GOOGLE_APPLICATION_CREDENTIALS'] = join(directory, 'key.json')
  const topic = '/v1/projects/acme/topics/heads:publish'
  const { url, headers, body } = await handOver('pubsub', `https://europe-west1-pubsub.googleapis.com${topic}`)
  t.equal(url.href, `https://europe-west1-pubsub.googleapis.com${topic}`)
  t.match(headers, { authorization: 'Bearer granted', 'content-type': 'application/json', 'user-agent': 'Floe/1' })
  const [{ data, attributes, orderingKey }] = JSON.parse(body).messages
  t.equal(Buffer.from(data, 'base64').toString(), '{"sent":"ü"}')
  t.match({ attributes, orderingKey }, { attributes: { 'webhook-id': 'msg_1' }, orderingKey: /^[0-9a-f]{64}$/ })
  const elsewhere = { message: 'the access token is sent only to hosts of googleapis.com' }
  await t.rejects(handOver('pubsub', `https://broker.example.org${topic}`), elsewhere)
  t.equal(requests.length, 1)
})

t.test('a signature is for the region of the endpoint, or else for that of the environment', async (t) => {
  const queue = `/${account}/heads`
  const topic = `/?TopicArn=arn:aws:sns:eu-west-1:${account}:heads`
  const readScope = async (kind: Webhook['kind'], url: string) =>
    /\/\d{8}\/(\S+),/.exec((await handOver(kind, url)).headers['authorization'] ?? '')?.[1]
  for (const [kind, url, scope] of [
    ['sqs', `https://sqs.eu-west-1.amazonaws.com${queue}`, 'eu-west-1/sqs'],
    ['sqs', `https://sqs.cn-north-1.amazonaws.com.cn${queue}`, 'cn-north-1/sqs'],
    ['sqs', `https://vpce-0a1b2c.sqs.eu-west-1.vpce.amazonaws.com${queue}`, 'eu-west-1/sqs'],
    ['sns', `https://sns-fips.us-gov-west-1.amazonaws.com${topic}`, 'us-gov-west-1/sns'],
    ['eventbridge', 'https://events.ap-south-2.api.aws/?EventBusName=heads', 'ap-south-2/events'],
    ['sqs', `https://queues.example.org${queue}`, 'eu-north-1/sqs'],
  ] as const) {
    process.env['AWS_REGION'] = 'eu-north-1'
    t.equal(await readScope(kind, url), `${scope}/aws4_request`, url)
    delete process.env['AWS_REGION']
    t.equal(await readScope(kind, url), `${scope.replace('eu-north-1', 'us-east-1')}/aws4_request`, 'without a region')
  }
  setCredentials()
})

t.test('a delivery says that the service has no credentials', async (t) => {
  for (const name of ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY']) delete process.env[name]
  t.teardown(setCredentials)
  const message = 'the service found no credentials for this cloud (CredentialsProviderError); ask its operator'
  await t.rejects(handOver('sqs', `https://sqs.eu-west-1.amazonaws.com/${account}/heads`), { message })
})
