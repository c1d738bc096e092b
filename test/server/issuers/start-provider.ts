// A certified issuer on loopback. Whoever asks is Ada, who agrees to everything at once.
import { createServer } from 'node:http'
import { Provider } from 'oidc-provider'
import { type Cleanup, listen } from '../notifications/start-receiver.ts'
import type { Key } from './start-issuer.ts'
import { exportJWK } from 'jose'

const ada = 'ada'

/** Floe as a client. */
export const registered = { client_id: 'floe', client_secret: 'only for tests of sessions' }

const describePlaces = (floe: string) => ({
  redirect_uris: [`${floe}/sign-in/callback`],
  post_logout_redirect_uris: [`${floe}/`],
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
})

/** What the issuer says of Ada; a test may change it. */
export type Ada = { groups: readonly string[]; isThere: boolean; email?: string }

/**
 * @param groups the claim of the tokens
 * @param floe where Floe is, if people sign in to it
 */
export async function startProvider(
  t: Cleanup,
  key: Key,
  groups: readonly string[],
  { floe, about = { groups, isThere: true } }: { readonly floe?: string; readonly about?: Ada } = {},
): Promise<string> {
  const server = createServer()
  t.teardown(() => server.closeAllConnections())
  const issuer = `http://127.0.0.1:${await listen(t, server)}`
  const provider = new Provider(issuer, {
    jwks: { keys: [{ ...(await exportJWK(key.privateKey)), kid: key.kid, alg: key.alg, use: 'sig' }] },
    clientDefaults: { id_token_signed_response_alg: key.alg },
    cookies: { keys: ['only for tests'] },
    scopes: ['openid', 'email', 'offline_access', 'read'],
    claims: { email: ['email', 'email_verified'], groups: ['groups'] },
    issueRefreshToken: () => true,
    clients: [
      {
        client_id: 'pipeline',
        client_secret: 'only for tests',
        grant_types: ['client_credentials'],
        redirect_uris: [],
        response_types: [],
      },
      ...(floe === undefined ? [] : [{ ...registered, ...describePlaces(floe) }]),
    ],
    extraTokenClaims: () => ({ groups: about.groups }),
    findAccount: () => {
      const claims = { sub: ada, email: about.email, email_verified: true, groups: about.groups }
      return about.isThere ? { accountId: ada, claims: () => claims } : undefined
    },
    interactions: { url: () => '/agree' },
    features: {
      devInteractions: { enabled: false },
      rpInitiatedLogout: {
        // The usual page loads a font from elsewhere.
        logoutSource: (context: { body: string }, form: string) => {
          const button = '<button form="op.logoutForm" name="logout" value="yes">Yes, sign me out</button>'
          context.body = `<!doctype html><title>Sign out</title>${form}${button}`
        },
      },
      registration: { enabled: true },
      deviceFlow: { enabled: true },
      revocation: { enabled: true },
      clientCredentials: { enabled: true },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: (_: unknown, resource: string) => ({
          scope: 'read',
          audience: resource,
          accessTokenFormat: 'jwt',
          accessTokenTTL: 300,
          jwt: { sign: { alg: key.alg } },
        }),
      },
    },
  })
  const answer = provider.callback()
  const agree = async (...[request, response]: Parameters<typeof answer>) => {
    const { prompt, params } = await provider.interactionDetails(request, response)
    if (prompt.name === 'login') return provider.interactionFinished(request, response, { login: { accountId: ada } })
    const grant = new provider.Grant({ accountId: ada, clientId: params['client_id'] })
    grant.addOIDCScope('openid email groups offline_access')
    const { resource } = params
    if (typeof resource === 'string') grant.addResourceScope(resource, 'read')
    await provider.interactionFinished(request, response, { consent: { grantId: await grant.save() } })
  }
  server.on('request', (request, response) => {
    if (request.url === '/agree') agree(request, response).catch((error: unknown) => response.destroy(error as Error))
    else answer(request, response)
  })
  return issuer
}

/** Follows redirections as a browser does, up to an address elsewhere. */
export async function followTo(address: URL, elsewhere: string): Promise<URL> {
  const cookies = new Map<string, string>()
  let url = address
  for (let count = 0; count < 10 && !url.href.startsWith(elsewhere); count++) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(url, { headers: { cookie }, redirect: 'manual', signal: AbortSignal.timeout(120_000) })
    for (const set of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? []
      cookies.set(name, value)
    }
    const location = response.headers.get('location')
    if (location === null) throw new Error(`${url.href} answers ${response.status}: ${await response.text()}`)
    url = new URL(location, url)
  }
  return url
}
