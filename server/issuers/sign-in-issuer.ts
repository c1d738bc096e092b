// Signs people in at an issuer (OpenID Connect, code flow with PKCE), and asks it later whether they still may. The
// library takes the time from the clock of the machine.
import type { Claims } from '@floe/storage/database'
import type { Configuration, TokenEndpointResponse, TokenEndpointResponseHelpers } from 'openid-client'
import { PersonClaims } from './claims.ts'
import { type Rule, selectClaims } from './grants.ts'
import { IssuerError, type IssuerConnection, makeIssuerCalls } from './read-document.ts'

/** An issuer at which Floe is registered. */
export type RegisteredIssuer = IssuerConnection & {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  readonly rules: readonly Rule[]
}

/** What only the browser that begins to sign in can prove to have. */
export type Proof = { readonly state: string; readonly nonce: string; readonly verifier: string }

/** What an issuer sends back with a browser (RFC 6749, section 4.1.2, and RFC 9207). */
export type SignInAnswer = {
  readonly code?: string | undefined
  readonly state?: string | undefined
  readonly iss?: string | undefined
  readonly error?: string | undefined
}

/** The tokens that a session keeps. */
export type KeptTokens = { readonly refresh: string | undefined; readonly id: string | undefined }

/** What an issuer says of a person, as far as rules and the audit need it. */
export type SignedIn = { readonly claims: Claims; readonly tokens: KeptTokens }

/** What a refresh token gives. */
export type Renewed = { readonly tokens: KeptTokens; readonly readClaims: () => Promise<Claims> }

/** The issuer does not vouch for a person, or a browser has brought back from it what signs nobody in. */
export class SignInRefused extends Error {
  override name = 'SignInRefused'
}

const loadLibrary = () => import('openid-client')

type Opened = { readonly oidc: Awaited<ReturnType<typeof loadLibrary>>; readonly config: Configuration }
type Tokens = TokenEndpointResponse & TokenEndpointResponseHelpers

export class SignInIssuer {
  readonly issuer: string
  readonly rules: readonly Rule[]
  readonly #registered: RegisteredIssuer
  #opening: Promise<Opened> | undefined

  constructor(registered: RegisteredIssuer) {
    this.issuer = registered.issuer
    this.rules = registered.rules
    this.#registered = registered
  }

