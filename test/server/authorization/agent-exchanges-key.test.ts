// An agent of the official SDK finds Floe as the issuer of its own tokens, and a person gives it an API key.
import { Client, type OAuthClientProvider, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { t } from 'tap'
import { redirect, startExchange } from './start-exchange.ts'

t.test('an agent without an issuer gets tokens for an API key, and renews them', async (t) => {
  const clock = { ms: Date.now() }
  const server = await startExchange(t, { now: () => clock.ms })
  let sentTo = undefined as URL | undefined // a callback sets it
  type Saved = { client?: never; tokens?: { readonly access_token: string }; verifier?: string; state?: never }
  const saved: Saved = {}
  const authProvider: OAuthClientProvider = {
    redirectUrl: redirect,
    clientMetadata: { client_name: 'a test', redirect_uris: [redirect] },
    state: () => 'a state',
    clientInformation: () => saved.client,
    saveClientInformation: (client) => void Object.assign(saved, { client }),
    tokens: () => saved.tokens as never, // what the SDK has saved
    saveTokens: (tokens) => void Object.assign(saved, { tokens }),
    redirectToAuthorization: (url) => void (sentTo = url),
    saveCodeVerifier: (verifier) => void Object.assign(saved, { verifier }),
    codeVerifier: () => saved.verifier ?? '',
    saveDiscoveryState: (state) => void Object.assign(saved, { state }),
    discoveryState: () => saved.state,
  }
  const url = new URL(`${server.meta}/mcp`)
  const open = () => ({
    client: new Client({ name: 'a test', version: '1.0.0' }),
    transport: new StreamableHTTPClientTransport(url, { authProvider }),
  })
  const first = open()
  await t.rejects(first.client.connect(first.transport), { name: 'UnauthorizedError' })
  if (sentTo === undefined) throw new Error('the agent was not sent to Floe')
  t.equal(sentTo.origin, server.origin)
  const request = Object.fromEntries(sentTo.searchParams)
  const page = await server.ask(request)
  t.match(await page.text(), /a test.*127\.0\.0\.1:1.*a program on your own computer/s)
  const back = await server.giveKey(request, server.weatherKey)
  t.equal(back.status, 303)
  const { searchParams } = new URL(back.headers.get('location') ?? '')
  t.match(Object.fromEntries(searchParams), { state: 'a state', iss: server.baseUrl })
  await first.transport.finishAuth(searchParams)
  const { client, transport } = open()
  t.teardown(() => client.close())
  await client.connect(transport)
  const askRepositories = async () =>
    JSON.stringify((await client.callTool({ name: 'discovery_repositories', arguments: {} })).content)
  const answer = await askRepositories()
  t.match(answer, /weather/)
  t.notMatch(answer, /satellite/, 'the key covers weather alone')
  const old = saved.tokens?.access_token
  clock.ms += 3_600_001
  t.equal(await askRepositories(), answer, 'with a new token')
  t.not(saved.tokens?.access_token, old)
})
