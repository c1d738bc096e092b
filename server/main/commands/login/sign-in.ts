// How a person at a terminal gets tokens of an issuer: in a browser on this machine, or with a code on any other.
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { waitOrAbort } from '@floe/storage/waiting'
import type { Configuration, DiscoveryRequestOptions, TokenEndpointResponse } from 'openid-client'
import { UsageError } from '../command.ts'

/** Loaded only when somebody signs in. */
const loadLibrary = () => import('openid-client')
type Library = Awaited<ReturnType<typeof loadLibrary>>

/** What a token is asked for. */
export type Wanted = {
  readonly issuer: string
  /** Undefined to register at the issuer. */
  readonly clientId: string | undefined
  /** Address of the service, which the token is for (RFC 8707). */
  readonly resource: string
  readonly scopes: readonly string[]
}

/** Tokens, and the client of the issuer that may renew them. */
export type Given = { readonly clientId: string; readonly tokens: TokenEndpointResponse }

/** Where a token comes from. */
type Issued = { readonly issuer: string; readonly clientId: string }

type SigningIn = {
  /** Tells the person what to do. */
  readonly tell: (text: string) => void
  readonly signal: AbortSignal
}

const grants = { here: 'authorization_code', elsewhere: 'urn:ietf:params:oauth:grant-type:device_code' }

/** Lets a person sign in with a browser on this machine. @throws the reason of the signal when that aborts */
export async function signInHere(wanted: Wanted, { tell, signal }: SigningIn): Promise<Given> {
  const library = await loadLibrary()
  const server = createServer()
  try {
    const redirectUri = `http://127.0.0.1:${await listen(server)}/callback`
    const config = await openClient(library, wanted, { redirect_uris: [redirectUri], grant_types: [grants.here] })
    const [verifier, state] = [library.randomPKCECodeVerifier(), library.randomState()]
    const challenge = await library.calculatePKCECodeChallenge(verifier)
    const asked = { redirect_uri: redirectUri, code_challenge: challenge, code_challenge_method: 'S256', state }
    const { href } = library.buildAuthorizationUrl(config, { ...asked, ...describe(wanted, config) })
    tell(`Open this address in a browser on this machine:\n${href}\n`)
    const back = await waitOrAbort(waitForBrowser(server, redirectUri, state), signal)
    const checks = { pkceCodeVerifier: verifier, expectedState: state }
    const tokens = await library.authorizationCodeGrant(config, back, checks, { resource: wanted.resource })
    return { clientId: config.clientMetadata().client_id, tokens }
  } finally {
    server.close()
    server.closeAllConnections()
  }
}

/** Lets a person sign in with a browser anywhere (RFC 8628). @throws the reason of the signal when that aborts */
export async function signInElsewhere(wanted: Wanted, { tell, signal }: SigningIn): Promise<Given> {
  const library = await loadLibrary()
  const config = await openClient(library, wanted, { redirect_uris: [], grant_types: [grants.elsewhere] })
  if (config.serverMetadata().device_authorization_endpoint === undefined)
    throw new UsageError(`${wanted.issuer} gives no codes for other devices: leave out --device`)
  const started = await library.initiateDeviceAuthorization(config, describe(wanted, config))
  tell(`Open ${started.verification_uri} in any browser, and enter the code ${started.user_code}\n`)
  const tokens = await library.pollDeviceAuthorizationGrant(config, started, { resource: wanted.resource }, { signal })
  return { clientId: config.clientMetadata().client_id, tokens }
}

/** Renews a token. */
export async function renewToken(
  { issuer, clientId, resource }: Issued & Pick<Wanted, 'resource'>,
  refreshToken: string,
): Promise<TokenEndpointResponse> {
  const library = await loadLibrary()
  const { config } = await discover(library, issuer, clientId)
  return library.refreshTokenGrant(config, refreshToken, { resource })
}

/** Tells the issuer that a token is not needed any more, if the issuer has an address for that (RFC 7009). */
export async function revokeToken({ issuer, clientId }: Issued, token: string): Promise<void> {
  const library = await loadLibrary()
  const { config } = await discover(library, issuer, clientId)
  if (config.serverMetadata().revocation_endpoint !== undefined) await library.tokenRevocation(config, token)
}

/** Reads how an issuer describes itself: as OpenID Connect has it, else as OAuth (RFC 8414). */
async function discover(library: Library, issuer: string, clientId: string) {
  const url = new URL(issuer)
  // The configuration of a service has issuers without TLS only for development.
  const execute = url.protocol === 'http:' ? [library.allowInsecureRequests] : []
  const read = async (algorithm: NonNullable<DiscoveryRequestOptions['algorithm']>) => {
    const options = { algorithm, execute }
    return { url, options, config: await library.discovery(url, clientId, undefined, library.None(), options) }
  }
  return read('oidc').catch((error: unknown) => read('oauth2').catch(() => Promise.reject(error)))
}

/** Opens the client that the issuer knows, or registers one. */
async function openClient(
  library: Library,
  { issuer, clientId }: Wanted,
  asked: { readonly redirect_uris: string[]; readonly grant_types: readonly string[] },
): Promise<Configuration> {
  const { url, options, config } = await discover(library, issuer, clientId ?? 'unregistered')
  if (clientId !== undefined) return config
  if (config.serverMetadata().registration_endpoint === undefined)
    throw new UsageError(
      `${issuer} does not register programs by itself: register one there with the redirect address ` +
        'http://127.0.0.1/callback, and pass its id with --client-id',
    )
  const metadata = {
    ...asked,
    client_name: 'Floe on the command line',
    application_type: 'native',
    grant_types: [...asked.grant_types, 'refresh_token'],
    response_types: asked.redirect_uris.length > 0 ? ['code'] : [],
    token_endpoint_auth_method: 'none',
  }
  return library.dynamicClientRegistration(url, metadata, library.None(), options)
}

/** The parameters that say what a token is for. */
function describe({ resource, scopes }: Wanted, config: Configuration): Record<string, string> {
  // With this scope, issuers of OpenID Connect renew tokens later, if the person consents (Core 1.0, section 11).
  const isRenewable = config.serverMetadata().scopes_supported?.includes('offline_access')
  const scope = [...scopes, ...(isRenewable ? ['offline_access'] : [])].join(' ')
  return { resource, ...(scope !== '' && { scope }), ...(isRenewable && { prompt: 'consent' }) }
}

async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port // A TCP server that listens has an address and a port.
}

/** Waits until the issuer sends the browser back. Without the state, some other page has sent it. */
function waitForBrowser(server: Server, redirectUri: string, state: string): Promise<URL> {
  const { promise, resolve } = Promise.withResolvers<URL>()
  const { pathname } = new URL(redirectUri)
  server.on('request', (request, response) => {
    const url = URL.parse(request.url ?? '', redirectUri)
    const isBack = url?.pathname === pathname && url.searchParams.get('state') === state
    response.writeHead(isBack ? 200 : 404, { 'content-type': 'text/plain' })
    response.end(isBack ? 'Continue in the terminal. You can close this page.\n' : 'Not found\n')
    if (isBack) resolve(url)
  })
  return promise
}
