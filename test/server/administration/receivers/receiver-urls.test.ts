import { HostNotFoundError } from '@floe/storage/addresses'
import { t } from 'tap'
import { parseProxy } from '../../../../server/notifications/receivers/receiver-proxy.ts'
import { path, readRefusal, startWithWebhooks, webhook } from './start-with-webhooks.ts'

t.test('a URL that breaks a rule is told which one', async (t) => {
  const { server } = await startWithWebhooks(t)
  const rules = {
    'https://me:secret@example.org/': /must not hold a user name or a password; .*"Authorization"/,
    'https://10.1.2.3/': /private.*unless the setting notifications\.allowPrivateNetworks/,
  }
  for (const [url, rule] of Object.entries(rules)) {
    const answer = await readRefusal(server.administer('POST', path, { ...webhook, url }))
    t.match(answer, { status: 400, type: '/problems/invalid-request', pointers: ['/body/url'], detail: rule }, url)
    t.notMatch(answer.detail, 'secret', url)
  }
})

t.test('a host that is not found is a warning, one that leads inside an error', async (t) => {
  const hosts: Record<string, string[]> = {
    'inside.test': ['203.0.114.1', '10.0.0.1'],
    'outside.test': ['203.0.114.1'],
  }
  const resolveHost = async (host: string) => hosts[host] ?? Promise.reject(new HostNotFoundError('not found'))
  const { server, create } = await startWithWebhooks(t, { resolveHost })
  const { warnings } = await create({ url: 'https://nowhere.test/' })
  t.match(warnings, [{ code: 'host-not-found', detail: /nowhere\.test/ }])
  t.strictSame((await create({ url: 'https://outside.test/', alias: 'outside' })).warnings, [])
  const answer = await readRefusal(server.administer('POST', path, { ...webhook, url: 'https://inside.test/' }))
  t.match(answer, { status: 400, pointers: ['/body/url'], detail: 'notifications.allowPrivateNetworks' })
  t.notMatch(answer.detail, '10.0.0.1')
  const proxied = await startWithWebhooks(t, { resolveHost, proxy: parseProxy('http://proxy.test:3128') })
  t.strictSame((await proxied.create({ url: 'https://nowhere.test/' })).warnings, [], 'a proxy may know it')
  const inside = proxied.server.administer('POST', path, { ...webhook, url: 'https://inside.test/' })
  t.match(await readRefusal(inside), { status: 400, pointers: ['/body/url'] })
})

t.test('localhost is allowed where its address is, and else the refusal names the setting', async (t) => {
  const resolveHost = async () => ['127.0.0.1', '::1']
  const url = 'https://localhost/hook'
  const { create, server } = await startWithWebhooks(t, { resolveHost })
  t.match(await create({ url }), { url, warnings: [] })
  const strict = await startWithWebhooks(t, { resolveHost, notifications: { allowPrivateNetworks: ['10.0.0.0/8'] } })
  const refused = {
    status: 400,
    pointers: ['/body/url'],
    detail: /machine that Floe runs on.*notifications\.allowPriv/,
  }
  for (const address of [path, `${path}/test`]) {
    const body = address === path ? { ...webhook, url } : { kind: 'webhook', url }
    t.match(await readRefusal(strict.server.administer('POST', address, body)), refused)
  }
  t.match(await readRefusal(server.administer('POST', path, { ...webhook, url: 'https://other.test/' })), {
    status: 400,
    detail: /loopback.*notifications\.allowPrivateNetworks/,
  })
})

t.test('plain http to localhost is accepted where it is allowed, shown as such, and refused elsewhere', async (t) => {
  const url = 'http://localhost:3000/hook'
  const { create, server } = await startWithWebhooks(t, { notifications: { allowHttpLoopback: true } })
  t.match(await create({ url }), { url, warnings: [] })
  const chat = await server.administer('POST', 'repos/weather/receivers', {
    ...webhook,
    kind: 'chat',
    url,
    alias: 'team',
  })
  t.match(await chat.json(), { url: 'http://localhost:3000/...' })
  for (const refused of ['http://example.org/hook', 'http://10.0.0.1/hook']) {
    const answer = await readRefusal(server.administer('POST', path, { ...webhook, url: refused }))
    t.match(answer, { status: 400, pointers: ['/body/url'], detail: /must start with https:\/\/$/ }, refused)
  }
  const strict = await startWithWebhooks(t)
  t.match(await readRefusal(strict.server.administer('POST', path, { ...webhook, url })), {
    status: 400,
    detail: /notifications\.allowHttpLoopback/,
  })
})

t.test('another scheme, host, port or path takes the secret token away, unless it comes again', async (t) => {
  const { create, change } = await startWithWebhooks(t)
  const { id } = await create({ secret_token: 'open-sesame' })
  t.match(await change(id, { url: 'https://127.0.0.1/hook?a=b' }), { has_secret_token: true, warnings: [] })
  const dropped = {
    has_secret_token: false,
    warnings: [{ code: 'secret-token-dropped', detail: /host, port or path/ }],
  }
  t.match(await change(id, { url: 'https://127.0.0.1/other' }), dropped)
  await change(id, { secret_token: 'open-sesame' })
  t.match(await change(id, { url: 'https://127.0.0.1:8443/other' }), dropped)
  const again = { url: 'https://127.0.0.2/', secret_token: 'open-sesame' }
  t.match(await change(id, again), { has_secret_token: true, warnings: [] })
  t.match(await change(id, { secret_token: null }), { has_secret_token: false, warnings: [] })
  t.match(await change(id, { url: 'https://127.0.0.1/' }), { has_secret_token: false, warnings: [] })
})

// Proves: Secret Token and headers of a webhook never go to another host
t.test('the headers go where the secret token goes, and the answer says when they are dropped', async (t) => {
  const { server, create, change } = await startWithWebhooks(t)
  const { id, ...created } = await create({ headers: { Authorization: 'Bearer hush', 'x-functions-key': 'hush' } })
  t.match(created, { header_names: ['Authorization', 'x-functions-key'], warnings: [] })
  t.match(await change(id, { url: 'https://127.0.0.1/hook?a=b' }), { header_names: created.header_names, warnings: [] })
  t.match(await change(id, { url: 'https://127.0.0.2/hook' }), {
    header_names: [],
    warnings: [{ code: 'headers-dropped', detail: /host, port or path/ }],
  })
  const again = { url: 'https://127.0.0.3/', headers: { Authorization: 'Bearer hush-hush' } }
  t.match(await change(id, again), { header_names: ['Authorization'], warnings: [] })
  t.match(await change(id, { headers: {} }), { header_names: [], warnings: [] })
  t.notMatch(await (await server.administer('GET', 'repos/weather/audit')).text(), /hush/)
})
