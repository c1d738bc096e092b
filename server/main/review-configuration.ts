// Reports to the operator of a service that has started: what it serves, what is open to anyone, and which settings
// look like mistakes.
import { buildAddress, metaPrefix } from '@floe/contract'
import type { FastifyBaseLogger } from 'fastify'
import { type Database, nameDatabase, unlessUnavailable } from '@floe/storage/database'
import type { Catalogs } from '../catalog/catalogs.ts'
import { type Deployment, serves } from '../deployment.ts'
import { findUntold, nobodyIsTold } from '../expectations/find-untold.ts'
import { listFirst } from '../text/list-first.ts'
import manifest from '../package.json' with { type: 'json' }
import { findMistakes } from './configuration/find-mistakes.ts'
import type { Config } from './configuration/schema.ts'

/** Maximum number of mistakes that are logged; one more line counts the others. */
const maxLogged = 50

/**
 * Logs that a service has started, with the facts that are known at once: its sources have not been searched yet.
 *
 * @param v1 public address, ending in `/v1`
 */
export async function logStart(
  { database, deployments }: Pick<Config, 'database' | 'deployments'>,
  { db, log }: { readonly db: Database; readonly log: Pick<FastifyBaseLogger, 'info'> },
  v1: string,
): Promise<void> {
  const counted = db
    .selectFrom('receivers')
    .select(({ fn }) => fn.countAll<number>().as('receivers'))
    .executeTakeFirst()
  // A service that has started goes on when the database is lost, which the log says where it is used.
  const count = await unlessUnavailable(counted, undefined)
  const facts = {
    version: manifest.version,
    node: process.versions.node,
    database: nameDatabase(database),
    receivers: count?.receivers ?? null,
    deployments: listFirst(deployments.map(({ org, name }) => `${org}/${name}`)),
    public: listFirst(deployments.flatMap(({ org, name, public: isPublic }) => (isPublic ? [`${org}/${name}`] : []))),
    pages: listFirst(deployments.map((deployment) => linkHome(v1, deployment))),
  }
  log.info(facts, 'the service has started')
}

/**
 * Searches all sources, which takes at most half a minute for each, and logs how many repositories they have, and the
 * mistakes in a configuration.
 */
export async function reviewConfiguration(
  config: Config,
  {
    catalogs,
    log,
    environment,
    stop,
  }: {
    readonly catalogs: Pick<Catalogs, 'byOrg'>
    readonly log: Pick<FastifyBaseLogger, 'info' | 'warn'>
    readonly environment: Readonly<Record<string, string | undefined>>
    /** Aborted when the service must stop. */
    readonly stop: AbortSignal
  },
): Promise<void> {
  await Promise.all([...catalogs.byOrg.values()].flatMap((catalog) => catalog.refresh()))
  if (stop.aborted) return
  const found = new Map([...catalogs.byOrg].map(([org, catalog]) => [org, catalog.found]))
  const all = [...found.values()]
  const repositories = all.reduce((sum, { names }) => sum + names.length, 0)
  log.info({ repositories, isComplete: all.every(({ isComplete }) => isComplete) }, 'the repositories were listed')
  const mistakes = [...findMistakes(config, environment, found)]
  for (const { setting, problem } of mistakes.slice(0, maxLogged)) log.warn({ setting }, problem)
  const omitted = mistakes.length - maxLogged
  if (omitted > 0) log.warn({ omitted }, '`floe check` lists the other mistakes in the configuration')
}

/** Logs the expectations whose events no receiver selects. */
export async function reviewExpectations({
  db,
  log,
}: {
  readonly db: Database
  readonly log: Pick<FastifyBaseLogger, 'warn'>
}): Promise<void> {
  const untold = await unlessUnavailable(findUntold(db), [])
  for (const expectation of untold.slice(0, maxLogged)) log.warn({ expectation }, nobodyIsTold)
  const omitted = untold.length - maxLogged
  if (omitted > 0) log.warn({ omitted }, '`floe check` lists the other expectations of which nobody is told')
}

/**
 * Writes a line about each public deployment: how many of the repositories that were found are open to anyone, and
 * where.
 *
 * @param v1 public address, ending in `/v1`
 */
export function describePublicDeployments(
  { deployments }: Pick<Config, 'deployments'>,
  { byOrg }: Pick<Catalogs, 'byOrg'>,
  v1: string,
): string[] {
  return deployments
    .filter(({ public: isPublic }) => isPublic)
    .map((deployment) => {
      const { name, org } = deployment
      const { names, isComplete } = byOrg.get(org)?.found ?? { names: [], isComplete: true }
      const count = names.filter((repo) => serves(deployment, repo)).length
      const counted = `${isComplete ? '' : 'at least '}${count} ${count === 1 ? 'repository' : 'repositories'}`
      return `public: ${org}/${name} opens ${counted} to anyone at ${linkHome(v1, deployment)}\n`
    })
}

function linkHome(v1: string, { name, org }: Pick<Deployment, 'name' | 'org'>): string {
  return buildAddress(v1, `${metaPrefix}/`, { deployment: name, org })
}
