// Tells the operator of a service that has started what it opens to anyone, and which settings look like mistakes.
import type { FastifyBaseLogger } from 'fastify'
import type { Catalogs } from '../catalog/catalogs.ts'
import { serves } from '../http/access/deployment.ts'
import { findMistakes } from './configuration/find-mistakes.ts'
import type { Config } from './configuration/schema.ts'

/** Mistakes that are logged; the last line counts the others. */
const maxLogged = 50

type ReviewParts = {
  readonly catalogs: Pick<Catalogs, 'byOrg'>
  readonly log: Pick<FastifyBaseLogger, 'warn'>
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Aborted when the service must stop. */
  readonly stop: AbortSignal
}

/** Searches all sources, which takes at most half a minute for each, and logs the mistakes in a configuration. */
export async function reviewConfiguration(
  config: Config,
  { catalogs, log, environment, stop }: ReviewParts,
): Promise<void> {
  await Promise.all([...catalogs.byOrg.values()].flatMap((catalog) => catalog.refresh()))
  if (stop.aborted) return
  const found = new Map([...catalogs.byOrg].map(([org, catalog]) => [org, catalog.found]))
  const mistakes = [...findMistakes(config, environment, found)]
  for (const { setting, problem } of mistakes.slice(0, maxLogged)) log.warn({ setting }, problem)
  const omitted = mistakes.length - maxLogged
  if (omitted > 0) log.warn({ omitted }, '`floe check` lists the other mistakes in the configuration')
}

/**
 * Describes each public deployment in a line: how many of the repositories that were found it opens, and where.
 *
 * @param v1 public address, ending in `/v1`
 */
export function describePublicDeployments(
  { deployments }: Pick<Config, 'deployments'>,
  { byOrg }: Pick<Catalogs, 'byOrg'>,
  v1: string,
): string[] {
  return deployments
    .filter((one) => one.public)
    .map((deployment) => {
      const { name, org } = deployment
      const { names, isComplete } = byOrg.get(org)?.found ?? { names: [], isComplete: true }
      const count = names.filter((repo) => serves(deployment, repo)).length
      const counted = `${isComplete ? '' : 'at least '}${count} ${count === 1 ? 'repository' : 'repositories'}`
      return `public: ${org}/${name} opens ${counted} to anyone at ${v1}/services/${name}/${org}/_meta/\n`
    })
}
