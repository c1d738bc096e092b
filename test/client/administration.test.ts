// Calls every method of the administrator's client against a running server, and checks the results.
import { contract, type RouteMetadata, listRoutes } from '@floe/contract'
import { createAdminClient, ProblemResponseError } from '@floe/client'
import { t, type Test } from 'tap'
import { startReceiver, testAuthorityFile } from '../server/notifications/start-receiver.ts'
import { startServer } from '../server/start-server.ts'

const repo = 'weather'
const events: ['NewCommit'] = ['NewCommit']

/**
 * Starts a receiver that answers `fine`, a server that may send to it, and a client that records which routes it calls.
 */
async function startAdministration(t: Test) {
  const port = await startReceiver(t, (_request, response) => void response.end('fine'))
  const server = await startServer(t, {
    notifications: { allowPrivateNetworks: ['127.0.0.0/8'], extraCaFile: testAuthorityFile },
  })
  const called = new Set<string>()
  const floe = createAdminClient({
    baseUrl: `${server.origin}/v1`,
    org: 'acme',
    apiKey: server.adminKey,
    fetch: (input, init) => {
      const request = new Request(input, init)
      called.add(findRoute(request) ?? request.url)
      return fetch(request)
    },
  })
  return { ...server, floe, called, receiver: `https://127.0.0.1:${port}` }
}

/** Those without parameters first, because `/deliveries/rates` also has the form of a delivery's address. */
const adminRoutes = [...listRoutes(contract)]
  // `meta()` is the only way a route of the contract gets its metadata.
  .filter(([, { metadata }]) => (metadata as RouteMetadata).access === 'admin')
  // Programs that collect metrics have clients of their own, and pages are for browsers.
  .filter(([, { metadata }]) => (metadata as RouteMetadata).isInClient ?? true)
  .toSorted(([, left], [, right]) => left.path.split(':').length - right.path.split(':').length)
  .map(([id, { method, path }]) => ({ id, method, pattern: new RegExp(`^${path.replaceAll(/:\w+/g, '[^/]+')}$`) }))

function findRoute({ method, url }: Request): string | undefined {
  const { pathname } = new URL(url)
  return adminRoutes.find((route) => route.method === method && route.pattern.test(pathname))?.id
}

