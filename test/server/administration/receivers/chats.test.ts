import { ChangedChat } from '@floe/contract'
import { t } from 'tap'
import { startAdministration } from '../start-administration.ts'

const path = 'repos/weather/chats'
const events = ['NewCommit']
const resolveHost = async () => ['203.0.114.1']

t.test('the URL of a chat is shown without its path, which is a secret', async (t) => {
  const server = await startAdministration(t, { resolveHost })
  const url = 'https://hooks.slack.com/services/T0/B0/hush'
  const response = await server.administer('POST', path, { url, alias: 'team', events })
  t.equal(response.status, 201)
  const { warnings, ...chat } = ChangedChat.parse(await response.json())
  t.strictSame(warnings, [])
  t.match(chat, { url: 'https://hooks.slack.com/...', service: 'slack', alias: 'team', enabled: true })
  t.equal(response.headers.get('location'), `/v1/orgs/acme/${path}/${chat.id}`)
  t.strictSame(await (await server.administer('GET', path)).json(), { items: [chat] })
  const found = await server.administer('GET', `${path}/${chat.id}`)
  t.equal(found.headers.get('etag'), '"1"')
  t.strictSame(await found.json(), chat)
})

t.test('a chat keeps its URL when it is left out, and is not given the masked one', async (t) => {
  const server = await startAdministration(t, { resolveHost })
  const url = 'https://chat.example.org:8443/hooks/hush'
  const { id } = await (
    await server.administer('POST', path, { url, alias: 'team', events, service: 'mattermost' })
  ).json()
  const patch = async (body: object) => {
    const response = await server.administer('PATCH', `${path}/${id}`, body)
    return { status: response.status, body: await response.json() }
  }
  const shown = 'https://chat.example.org:8443/...'
  t.match(await patch({ alias: 'crew' }), { status: 200, body: { alias: 'crew', url: shown } })
  const refused = await patch({ url: shown })
  t.match(refused, { status: 400, body: { errors: [{ pointer: '/body/url', message: /leave it out/ }] } })
  t.match(await patch({ enabled: false }), { status: 200, body: { enabled: false, url: shown } })
  const stays = await patch({ url: 'https://other.example.org/hooks/hush' })
  t.match(stays, { status: 200, body: { service: 'mattermost', url: 'https://other.example.org/...' } })
  const told = await patch({ url: 'https://discord.com/api/webhooks/1/hush' })
  t.match(told, { status: 200, body: { service: 'discord' } })
  t.equal((await server.administer('DELETE', `${path}/${id}`)).status, 204)
})

t.test('the service must be said where the host does not tell', async (t) => {
  const server = await startAdministration(t, { resolveHost })
  const chat = { url: 'https://chat.example.org/hooks/hush', alias: 'team', events }
  for (const address of [path, `${path}/test`]) {
    const response = await server.administer('POST', address, chat)
    t.equal(response.status, 400, address)
    t.match(await response.json(), { errors: [{ pointer: '/body/service', message: /slack, mattermost/ }] }, address)
  }
})
