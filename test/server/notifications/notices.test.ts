// Notices on their way to a real receiver, from what happens to another receiver and to a real repository.
import { cp, mkdtemp, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseNotification } from '@floe/client'
import { openLocalStore } from '@floe/storage/objects'
import { t } from 'tap'
import { reachableEngines } from '../../storage/records/database/engines.ts'
import { receive, startAdministration } from '../administration/start-administration.ts'
import { readRefusal } from '../administration/receivers/start-with-webhooks.ts'
import { fixtures } from '../start-server.ts'
import { waitUntil } from '../wait-until.ts'

const notices = ['ReceiverDisabled', 'ReceiverFailing', 'RepositoryUnreadable', 'RepositoryBack']

for (const engine of await reachableEngines(t)) {
  t.test(
    `a receiver gets a notice about another one that answers 410, and a chat gets a line (${engine.name})`,
    async (t) => {
      const { db } = await engine.fresh(t)
      const [gone, webhook, chat] = await Promise.all([410, 204, 204].map((status) => receive(t, { status })))
      const server = await startAdministration(t, { db })
      const add = async (path: string, body: object) => (await server.administer('POST', path, body)).json()
      const hook = { kind: 'webhook', url: gone?.origin, alias: 'tiles', events: ['NewCommit'] }
      const { id } = await add('repos/weather/receivers', hook)
      await add('receivers', {
        kind: 'webhook',
        url: webhook?.origin,
        alias: 'operators',
        events: notices,
        repos: ['weather'],
      })
      await add('receivers', { kind: 'chat', url: chat?.origin, alias: 'team', events: notices, repos: ['weather'] })
      await server.administer('POST', 'repos/weather/refresh')
      await server.notifier.start()
      await waitUntil(() => webhook?.requests.length === 1 && chat?.requests.length === 1)
      t.match(parseNotification(webhook?.requests[0]?.body), {
        event: 'ReceiverDisabled',
        details: {
          org_name: 'acme',
          repo_name: 'weather',
          receiver_id: id,
          receiver_alias: 'tiles',
          receiver_kind: 'webhook',
          receiver_scope: 'repository',
          reason: 'gone',
          last_status: 410,
        },
      })
      t.notMatch(webhook?.requests[0]?.body, new URL(gone?.origin ?? '').host, 'it does not say where the receiver is')
      const { text } = JSON.parse(chat?.requests[0]?.body ?? '')
      t.match(
        text,
        /^DISABLED: webhook "tiles" of acme\/weather: it answered 410, failing since \d{4}-\S+ \d\d:\d\d UTC$/,
      )
      await waitUntil(async () => {
        const { items } = await (await server.administer('GET', 'deliveries?state=delivered')).json()
        return items.length === 2
      })
      t.equal(webhook?.requests.length, 1)
    },
  )

  t.test(`a receiver gets notices about a repository that goes away and comes back (${engine.name})`, async (t) => {
    const { db } = await engine.fresh(t)
    // The engine may have its file in the directory of the test.
    const directory = await mkdtemp(join(tmpdir(), 'floe-notices-'))
    t.teardown(() => rm(directory, { recursive: true }))
    const repository = join(directory, 'weather')
    await cp(join(fixtures, 'weather'), repository, { recursive: true })
    const { origin: url, requests } = await receive(t, { status: 204 })
    let passedMs = 0
    const server = await startAdministration(t, {
      db,
      now: () => Date.now() + passedMs,
      sources: [{ kind: 'repository', name: 'weather', store: openLocalStore(repository) }],
    })
    await server.administer('POST', 'receivers', { kind: 'webhook', url, alias: 'operators', events: notices })
    await server.notifier.start()
    const check = async () => (await server.administer('POST', 'repos/weather/refresh')).status
    t.equal(await check(), 200)
    await rename(repository, `${repository}-away`)
    for (let checks = 0; checks < 3; checks++) t.not(await check(), 200)
    t.equal(requests.length, 0)
    passedMs += 60_000
    await server.notifier.replica.renew()
    for (let checks = 0; checks < 3; checks++) t.not(await check(), 200)
    await waitUntil(() => requests.length === 1)
    await rename(`${repository}-away`, repository)
    for (let checks = 0; checks < 3; checks++) t.equal(await check(), 200)
    await waitUntil(() => requests.length === 2)
    const received = requests.map(({ body }) => parseNotification(body))
    t.match(received, [
      { event: 'RepositoryUnreadable', details: { repo_name: 'weather', reason: 'not-a-repository' } },
      { event: 'RepositoryBack', details: { repo_name: 'weather' } },
    ])
    t.strictSame(
      requests.map(({ headers }) => headers['webhook-sequence']),
      ['1', '2'],
    )
    const { items } = await (await server.administer('GET', 'deliveries')).json()
    t.equal(items.length, 2, 'and nothing else')
  })
}

// Proves: only receivers of an organisation can select notices
t.test('receivers of a repository, and streams, cannot select notices', async (t) => {
  const server = await startAdministration(t)
  for (const kind of ['webhook', 'chat']) {
    const body = { kind, url: 'https://127.0.0.1/hook', alias: kind, events: ['NewCommit', 'ReceiverFailing'] }
    t.match(await readRefusal(server.administer('POST', 'repos/weather/receivers', body)), {
      status: 400,
      detail: /must not name ReceiverDisabled, .*: only webhooks and chats of an organisation get them/,
      pointers: ['/body/events'],
    })
    const response = await server.administer('POST', 'receivers', body)
    t.match(await response.json(), { events: ['NewCommit', 'ReceiverFailing'] })
  }
  t.equal((await server.get('events?events=ReceiverFailing')).status, 400)
})
