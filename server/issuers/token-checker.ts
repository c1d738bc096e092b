// Checks the tokens (JWT) of issuers: signature, issuer, audience and times.
import type { decodeJwt, errors, JWTVerifyGetKey, JWTVerifyOptions } from 'jose'
import { z } from 'zod'
import type { Callers, TokenCheck } from '../http/access/authenticate.ts'
import { isWithin } from '../http/access/protected-resource.ts'
import { RequestProblem } from '../problems/request-problem.ts'
import { PersonClaims } from './claims.ts'
import { makeCallers, type Rule } from './grants.ts'
import { IssuerKeys } from './issuer-keys.ts'
import { IssuerError, type IssuerConnection, makeDocumentReader } from './read-document.ts'

/** An issuer of the configuration, and the way to it. */
export type OpenedIssuer = Omit<IssuerConnection, 'timing'> & {
  readonly issuer: string
  /** Null for the public address of the service. */
  readonly audience: string | null
  readonly rules: readonly Rule[]
}

type CheckerParts = {
  readonly timing: IssuerConnection['timing']
  /** Public address of the service, ending in `/v1`. */
  readonly baseUrl: string
  /** Gets failures of issuers, and of checks that are not the fault of a token. */
  readonly onError: (error: unknown) => void
}

/** How far clocks may differ, in seconds. */
const leewaySeconds = 60

/** Longest token, in characters. */
const maxLength = 8_192

const algorithms = ['RS256', 'ES256', 'EdDSA']

/** Types of tokens that are for services. Others, such as `logout+jwt`, are not. */
const Header = z.object({ typ: z.enum(['jwt', 'at+jwt', 'application/at+jwt']).optional() })

/** RFC 7519, section 4.1. */
const TokenClaims = PersonClaims.extend({
  // The year 9999 at most, because there are no later dates.
  exp: z.number().max(253_402_300_799),
  iat: z.number().optional(),
  aud: z.union([z.string().transform((audience) => [audience]), z.array(z.string())]),
})

/** Opens the check of tokens. Asks no issuer before the first token comes. */
export async function openTokenCheck(
  issuers: readonly OpenedIssuer[],
  { baseUrl, timing, onError }: CheckerParts,
): Promise<TokenCheck> {
  const jose = await import('jose')
  const known = new Map(
    issuers.map((opened) => {
      const read = makeDocumentReader({ ...opened, timing })
      const { issuer, audience, rules } = opened
      const keys = new IssuerKeys(issuer, { read, jose, onError, elapsed: timing.elapsed })
      return [issuer, { issuer, audience, rules, keys }]
    }),
  )
  /** Returns the claims of a token; undefined if it must be refused. */
  const verify = async (token: string, getKey: JWTVerifyGetKey, options: JWTVerifyOptions) => {
    try {
      const { protectedHeader, payload } = await jose.jwtVerify(token, getKey, options)
      const typ = protectedHeader.typ?.toLowerCase()
      return Header.safeParse({ typ }).success ? TokenClaims.safeParse(payload).data : undefined
    } catch (error) {
      if (error instanceof jose.errors.JOSEError) return undefined
      // A key of the issuer that cannot be used, such as a short one.
      if (!(error instanceof IssuerError)) {
        onError(error)
        return undefined
      }
      throw new RequestProblem('unavailable', 'The issuer of the token does not answer; try again later', {
        cause: error,
      })
    }
  }
  const check = async (token: string): Promise<Callers | undefined> => {
    const issuer = token.length <= maxLength ? known.get(readIssuer(jose, token) ?? '') : undefined
    if (issuer === undefined) return undefined
    const now = timing.now()
    const options = { issuer: issuer.issuer, algorithms, clockTolerance: leewaySeconds, currentDate: new Date(now) }
    const claims = await verify(token, issuer.keys.find, options)
    if (claims === undefined || (claims.iat ?? 0) > now / 1_000 + leewaySeconds) return undefined
    if (!claims.aud.some((audience) => audience === issuer.audience || isWithin(audience, baseUrl))) return undefined
    const expiresAt = new Date((claims.exp + leewaySeconds) * 1_000)
    return makeCallers(issuer.issuer, claims, expiresAt, issuer.rules)
  }
  // The scopes by which OpenID Connect gives a token and its claim `email` (Core 1.0, section 5.4).
  const needsEmail = issuers.some(({ rules }) => rules.some(({ claim }) => claim === 'email'))
  const scopes = ['openid', ...(needsEmail ? ['email'] : [])]
  return { baseUrl, issuers: [...known.keys()], scopes, check }
}

type Jose = { readonly decodeJwt: typeof decodeJwt; readonly errors: typeof errors }

/** Reads the issuer that an unchecked token names. */
function readIssuer(jose: Jose, token: string): string | undefined {
  try {
    return jose.decodeJwt(token).iss
  } catch (error) {
    if (error instanceof jose.errors.JWTInvalid) return undefined
    throw error
  }
}
