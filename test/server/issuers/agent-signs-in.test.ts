// An agent of the official SDK finds the issuer of a private deployment, registers, and gets a token for it.
import { Client, type OAuthClientProvider, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { t } from 'tap'
import { systemTiming } from '../../../server/timing.ts'
import { startServer } from '../start-server.ts'
import { makeKey, openCheck } from './start-issuer.ts'
import { followTo, startProvider } from './start-provider.ts'

const redirectUrl = 'http://127.0.0.1:1/callback'

t.test('an agent is sent to the issuer, and comes back with a token', async (t) => {
  const issuer = await startProvider(t, await makeKey('ec'), ['elsewhere-readers'])
  // The address of the server is known when it listens.
  const late = { baseUrl: '', issuers: [issuer], scopes: [], check: async () => undefined }
  const server = await startServer(t, { tokens: late })
  const { tokens } = await openCheck([{ issuer, audience: null }], systemTiming, `${server.origin}/v1`)
  Object.assign(late, tokens)

  let sentTo = undefined as URL | undefined // a callback sets it
  const saved: { client?: never; tokens?: never; verifier?: string } = {}
  const authProvider: OAuthClientProvider = {
    redirectUrl,
    clientMetadata: { client_name: 'a test', redirect_uris: [redirectUrl], token_endpoint_auth_method: 'none' },
    clientInformation: () => saved.client,
    saveClientInformation: (client) => void Object.assign(saved, { client }),
    tokens: () => saved.tokens,
    saveTokens: (tokens) => void Object.assign(saved, { tokens }),
    redirectToAuthorization: (url) => void (sentTo = url),
    saveCodeVerifier: (verifier) => void Object.assign(saved, { verifier }),
    codeVerifier: () => saved.verifier ?? '',
  }
  const url = new URL(`${server.meta}/mcp`)
  const open = () => ({
    client: new Client({ name: 'a test', version: '1.0.0' }),
    transport: new StreamableHTTPClientTransport(url, { authProvider }),
  })
  const first = open()
  await t.rejects(first.client.connect(first.transport), { name: 'UnauthorizedError' })
  if (sentTo === undefined) throw new Error('the agent was not sent to the issuer')
  t.equal(sentTo.searchParams.get('resource'), url.href, 'the token is for this endpoint')
  t.equal(sentTo.searchParams.get('code_challenge_method'), 'S256')
  const back = await followTo(sentTo, redirectUrl)
  await first.transport.finishAuth(back.searchParams)
  const { client, transport } = open()
  t.teardown(() => client.close())
  await client.connect(transport)
  const { content } = await client.callTool({ name: 'discovery_repositories', arguments: {} })
  t.match(content, [{ text: /satellite/ }])
  t.notMatch(JSON.stringify(content), /weather/, 'the rule covers satellite alone')
})

t.test('a program gets a token with a secret that only the issuer knows', async (t) => {
  const issuer = await startProvider(t, await makeKey('rsa', 'RS256'), [])
  const late = { baseUrl: '', issuers: [issuer], scopes: [], check: async () => undefined }
  const server = await startServer(t, { tokens: late })
  const programs = { claim: 'client_id', value: 'pipeline', org: 'acme', role: 'checker', repos: null } as const
  const given = [{ issuer, audience: null, rules: [programs] }]
  const { tokens } = await openCheck(given, systemTiming, `${server.origin}/v1`)
  Object.assign(late, tokens)
  const answer = await fetch(`${issuer}/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from('pipeline:only%20for%20tests').toString('base64')}` },
    body: new URLSearchParams({ grant_type: 'client_credentials', resource: `${server.origin}/v1`, scope: 'read' }),
    signal: AbortSignal.timeout(120_000),
  })
  const { access_token: token } = (await answer.json()) as { access_token?: string }
  const { status } = await server.get('discovery', { authorization: `Bearer ${token}` })
  t.equal(status, 200)
})
