// Finds settings that are valid, but name something that does not exist.
import { matchesSome } from '@floe/storage/globs'
import type { FoundRepositories } from '../../catalog/catalog.ts'
import { suggestName } from '../../text/nearest-name.ts'
import { commandVariables } from './command-variables.ts'
import { listVariables, nameVariable } from './load-config.ts'
import type { Config } from './schema.ts'

/** A setting or an environment variable, and what is wrong with it. */
export type Mistake = { readonly setting: string; readonly problem: string }

type Environment = Readonly<Record<string, string | undefined>>

/** @param found the repositories that were found for each organisation */
export function* findMistakes(
  config: Config,
  environment: Environment,
  found: ReadonlyMap<string, FoundRepositories>,
): Generator<Mistake> {
  const { orgs, deployments, notifications, expectations } = config
  yield* findUnreadVariables(environment)
  yield* findMissingSecret(config)
  const orgsWithSources = Object.keys(orgs).filter((org) => orgs[org]?.repositories.length !== 0)
  for (const [org, { repositories, keys }] of Object.entries(orgs)) {
    if (repositories.length === 0) {
      const hint = suggestName(org, orgsWithSources)
      yield {
        setting: `orgs.${org}`,
        problem: `no source serves the organisation ${org}: it has no repositories${hint}`,
      }
    }
    for (const location of found.get(org)?.emptyLocations ?? []) {
      yield { setting: `orgs.${org}.repositories`, problem: `there is no repository directly below ${location}` }
    }
    for (const [index, { repos }] of keys.entries()) {
      for (const repo of repos ?? []) yield* findUnknown(`orgs.${org}.keys.${index}.repos`, { org, repo })
    }
  }
  for (const [kind, receivers] of [
    ['webhooks', notifications.webhooks],
    ['chats', notifications.chats],
  ] as const) {
    for (const [index, receiver] of receivers.entries()) {
      const { org, repo, filter } = receiver
      const setting = `notifications.${kind}.${index}`
      if (repo !== null) yield* findUnknown(`${setting}.repo`, { org, repo })
      if (filter.repos !== null) yield* findUnmatched(`${setting}.repos`, { org, repos: filter.repos }, listAll(org))
    }
  }
  for (const [index, { org, repos }] of expectations.entries())
    yield* findUnmatched(`expectations.${index}.repo`, { org, repos }, listAll(org))
  for (const [index, deployment] of deployments.entries()) {
    yield* findUnmatched(`deployments.${index}.repos`, deployment, listAll(deployment.org))
  }

  /** Lists all repositories of an organisation; undefined if it has no sources, or one was not searched to its end. */
  function listAll(org: string): readonly string[] | undefined {
    const { names, isComplete } = found.get(org) ?? { names: [], isComplete: false }
    return isComplete && orgs[org]?.repositories.length !== 0 ? names : undefined
  }

  /** Finds a repository that does not exist. */
  function* findUnknown(setting: string, { org, repo }: { readonly org: string; readonly repo: string }) {
    const names = listAll(org)
    if (names === undefined || names.includes(repo)) return
    yield { setting, problem: `${org} has no repository called ${repo}${suggestName(repo, names)}` }
  }
}

/** Finds the patterns that match none of the repositories of an organisation. */
function* findUnmatched(
  setting: string,
  { org, repos }: { readonly org: string; readonly repos: readonly string[] },
  names: readonly string[] = [],
): Generator<Mistake> {
  for (const glob of names.length === 0 ? [] : repos) {
    if (names.some((name) => matchesSome([glob], name))) continue
    yield { setting, problem: `${org} has no repository that ${glob} matches${suggestName(glob, names)}` }
  }
}

/** Finds a client at an issuer whose secret is missing. */
function* findMissingSecret({ auth: { issuers, clientSecret } }: Config): Generator<Mistake> {
  const index = issuers.findIndex(({ clientId }) => clientId !== null)
  if (index < 0 || clientSecret !== null) return
  const variable = nameVariable(['auth', 'clientSecret'])
  const problem = `nobody can sign in to pages without the secret of this client; set ${variable}`
  yield { setting: `auth.issuers.${index}.clientId`, problem }
}

/** Finds FLOE_ variables that neither the configuration nor a command reads (probably typos). */
function* findUnreadVariables(environment: Environment): Generator<Mistake> {
  const known = new Set([...listVariables(), ...Object.values(commandVariables)])
  const linkedServices = Object.keys(environment).flatMap((name) => /^(FLOE\w*)_SERVICE_HOST$/.exec(name)?.[1] ?? [])
  for (const [name, text] of Object.entries(environment)) {
    if (!name.startsWith('FLOE_') || known.has(name) || text === undefined || text === '') continue
    if (linkedServices.some((service) => isServiceLink(name, service))) continue
    yield { setting: name, problem: `nothing reads this variable${suggestName(name, known)}` }
  }
}

/** Whether Kubernetes sets this variable for a Service, such as `FLOE_PORT` for a Service called `floe`. */
function isServiceLink(name: string, service: string): boolean {
  return name === `${service}_PORT` || name.startsWith(`${service}_SERVICE_`) || name.startsWith(`${service}_PORT_`)
}