  /** Makes a proof, and the address at the issuer that asks for it. @throws IssuerError */
  begin(redirectUri: string): Promise<{ readonly proof: Proof; readonly location: URL }> {
    return this.#ask(async ({ oidc, config }) => {
      const proof = { state: oidc.randomState(), nonce: oidc.randomNonce(), verifier: oidc.randomPKCECodeVerifier() }
      const { scopes_supported: scopes = ['email'] } = config.serverMetadata()
      // Some issuers give a claim only for a scope of its name, and a refresh token only for `offline_access`.
      const wanted = new Set(['email', 'offline_access', ...this.rules.map(({ claim }) => claim)])
      const location = oidc.buildAuthorizationUrl(config, {
        redirect_uri: redirectUri,
        scope: ['openid', ...[...wanted].filter((scope) => scopes.includes(scope))].join(' '),
        state: proof.state,
        nonce: proof.nonce,
        code_challenge: await oidc.calculatePKCECodeChallenge(proof.verifier),
        code_challenge_method: 'S256',
      })
      return { proof, location }
    })
  }

  /**
   * Redeems the code with which a browser comes back.
   *
   * @param redirectUri as in {@link begin}
   * @throws IssuerError, {@link SignInRefused}
   */
  finish(redirectUri: string, answer: SignInAnswer, { state, nonce, verifier }: Proof): Promise<SignedIn> {
    const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier, idTokenExpected: true }
    return this.#ask(async (opened) => {
      if ((answer.iss ?? this.issuer) !== this.issuer) throw new SignInRefused()
      const url = new URL(redirectUri)
      for (const [name, value] of Object.entries(answer)) if (value !== undefined) url.searchParams.set(name, value)
      const tokens = await opened.oidc.authorizationCodeGrant(opened.config, url, checks)
      const claims = await this.#readClaims(opened, tokens, tokens.claims()?.sub ?? '')
      return { claims, tokens: { refresh: tokens.refresh_token, id: tokens.id_token } }
    })
  }

  /**
   * Redeems the refresh token. Issuers take each one once, so the new tokens must be kept before their claims are read.
   *
   * @throws IssuerError, {@link SignInRefused} if the issuer no longer vouches for the person; so does `readClaims`
   */
  renew(subject: string, kept: KeptTokens): Promise<Renewed> {
    return this.#ask(async ({ oidc, config }) => {
      if (kept.refresh === undefined) throw new SignInRefused()
      const tokens = await oidc.refreshTokenGrant(config, kept.refresh)
      if ((tokens.claims()?.sub ?? subject) !== subject) throw new SignInRefused()
      return {
        tokens: { refresh: tokens.refresh_token ?? kept.refresh, id: tokens.id_token ?? kept.id },
        readClaims: () => this.#ask((opened) => this.#readClaims(opened, tokens, subject)),
      }
    })
  }

  /** Revokes the refresh token, if the issuer has an address for that. @throws IssuerError */
  revoke({ refresh }: KeptTokens): Promise<void> {
    return this.#ask(async ({ oidc, config }) => {
      if (config.serverMetadata().revocation_endpoint === undefined || refresh === undefined) return
      await oidc.tokenRevocation(config, refresh)
    })
  }

  /** Finds the address at which a browser signs out of the issuer too; undefined if it has none. @throws IssuerError */
  findSignOut({ id }: KeptTokens, afterwards: string): Promise<URL | undefined> {
    return this.#ask(async ({ oidc, config }) => {
      if (config.serverMetadata().end_session_endpoint === undefined) return undefined
      const hint = id === undefined ? {} : { id_token_hint: id }
      return oidc.buildEndSessionUrl(config, { ...hint, post_logout_redirect_uri: afterwards })
    })
  }

  /** Joins the claims of the ID token and of the user info. An issuer gives one of them, or both. */
  async #readClaims({ oidc, config }: Opened, tokens: Tokens, sub: string): Promise<Claims> {
    const hasInfo = config.serverMetadata().userinfo_endpoint !== undefined
    const info = hasInfo ? await oidc.fetchUserInfo(config, tokens.access_token, sub) : {}
    // Without either of them there are no claims, and no rule fits.
    const said = PersonClaims.safeParse({ ...tokens.claims(), ...info, sub })
    if (!said.success) throw new IssuerError(`${this.issuer} names a person by no text of 1 to 255 visible characters`)
    return selectClaims(said.data, this.rules)
  }

  /**
   * Does something at the issuer. The first time loads the library, and reads the discovery document; so does the next
   * time after that has failed.
   */
  async #ask<Answer>(act: (opened: Opened) => Promise<Answer>): Promise<Answer> {
    this.#opening ??= this.#openNow()
    try {
      const opened = await this.#opening.catch((cause: unknown) => {
        this.#opening = undefined
        throw cause
      })
      return await act(opened)
    } catch (cause) {
      throw explainFailure(this.issuer, cause)
    }
  }

  async #openNow(): Promise<Opened> {
    const { issuer, clientId, clientSecret, ...connection } = this.#registered
    const oidc = await loadLibrary()
    const ask = makeIssuerCalls({ issuer, ...connection })
    const config = await oidc.discovery(new URL(issuer), clientId, undefined, oidc.ClientSecretBasic(clientSecret), {
      // Only loopback: the configuration refuses other issuers without TLS.
      execute: [oidc.allowInsecureRequests, oidc.enableNonRepudiationChecks],
      [oidc.customFetch]: (address, { method, headers, body }) =>
        ask(address, { method, headers, body: body instanceof URLSearchParams ? body.toString() : null }),
    })
    return { oidc, config }
  }
}

/** Without the cause, because errors of the library have the answers of issuers, with their tokens. */
function explainFailure(issuer: string, cause: unknown): Error {
  const known = findIssuerError(cause)
  if (known !== undefined) return known
  if (cause instanceof SignInRefused) return cause
  if (!(cause instanceof Error)) return new IssuerError(`${issuer} is of no use`)
  const reason = 'error' in cause ? String(cause.error).slice(0, 100) : ''
  // The person is refused (RFC 6749, section 4.1.2.1), or the code or the refresh token (section 5.2).
  const isOfPerson = 'code' in cause && cause.code === 'OAUTH_AUTHORIZATION_RESPONSE_ERROR'
  if (isOfPerson || reason === 'invalid_grant') return new SignInRefused()
  return new IssuerError(`${issuer} is of no use: ${cause.message} ${reason}`.trim())
}

/** The library wraps errors of the connection. */
function findIssuerError(error: unknown): IssuerError | undefined {
  if (error instanceof IssuerError) return error
  return error instanceof Error ? findIssuerError(error.cause) : undefined
}