t.test("every method of the administrator's client works", async (t) => {
  const { floe, called, receiver } = await startAdministration(t)

  const { items: repositories } = await floe.repositories.list()
  t.ok(repositories.some(({ name }) => name === repo))

  const url = `${receiver}/hook`
  t.match(await floe.receivers.test({ repo }, { kind: 'webhook', url }), {
    ok: true,
    status: 200,
    response_excerpt: 'fine',
  })
  const { value: webhook, etag } = await floe.receivers.create(
    { repo },
    { kind: 'webhook', url, alias: 'tiles', events },
  )
  t.match(webhook, { url, alias: 'tiles', enabled: true, has_secret_token: false, signing_secret: /^whsec_/ })
  if (webhook.kind !== 'webhook') throw new Error('another kind was added')
  const { id } = webhook
  t.match(await floe.receivers.list({ repo }), { items: [{ id, alias: 'tiles' }] })
  t.match(await floe.receivers.test({ repo }, { kind: 'webhook', id }), { ok: true })
  const updated = await floe.receivers.update({ repo, id }, { kind: 'webhook', alias: 'tiles ü' }, { ifMatch: etag })
  t.equal(updated.value.alias, 'tiles ü')
  t.not(updated.etag, etag)
  const rotated = await floe.receivers.rotateSecret({ repo, id })
  t.not(rotated.value.signing_secret, webhook.signing_secret)
  const read = await floe.receivers.get({ repo, id })
  t.equal(read.value.alias, 'tiles ü')
  t.equal(read.etag, rotated.etag)

  const chat = await floe.receivers.create(
    { repo },
    { kind: 'chat', url: `${receiver}/secret`, alias: 'team', events, service: 'slack' },
  )
  t.match(chat.value, { url: `${receiver}/...`, service: 'slack' })
  const team = { repo, id: chat.value.id }
  t.match(await floe.receivers.test({ repo }, { kind: 'chat', id: team.id }), { ok: true })
  await floe.receivers.update(team, { kind: 'chat', enabled: false }, { ifMatch: chat.etag })
  t.match(await floe.receivers.get(team), { value: { enabled: false } })
  t.match(await floe.receivers.list({ repo }), { items: [{ id }, { id: team.id }] })
  t.equal(await floe.receivers.delete(team), undefined)

  const head = await floe.repositories.refresh({ repo })
  t.match(await floe.repositories.get({ repo }), { name: repo, head: head.snapshot_id })
  const { value: delivery } = await floe.deliveries.list({ repo, receiver: id, state: 'pending' }).next()
  t.match(delivery, { receiver_id: id, event_id: head.event_id })
  const sent = { repo, id: delivery?.id ?? '' }
  t.match(await floe.deliveries.redeliver(sent), { id: sent.id, state: 'pending' })
  t.match(await floe.deliveries.rates({ repo }), { failed: 0 })
  t.match(await floe.deliveries.get(sent), { payload: { details: { snapshot_id: head.snapshot_id } } })

  const since = '2026-11-20T00:00:00Z'
  t.strictSame(await floe.receivers.replay({ repo, id }, { since }), {
    queued: 0,
    waiting: 0,
    next_event_at: null,
    hint:
      'No delivery of this period was given up or discarded; ' +
      'send `"all": true` to select also what the webhook has accepted, or choose another `since` or `until`',
  })
  t.strictSame(await floe.receivers.getReplay({ repo, id }), { waiting: 0, next_event_at: null })
  t.equal(await floe.receivers.cancelReplay({ repo, id }), undefined)

  const { key, ...made } = await floe.keys.create({ role: 'reader', repos: [repo] })
  t.match(key, /^floe_/)
  t.ok((await floe.keys.listPage()).items.some((one) => one.id === made.id))
  t.equal(await floe.keys.revoke({ id: made.id }), undefined)

  t.strictSame(await floe.sessions.listPage(), { items: [], next: null })
  await t.rejects(floe.sessions.end({ id: 'x'.repeat(43) }), { code: 'session-not-found' })

  const written = `elsewhere/${repo}/repo`
  const message = {
    Records: [{ eventName: 'ObjectCreated:Put', s3: { bucket: { name: 'bucket' }, object: { key: written } } }],
  }
  t.strictSame(await floe.storageEvents(message), { repositories: 0 })

  const { value: orgWebhook } = await floe.orgReceivers.create({
    kind: 'webhook',
    url: `${receiver}/all`,
    alias: 'all',
    events,
    repos: ['wea*'],
  })
  const ofOrganisation = { kind: 'webhook' as const, id: orgWebhook.id }
  t.match(await floe.orgReceivers.list(), { items: [{ ...ofOrganisation, repos: ['wea*'] }] })
  const readOrgWebhook = await floe.orgReceivers.get(ofOrganisation)
  t.match(await floe.orgReceivers.test(ofOrganisation), { ok: true })
  t.match(
    await floe.orgReceivers.update(
      ofOrganisation,
      { kind: 'webhook', repos: ['**'] },
      { ifMatch: readOrgWebhook.etag },
    ),
    { value: { repos: ['**'] } },
  )
  t.match((await floe.orgReceivers.rotateSecret(ofOrganisation)).value.signing_secret, /^whsec_/)
  t.match(await floe.orgReceivers.replay(ofOrganisation, { since, all: true }), { queued: 0, waiting: 0 })
  t.match(await floe.orgReceivers.getReplay(ofOrganisation), { waiting: 0 })
  t.equal(await floe.orgReceivers.cancelReplay(ofOrganisation), undefined)
  t.equal(await floe.orgReceivers.delete(ofOrganisation), undefined)
  const { value: orgChat } = await floe.orgReceivers.create({
    kind: 'chat',
    url: `${receiver}/all`,
    alias: 'all',
    events,
  })
  t.match(await floe.orgReceivers.list(), { items: [{ id: orgChat.id, repos: ['**'] }] })
  t.match(await floe.orgReceivers.get({ id: orgChat.id }), { value: { alias: 'all' } })
  t.match(await floe.orgReceivers.test({ kind: 'chat', id: orgChat.id }), { ok: true })
  t.match(await floe.orgReceivers.update({ id: orgChat.id }, { kind: 'chat', alias: 'team' }), {
    value: { alias: 'team' },
  })
  t.equal(await floe.orgReceivers.delete({ id: orgChat.id }), undefined)
  t.match(await floe.orgDeliveries.listPage({ receiver: id, limit: 1 }), { items: [{ receiver_id: id }] })
  t.match(await floe.orgDeliveries.rates(), { failed: 0 })
  t.match(await floe.orgDeliveries.get({ id: sent.id }), { receiver_id: id })
  t.match(await floe.orgDeliveries.redeliver({ id: sent.id }), { id: sent.id })

  const fresh = { kind: 'freshness', branch: 'main', max_age: '3652d' } as const
  const expectation = await floe.expectations.create({ repo }, fresh)
  const expected = { repo, id: expectation.value.id }
  const change = { kind: 'freshness', max_age: '2000d' } as const
  await floe.expectations.update(expected, change, { ifMatch: expectation.etag })
  t.match(await floe.expectations.get(expected), { value: { branch: 'main', max_age: '2000d', path: null } })
  t.match(await floe.expectations.list({ repo }), { items: [{ id: expected.id }] })
  t.equal(await floe.expectations.delete(expected), undefined)

  const contract = { version: 1, datasets: {} } as const
  const attached = await floe.orgExpectations.create({ kind: 'contract', branch: 'main', repos: [repo], contract })
  const kept = { id: attached.value.id }
  const renamed = { kind: 'contract', alias: 'models' } as const
  await floe.orgExpectations.update(kept, renamed, { ifMatch: attached.etag })
  t.match(await floe.orgExpectations.get(kept), { value: { alias: 'models', branch: 'main', repos: [repo] } })
  t.match(await floe.orgExpectations.getContract(kept), { value: contract })
  t.match(await floe.expectations.getContract({ repo, ...kept }), { value: contract })
  t.match(await floe.orgExpectations.list(), { items: [{ id: kept.id }] })
  t.equal(await floe.orgExpectations.delete(kept), undefined)

  const remark = await floe.remarks.create({ repo }, { kind: 'note', text: 'Under repair' })
  const noted = { repo, id: remark.id }
  await floe.remarks.update(noted, { text: 'Repaired' })
  t.match(await floe.remarks.get(noted), { text: 'Repaired' })
  t.match(await floe.remarks.list({ repo }), { items: [{ id: noted.id }] })
  t.equal(await floe.remarks.delete(noted), undefined)

  t.equal(await floe.receivers.delete({ repo, id }, { ifMatch: read.etag }), undefined)
  const newest = await floe.repositories.auditPage({ repo, limit: 1 })
  t.match(newest, { items: [{ action: 'webhook.delete', subject_id: id }] })
  const older = await Array.fromAsync(floe.repositories.audit({ repo, before: newest.next ?? undefined }))
  t.equal(older.at(-1)?.action, 'webhook.test')

  const whole = await Array.fromAsync(floe.audit())
  t.ok(whole.some(({ action, repo_name }) => action === 'key.create' && repo_name === null))

  t.strictSame([...called].sort(), adminRoutes.map(({ id }) => id).sort())
})

