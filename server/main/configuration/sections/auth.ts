// The `auth` section of `floe.yaml`: issuers whose tokens are taken, and what these allow.
import { OrgName, Role } from '@floe/contract'
import { z } from 'zod'
import { isHttpLoopback } from '../../../notifications/receivers/receiver-url.ts'

const pattern = z.string().min(1).max(255)

/** Patterns for names of repositories. */
export const RepoGlobs = z.array(pattern).min(1).max(100)

const Rule = z.strictObject({
  claim: z.string().min(1).max(255),
  value: pattern,
  org: OrgName,
  role: Role,
  repos: RepoGlobs.nullable().default(null),
})

/** The `iss` of tokens, which is compared as it is written. */
const IssuerUrl = z.string().refine((text) => {
  const url = URL.parse(text)
  const isPlain = url?.search === '' && url.hash === '' && url.username === ''
  return isPlain && (url.protocol === 'https:' || isHttpLoopback(url))
}, 'must be an address https://... without a query, as the issuer writes it')

const Issuer = z.strictObject({
  issuer: IssuerUrl,
  /** Null for `baseUrl`. */
  audience: z.string().min(1).max(1_024).nullable().default(null),
  /** Floe as a client of the issuer, for people who sign in to pages. One issuer at most has it. */
  clientId: z.string().min(1).max(255).nullable().default(null),
  caFile: z.string().min(1).nullable().default(null),
  rules: z.array(Rule).min(1).max(100),
})

/** The `auth` section. */
export const Auth = z.strictObject({
  issuers: z.array(Issuer).max(20).default([]),
  /** Whether the service is an issuer itself, which gives tokens for API keys. */
  exchangeKeys: z.boolean().default(false),
  /** The secret of the client that `clientId` names. */
  clientSecret: z.string().min(1).max(1_024).nullable().default(null),
})
export type Auth = z.output<typeof Auth>

/** Refuses settings of sign-in with which nobody could sign in. */
export function refuseAuth(
  context: z.RefinementCtx,
  { auth: { issuers, exchangeKeys }, baseUrl }: { readonly auth: Auth; readonly baseUrl: string | null },
): void {
  const refuse = (path: readonly PropertyKey[], message: string) =>
    context.addIssue({ code: 'custom', path: ['auth', ...path], message })
  const base = URL.parse(baseUrl ?? '')
  const isSafe = base !== null && (base.protocol === 'https:' || isHttpLoopback(base))
  if (exchangeKeys && !isSafe)
    refuse(['exchangeKeys'], 'needs "baseUrl" with https, because clients of OAuth accept nothing else')
  if (issuers.length > 0 && base === null) refuse(['issuers'], 'need "baseUrl", because tokens are for this address')
  const [registered, another] = issuers.keys().filter((at) => issuers[at]?.clientId !== null)
  if (another !== undefined) refuse(['issuers', another, 'clientId'], 'is given to two issuers; people sign in at one')
  if (registered !== undefined && base !== null && !isSafe)
    refuse(
      ['issuers', registered, 'clientId'],
      'needs a "baseUrl" https://..., because browsers send the cookies of sessions only over TLS',
    )
}
