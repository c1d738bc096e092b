// A server at which people sign in, a certified issuer, and a browser that keeps cookies.
import { HostNotFoundError } from '@floe/storage/addresses'
import type { Test } from 'tap'
import { type RegisteredIssuer, SignInIssuer } from '../../../server/issuers/sign-in-issuer.ts'
import { systemTiming } from '../../../server/timing.ts'
import { findFreePort } from '../../../scripts/free-port.ts'
import { makeKey, openCheck, rules } from '../issuers/start-issuer.ts'
import { type Ada, registered, startProvider } from '../issuers/start-provider.ts'
import { type RunningServer, type ServerOptions, startServer } from '../start-server.ts'

const key = await makeKey('ec')

/** Floe as the client of an issuer on loopback. */
export function registerAt(issuer: string, more: Partial<RegisteredIssuer> = {}): SignInIssuer {
  return new SignInIssuer({
    issuer,
    clientId: registered.client_id,
    clientSecret: registered.client_secret,
    rules,
    extraCa: undefined,
    resolveHost: () => Promise.reject(new HostNotFoundError('there is no name server in tests')),
    timing: systemTiming,
    ...more,
  })
}

/** Starts a server at a known port, and the issuer that knows its address. */
export async function startSignIn(
  t: Test,
  options: ServerOptions = {},
  start: (t: Test, options: ServerOptions) => Promise<RunningServer> = startServer,
) {
  const port = await findFreePort()
  const baseUrl = `http://127.0.0.1:${port}/v1`
  const about: Ada = { groups: ['data-admins'], isThere: true, email: 'ada.l@example.org' }
  const issuer = await startProvider(t, key, [], { floe: baseUrl, about })
  const { tokens } = await openCheck([{ issuer }], systemTiming, baseUrl)
  const server = await start(t, { baseUrl, port, tokens, issuer: registerAt(issuer), ...options })
  return { server, issuer, about, baseUrl }
}

/** A change as a page of the service sends it. */
export const bySite = (site: string) => ({ method: 'POST', headers: { 'sec-fetch-site': site } })

/** Signs Ada in. */
export async function signInAda(baseUrl: string) {
  const jar = openJar()
  const { response } = await jar.follow(`${baseUrl}/account`)
  if (response?.status !== 200) throw new Error(`Ada is not signed in: ${await response?.text()}`)
  return jar
}

export type Visit = Omit<RequestInit, 'headers'> & { readonly headers?: Record<string, string> }

/** Asks as a browser does: it keeps cookies, and says that a person goes somewhere. */
export function openJar() {
  const cookies = new Map<string, string>()
  const visit = async (address: string | URL, init: Visit = {}): Promise<Response> => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const headers = { accept: 'text/html,*/*;q=0.8', cookie, ...init.headers }
    const response = await fetch(address, {
      ...init,
      headers,
      redirect: 'manual',
      signal: AbortSignal.timeout(120_000),
    })
    for (const set of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? []
      if (value === '') cookies.delete(name)
      else cookies.set(name, value)
    }
    return response
  }
  /** Follows redirections, up to the answer or to an address that begins like this. */
  const follow = async (address: string | URL, until = '\0') => {
    let url = new URL(address)
    for (let count = 0; count < 12; count++) {
      if (url.href.startsWith(until)) return { url, response: undefined }
      const response = await visit(url)
      const location = response.headers.get('location')
      if (location === null) return { url, response }
      url = new URL(location, url)
    }
    throw new Error(`there are too many redirections at ${url.href}`)
  }
  return { cookies, visit, follow }
}
