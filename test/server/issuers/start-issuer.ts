// An issuer on loopback that signs whatever a test wants, and a check of its tokens.
import { createServer, type RequestListener } from 'node:http'
import { HostNotFoundError } from '@floe/storage/addresses'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import type { TokenCheck } from '../../../server/http/access/authenticate.ts'
import { type OpenedIssuer, openTokenCheck } from '../../../server/issuers/token-checker.ts'
import { systemTiming, type Timing } from '../../../server/timing.ts'
import { type Cleanup, listen } from '../notifications/start-receiver.ts'

export const baseUrl = 'https://floe.example.org/v1'

export const rules: OpenedIssuer['rules'] = [
  { claim: 'groups', value: 'data-admins', org: 'acme', role: 'admin', repos: null },
  { claim: 'groups', value: 'checkers', org: 'acme', role: 'checker', repos: null },
  { claim: 'groups', value: 'readers', org: 'acme', role: 'reader', repos: null },
  { claim: 'groups', value: 'elsewhere-*', org: 'acme', role: 'reader', repos: ['satell*'] },
  { claim: 'groups', value: 'elsewhere-checkers', org: 'acme', role: 'checker', repos: ['satell*'] },
  { claim: 'groups', value: 'elsewhere-admins', org: 'acme', role: 'admin', repos: ['satell*'] },
  { claim: 'groups', value: 'others', org: 'other', role: 'admin', repos: null },
  { claim: 'email', value: '*@example.org', org: 'acme', role: 'reader', repos: ['weather*'] },
]

export type Algorithm = 'RS256' | 'ES256' | 'EdDSA' | 'PS256'

/** A pair of keys, and how its public key is published. */
export async function makeKey(kid: string, alg: Algorithm = 'ES256') {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true })
  return { kid, alg, privateKey, publicKey, jwk: { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' } }
}

export type Key = Awaited<ReturnType<typeof makeKey>>

/** Serves what a test sets in `documents`, by path. A function answers itself. */
export async function startIssuer(t: Cleanup, keys: readonly Key[]) {
  const documents: Record<string, unknown> = {}
  const asked: string[] = []
  const server = createServer((request, response) => {
    const { url = '/' } = request
    asked.push(url)
    const document = documents[url]
    if (typeof document === 'function') {
      ;(document as RequestListener)(request, response) // tests set no other functions
      return
    }
    response.statusCode = document === undefined ? 404 : 200
    response.end(JSON.stringify(document))
  })
  t.teardown(() => server.closeAllConnections())
  const issuer = `http://127.0.0.1:${await listen(t, server)}/realms/acme`
  documents['/realms/acme/.well-known/openid-configuration'] = { issuer, jwks_uri: `${issuer}/keys` }
  documents['/realms/acme/keys'] = { keys: keys.map(({ jwk }) => jwk) }
  return { issuer, documents, asked }
}

/** Opens the check of the tokens of issuers, without name servers. */
export async function openCheck(
  issuers: readonly (Partial<OpenedIssuer> & Pick<OpenedIssuer, 'issuer'>)[],
  timing: Pick<Timing, 'now' | 'elapsed'> & Partial<Pick<Timing, 'after'>>,
  servedAt = baseUrl,
) {
  const errors: unknown[] = []
  const opened = issuers.map((issuer) => ({
    audience: 'floe',
    rules,
    extraCa: undefined,
    resolveHost: () => Promise.reject(new HostNotFoundError('there is no name server in tests')),
    ...issuer,
  }))
  const tokens: TokenCheck = await openTokenCheck(opened, {
    baseUrl: servedAt,
    timing: { after: systemTiming.after, ...timing },
    onError: (error) => errors.push(error),
  })
  return { tokens, errors }
}

/** Signs a token. By default it is a good one of an administrator. */
export function sign(
  { issuer, key, now }: { readonly issuer: string; readonly key: Key; readonly now: number },
  claims: Readonly<Record<string, unknown>> = {},
  header: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  const seconds = Math.floor(now / 1_000)
  const usual = { iss: issuer, sub: 'ada', aud: 'floe', groups: ['data-admins'], iat: seconds, exp: seconds + 300 }
  const payload: Record<string, unknown> = { ...usual, ...claims }
  return new SignJWT(payload)
    .setProtectedHeader({ alg: key.alg, kid: key.kid, typ: 'at+jwt', ...header })
    .sign(key.privateKey)
}
