// Secrets that are easy to find again, put wherever a caller, an operator or a receiver can put one. They must not come
// out: not in the log, answers, metrics or traces.
import { randomBytes } from 'node:crypto'
import { contract } from '@floe/contract'
import { createApiKey } from '@floe/storage/database'
import { t, type Test } from 'tap'
import { openLog } from '../../server/observation/open-log.ts'
import { openTracing } from '../../server/observation/open-tracing.ts'
import { startAdministration } from './administration/start-administration.ts'
import { startReceiver } from './notifications/start-receiver.ts'
import { basic } from './start-server.ts'
import { startCollector } from './observation/start-collector.ts'
import { waitUntil } from './wait-until.ts'

const canary = (what: string) => `canary-${what}-${randomBytes(12).toString('hex')}`

/** A receiver that fails, and repeats all that it was sent. */
async function startEcho(t: Test): Promise<string> {
  const port = await startReceiver(t, (request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk))
    request.on('end', () => {
      response.writeHead(500).end(JSON.stringify({ url: request.url, headers: request.headers, body }))
    })
  })
  return `https://127.0.0.1:${port}`
}

// Proves: answers, logs, metrics and traces contain no secret
t.test('no secret comes out', async (t) => {
  const lines: string[] = []
  const log = openLog('trace', { destination: { write: (line) => void lines.push(line) } })
  const background: string[] = []
  const onError = (error: unknown) => {
    log.error({ err: error }, 'background')
    background.push(String(error))
  }
  const { endpoint, spans } = await startCollector(t)
  const tracing = await openTracing({ endpoint, sampleRatio: 1 }, onError)
  const server = await startAdministration(t, {
    log,
    logsRequests: true,
    tracing: tracing.plugin,
    refMaxAge: 60_000,
    onError,
  })
  const answers: { readonly address: string; readonly text: string }[] = []
  const send = async (method: string, address: string, headers: Record<string, string> = {}, body?: string) => {
    const response = await fetch(address, { method, headers, ...(body !== undefined && { body }), redirect: 'manual' })
    const text = await response.text()
    answers.push({ address, text: JSON.stringify([...response.headers]) + text })
    return { status: response.status, text }
  }

  const wrongKey = `floe_${randomBytes(8).toString('hex')}_${randomBytes(32).toString('base64url')}`
  const revokedKey = await createApiKey(
    server.db,
    { org: 'acme', role: 'reader', repos: null, expiresAt: new Date(0) },
    new Date(),
  )
  const secrets = {
    apiKey: server.apiKey,
    adminKey: server.adminKey,
    wrongKey,
    revokedKey,
    secretToken: canary('token'),
    header: canary('header'),
    basicPassword: canary('basic'),
    signingSecret: `whsec_${randomBytes(32).toString('base64')}`,
    urlPath: canary('path'),
    urlQuery: canary('query'),
    chatPath: canary('chat'),
    cookie: canary('cookie'),
    password: canary('password'),
  }
  const admin = { authorization: basic('acme', server.adminKey) }
  const json = { ...admin, 'content-type': 'application/json' }
  const hooks = `${server.org}/repos/weather/receivers`

  // Callers: credentials, right and wrong, in every form, and where they do not belong.
  const keys = [server.apiKey, server.adminKey, wrongKey, revokedKey]
  // All at once, because wrong credentials are answered the later the more there are.
  const calls: Promise<unknown>[] = []
  for (const key of keys) {
    const misplaced = encodeURIComponent(key)
    for (const authorization of [basic('acme', key), `Bearer ${key}`, `Token ${key}`, key]) {
      for (const path of ['discovery', 'datasets/weather/main/forecast/info', 'diff/weather/v1.0/main'])
        calls.push(send('GET', `${server.meta}/${path}`, { authorization, cookie: secrets.cookie }))
    }
    for (const path of [
      `${server.meta}/discovery?api_key=${misplaced}`,
      `${server.meta}/discovery/${misplaced}`,
      `${server.meta}/discovery/weather/${misplaced}`,
      `${server.meta}/datasets/weather/main/${misplaced}/info`,
      `${server.origin}/${misplaced}`,
      `${server.origin}/problems/${misplaced}`,
      `${server.origin}/v1/orgs/${misplaced}/keys`,
    ]) {
      for (const accept of ['application/json', 'text/html']) calls.push(send('GET', path, { ...admin, accept }))
    }
  }
  await Promise.all(calls)

  // Administrators: everything that is stored, refused or changed.
  const echo = await startEcho(t)
  const webhook = {
    kind: 'webhook',
    url: `${echo}/${secrets.urlPath}?token=${secrets.urlQuery}`,
    alias: 'echo',
    events: ['NewCommit'],
    secret_token: secrets.secretToken,
    signing_secret: secrets.signingSecret,
    headers: {
      'x-functions-key': secrets.header,
      Authorization: `Basic ${Buffer.from(`user:${secrets.basicPassword}`).toString('base64')}`,
    },
  }
  const created = await fetch(hooks, { method: 'POST', headers: json, body: JSON.stringify(webhook) })
  t.equal(created.status, 201)
  const { id } = JSON.parse(await created.text())
  const chat = {
    kind: 'chat',
    url: `${echo}/${secrets.chatPath}`,
    alias: 'chat',
    service: 'mattermost',
    events: ['NewCommit'],
  }
  await send('POST', hooks, json, JSON.stringify(chat))
  for (const body of [
    JSON.stringify({ ...webhook, alias: 7 }),
    JSON.stringify({ ...webhook, headers: { Host: secrets.header } }),
    JSON.stringify({ ...webhook, [secrets.signingSecret]: true }),
    JSON.stringify({ ...webhook, url: `http://user:${secrets.password}@127.0.0.1/` }),
    `{"secret_token": "${secrets.secretToken}`,
  ])
    t.equal((await send('POST', hooks, json, body)).status, 400, body.slice(0, 40))
  await send('POST', `${hooks}/test`, json, JSON.stringify({ kind: 'webhook', id }))
  await send(
    'PATCH',
    `${hooks}/${id}`,
    json,
    JSON.stringify({ kind: 'webhook', alias: 'echo two', secret_token: secrets.secretToken }),
  )
  await send('GET', hooks, admin)
  await send('GET', `${hooks}/${id}`, admin)

  // Receivers: an attempt that fails with all that was sent in the answer.
  await server.notifier.start()
  await send('POST', `${server.org}/repos/weather/refresh`, admin)
  const deliveries = `${server.org}/repos/weather/deliveries`
  const listRecords = async () => {
    const { text } = await send('GET', deliveries, admin)
    return contract.deliveries.list.responses[200].parse(JSON.parse(text)).items
  }
  await waitUntil(async () => {
    const records = await listRecords()
    return records.length === 2 && records.every(({ last_attempt }) => last_attempt !== null)
  })
  for (const record of await listRecords()) await send('GET', `${deliveries}/${record.id}`, admin)

  for (const path of ['audit', 'keys', 'repos', 'repos/weather', 'repos/weather/audit', 'repos/weather/settings'])
    await send('GET', `${server.org}/${path}`, admin)
  for (const path of ['/metrics', '/readyz', '/healthz', '/v1/']) await send('GET', server.origin + path, admin)
  // A fault.
  await server.db.schema.dropTable('audit').execute()
  t.equal((await send('GET', `${server.org}/audit`, admin)).status, 500)
  await tracing.close()

  t.ok(lines.length > 100, `${lines.length} lines`)
  t.ok(spans.length > 100, `${spans.length} spans`)
  /** Administrators see the URLs of webhooks, which they must be able to check; those of chats are secrets. */
  const isShown = (name: string, address: string) => name.startsWith('url') && address.startsWith(hooks)
  for (const [name, secret] of Object.entries(secrets)) {
    // The part of an API key before the second "_" is public.
    const hidden = secret.replace(/^floe_[0-9a-f]{16}_|^whsec_/, '')
    const outlets = {
      lines,
      background,
      answers: answers.filter(({ address }) => !isShown(name, address)).map(({ text }) => text),
      spans: spans.map((span) => JSON.stringify(span)),
    }
    const forms = [hidden, encodeURIComponent(hidden), Buffer.from(hidden).toString('base64')]
    for (const [outlet, texts] of Object.entries(outlets)) {
      const found = texts.find((text) => forms.some((form) => text.includes(form)))
      t.equal(found, undefined, `${name} in ${outlet}`)
    }
  }
})
