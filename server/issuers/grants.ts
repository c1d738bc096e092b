// What the claims of a token allow.
import { hash } from 'node:crypto'
import type { Role } from '@floe/contract'
import { type Claims, namePerson } from '@floe/storage/database'
import { matchesSome } from '@floe/storage/globs'
import type { Callers } from '../http/access/authenticate.ts'
import { joinGrants } from '../http/access/caller.ts'

/** Applies to people whose claim is a text, or a list with a text, that matches a pattern. */
export type Rule = {
  readonly claim: string
  readonly value: string
  readonly org: string
  readonly role: Role
  /** Patterns of the names of the repositories; null means all. */
  readonly repos: readonly string[] | null
}

/** Makes the callers whom a checked token stands for: one for each organisation. Undefined if no rule fits. */
export function makeCallers(
  issuer: string,
  claims: Claims,
  expiresAt: Date,
  rules: readonly Rule[],
): Callers | undefined {
  const fitting = rules.filter(({ claim, value }) =>
    listTexts(claims, claim).some((text) => matchesSome([value], text)),
  )
  // Rules do not change while the process runs, so their numbers say what they allow.
  const scope = `${issuer} ${fitting.map((rule) => rules.indexOf(rule)).join()}`
  const person = namePerson({ issuer, claims })
  const id = hash('sha256', JSON.stringify([issuer, claims.sub]), 'base64url')
  const [first, ...others] = [...Map.groupBy(fitting, ({ org }) => org)].map(([org, ofOrg]) => {
    const grants = ofOrg.map(({ role, repos }) => ({ role, patterns: repos }))
    return { id, org, name: null, person, expiresAt, scope, grants, ...joinGrants(grants) }
  })
  return first && [first, ...others]
}

/** Keeps what rules and the audit need of the claims of a person, who may be in thousands of groups. */
export function selectClaims({ sub, email, email_verified, ...others }: Claims, rules: readonly Rule[]): Claims {
  const names = [...new Set(rules.map(({ claim }) => claim))]
  const fitting = names.map((name) => {
    const patterns = rules.filter(({ claim }) => claim === name).map(({ value }) => value)
    return [name, listTexts(others, name).filter((text) => matchesSome(patterns, text))]
  })
  return { ...Object.fromEntries(fitting), sub, email, email_verified }
}

/** Lists the texts of a claim. An address that the issuer has not verified may be anybody's. */
function listTexts(claims: Readonly<Record<string, unknown>>, claim: string): readonly string[] {
  if (claim === 'email' && claims['email_verified'] !== true) return []
  return [claims[claim]].flat().filter((text) => typeof text === 'string')
}
