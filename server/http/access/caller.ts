// Who sends a request, and what that caller may do.
import { type Role, roles } from '@floe/contract/lists'
import { type Actor, type ApiKey, type Database, listRecordedNames } from '@floe/storage/database'
import { matchesSome } from '@floe/storage/globs'

/** An API key, or an account: a person or a program that an issuer vouches for. */
export type Caller = Actor & {
  readonly role: Role
  /** The repositories that it covers: those of a key are named, those of an account match a pattern; null means all. */
  readonly repos: { readonly names: readonly string[] } | { readonly patterns: readonly string[] } | null
  readonly expiresAt: Date | null
  /** All that answers depend on besides the address. Callers with the same scope get the same answers. */
  readonly scope: string
  /** All that an account may do in the organisation. `role` and `repos` are what it may do as a reader. */
  readonly grants?: readonly Grant[]
}

/** What an account may do with the repositories whose names match a pattern; null means all of the organisation. */
export type Grant = { readonly role: Role; readonly patterns: readonly string[] | null }

/** The caller that uses an API key. */
export function toCaller({ id, org, name, role, repos, expiresAt, client }: ApiKey & Pick<Actor, 'client'>): Caller {
  const scope = `${org} ${role} ${JSON.stringify(repos)}`
  const caller = { id, org, name, role, repos: repos && { names: repos }, expiresAt, scope }
  return client === undefined ? caller : { ...caller, client }
}

/** Returns the same caller with what its key allows now. A token still expires before its key. */
export function renewCaller({ client, expiresAt }: Caller, key: ApiKey): Caller {
  return toCaller(client === undefined ? key : { ...key, client, expiresAt })
}

/** Narrows an account to what it may do with a role; returns it as it is if no grant suffices. */
export function actAs(caller: Caller, role: Role): Caller {
  const sufficient = caller.grants?.filter((grant) => includesRole(grant.role, role)) ?? []
  return sufficient.length === 0 ? caller : { ...caller, ...joinGrants(sufficient) }
}

/**
 * Joins at least one grant. The role is the lowest one, so that it holds for each of the repositories; a grant of
 * nothing new does not lower it.
 */
export function joinGrants(grants: readonly Grant[]): Pick<Caller, 'role' | 'repos'> {
  const [strongest, ...others] = grants.toSorted((left, right) => rank(right.role) - rank(left.role))
  if (strongest === undefined) throw new TypeError('there is no grant to join')
  const { role, patterns } = others.reduce(joinWeaker, strongest)
  return { role, repos: patterns && { patterns } }
}

function joinWeaker(joined: Grant, { role, patterns: added }: Grant): Grant {
  const { patterns } = joined
  if (patterns === null || added?.every((pattern) => patterns.includes(pattern))) return joined
  return { role, patterns: added && [...new Set([...patterns, ...added])] }
}

/** Whether a role allows all that another allows. */
function includesRole(role: Role, other: Role): boolean {
  return rank(role) >= rank(other)
}

const rank = (role: Role) => roles.indexOf(role)

/** Whether a caller may read a repository. Null is a caller of a public deployment, which anyone may read. */
export function mayRead(caller: Pick<Caller, 'repos'> | null, repo: string): boolean {
  const repos = caller?.repos ?? null
  if (repos === null) return true
  return 'names' in repos ? repos.names.includes(repo) : matchesSome(repos.patterns, repo)
}

/** Filters a list of names, which can be long, as {@link mayRead} does. */
export function filterReadable(caller: Pick<Caller, 'repos'> | null, names: readonly string[]): readonly string[] {
  const repos = caller?.repos ?? null
  if (repos === null) return names
  if ('patterns' in repos) return names.filter((name) => matchesSome(repos.patterns, name))
  const covered = new Set(repos.names)
  return names.filter((name) => covered.has(name))
}

/** Lists the recorded repositories that a caller covers, for queries; null means all of the organisation. */
export async function listCovered(
  db: Database,
  org: string,
  caller: Pick<Caller, 'repos'> | null,
): Promise<readonly string[] | null> {
  const repos = caller?.repos ?? null
  if (repos === null) return null
  return 'names' in repos ? repos.names : filterReadable(caller, await listRecordedNames(db, org))
}