t.test('a change based on an older version is refused', async (t) => {
  const { floe, receiver } = await startAdministration(t)
  const { value, etag } = await floe.receivers.create(
    { repo },
    { kind: 'webhook', url: receiver, alias: 'tiles', events },
  )
  const webhook = { repo, id: value.id }
  await floe.receivers.update(webhook, { kind: 'webhook', alias: 'first' }, { ifMatch: etag })
  for (const late of [
    floe.receivers.update(webhook, { kind: 'webhook', alias: 'second' }, { ifMatch: etag }),
    floe.receivers.delete(webhook, { ifMatch: etag }),
  ]) {
    const error: unknown = await late.catch((reason: unknown) => reason)
    t.ok(error instanceof ProblemResponseError && error.is('precondition-failed'))
  }
  t.match(await floe.receivers.get(webhook), { value: { alias: 'first' } })
})

t.test('a refusal names the wrong place of the body', async (t) => {
  const { floe } = await startAdministration(t)
  const change = { kind: 'webhook' as const, url: 'http://example.org/hook', alias: 'tiles', events }
  await t.rejects(floe.receivers.create({ repo }, change), {
    name: 'ProblemResponseError',
    status: 400,
    problem: { type: '/problems/invalid-request', errors: [{ pointer: '/body/url' }] },
  })
  await t.rejects(floe.receivers.get({ repo, id: '0198c0de-0000-7000-8000-000000000001' }), {
    name: 'ProblemResponseError',
    problem: { type: '/problems/receiver-not-found' },
  })
})
