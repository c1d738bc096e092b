// The Fastify scope in which browsers sign in and out.
import { contentTypes, contract, responseHeaders } from '@floe/contract'
import { writeBody } from '@floe/storage/json'
import type { SecretBox } from '@floe/storage/secrets'
import type { FastifyPluginAsync } from 'fastify'
import type { Authenticator } from '../http/access/authenticate.ts'
import { CallerLimit } from '../http/access/rate-limits.ts'
import { readCookie, sessionCookie, writeCookie } from '../http/access/session-cookie.ts'
import { findRoute, implement, register } from '../http/contract.ts'
import type { FindSignIn } from '../http/errors/problem-replies.ts'
import { refuseCrossSite } from '../http/access/refuse-cross-site.ts'
import { prefersHtml } from '../http/representation/negotiation.ts'
import { IssuerError } from '../issuers/read-document.ts'
import { type SignInIssuer, SignInRefused } from '../issuers/sign-in-issuer.ts'
import { encodePage } from '../pages/page.ts'
import type { PublicAddress } from '../pages/public-address.ts'
import { RequestProblem } from '../problems/request-problem.ts'
import type { Timing } from '../timing.ts'
import { accountPage, signedOutPage } from './account-page.ts'
import { PendingSignIns } from './pending-sign-ins.ts'
import { longestMs, type Sessions } from './sessions.ts'

/** At which issuer people sign in, and their sessions. */
export type SignIn = {
  readonly issuer: SignInIssuer
  readonly sessions: Sessions
  /** Public address of the service, ending in `/v1`. */
  readonly baseUrl: string
  /** Gets failures of the issuer. */
  readonly onError: (error: unknown) => void
}

type SignInParts = {
  readonly authenticator: Authenticator
  readonly address: PublicAddress
  readonly secrets: SecretBox
  readonly timing: Pick<Timing, 'now' | 'elapsed'>
}

/** Browsers that come back from the issuer in a minute, for each network. */
const returnsPerMinute = 100

export function makeSignInScope(signIn: SignIn, parts: SignInParts): FastifyPluginAsync {
  const returns = new CallerLimit(() => returnsPerMinute, parts.timing.elapsed)
  return async (scope) => {
    scope.addHook('onRequest', async (request, reply) => {
      reply.header('cache-control', 'no-store')
      if (findRoute(request)?.path === contract.signIn.finish.path) returns.count(request, reply)
    })
    scope.addHook('onRequest', refuseCrossSite(signIn.baseUrl))
    // The button of a page sends an empty form.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'buffer', bodyLimit: 1_024 },
      async () => {},
    )
    await register(scope, contract.signIn, makeRoutes(signIn, parts))
  }
}

function makeRoutes({ issuer, sessions, baseUrl, onError }: SignIn, parts: SignInParts) {
  const { authenticator, address } = parts
  const pending = new PendingSignIns(parts.secrets, parts.timing.now)
  const callback = `${baseUrl}/sign-in/callback`
  return implement(contract.signIn, {
    start: async ({ query, request, reply }) => {
      if ((await authenticator.identify(request)) !== null) {
        reply.header(responseHeaders.location.name, `${baseUrl}/account`)
        return { status: 302, body: undefined }
      }
      const { proof, location } = await askIssuer(issuer.begin(callback), onError)
      const begun = { ...proof, next: resolveNext(baseUrl, query.next) }
      reply.header('set-cookie', pending.add(begun, request.headers))
      reply.header(responseHeaders.location.name, location.href)
      return { status: 302, body: undefined }
    },
    finish: async ({ query, request, reply }) => {
      const begun = pending.find(query.state ?? '', request.headers)
      if (begun === undefined) throw refuseReturn('took too long, or began elsewhere')
      // Whatever follows, it is of use once (RFC 9700, section 2.1).
      reply.header('set-cookie', pending.end(begun))
      const signedIn = await askIssuer(issuer.finish(callback, query, begun), onError)
      const secret = await sessions.start(signedIn, readCookie(request.headers, sessionCookie))
      reply.header('set-cookie', writeCookie(sessionCookie, secret, longestMs / 1_000))
      reply.header(responseHeaders.location.name, begun.next)
      return { status: 302, body: undefined }
    },
    end: async ({ request, reply }) => {
      const secret = readCookie(request.headers, sessionCookie)
      const elsewhere = secret === undefined ? undefined : await sessions.end(secret, `${baseUrl}/`)
      reply.header('set-cookie', writeCookie(sessionCookie, '', 0))
      // Not a redirect: the policy of pages lets forms lead nowhere else.
      if (elsewhere !== undefined) reply.header('refresh', `0; url=${elsewhere.href}`)
      return { status: 200, body: encodePage(signedOutPage(elsewhere, address)) }
    },
    account: async ({ request, reply }) => {
      const callers = await authenticator.identify(request)
      const account = { person: callers?.[0].person ?? null, orgs: (callers ?? []).map(({ org }) => org) }
      if (!prefersHtml(request)) return { status: 200, body: writeBody(account) }
      if (callers === null) return authenticator.refuse('', request, { realm: 'Floe' })
      reply.header('content-type', contentTypes.html)
      return { status: 200, body: encodePage(accountPage(account, address)) }
    },
  })
}

/** Waits for the issuer. @throws RequestProblem */
async function askIssuer<Answer>(answer: Promise<Answer>, onError: (error: unknown) => void): Promise<Answer> {
  try {
    return await answer
  } catch (cause) {
    if (cause instanceof SignInRefused) throw refuseReturn('was refused by the issuer')
    if (!(cause instanceof IssuerError)) throw cause
    onError(cause)
    throw new RequestProblem('unavailable', 'The issuer at which you sign in does not answer; try again later', {
      cause,
    })
  }
}

function refuseReturn(reason: string): RequestProblem {
  return new RequestProblem('forbidden', `The sign-in ${reason}; open the page again`)
}

/** Returns the whole address of a page of this service; for any other, that of the start page. */
export function resolveNext(baseUrl: string, next: string | undefined): string {
  const root = new URL(baseUrl.replace(/v1$/, ''))
  const { origin, pathname, search } = URL.parse(next ?? '', root) ?? root
  return origin === root.origin && pathname.startsWith(root.pathname) ? origin + pathname + search : `${baseUrl}/`
}

/** Longest address to come back to, in characters; the start page stands for a longer one. */
const maxNext = 2_000

/** Makes the function that finds where a browser without credentials can sign in, to come back to its address. */
export function makeFindSignIn(
  { baseUrl }: Pick<SignIn, 'baseUrl'>,
  authenticator: Pick<Authenticator, 'findCached'>,
  { root }: Pick<PublicAddress, 'root'>,
): FindSignIn {
  return ({ method, headers, originalUrl }) => {
    if (method !== 'GET' || headers.authorization !== undefined) return undefined
    // Somebody has signed in, and no rule opens this page.
    if (authenticator.findCached(headers) !== undefined) return undefined
    const next = root + originalUrl
    return `${baseUrl}/sign-in${next.length > maxNext ? '' : `?next=${encodeURIComponent(next)}`}`
  }
}
