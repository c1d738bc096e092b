import { openRepository, type ReaderLimits } from '@floe/storage/icechunk'
import type { ObjectStore } from '@floe/storage/objects'
import { mapInParallel } from '@floe/storage/waiting'
import { makeReaderLimits } from '../../configuration/sections/limits.ts'
import type { Config } from '../../configuration/schema.ts'
import type { FoundRepositories } from '../../../catalog/catalog.ts'
import { findRepositories } from '../../../catalog/sources/find-repositories.ts'
import { openSource, type RepositorySource } from '../../../catalog/sources/open-sources.ts'
import type { ScanLimits } from '../../../catalog/sources/scan-options.ts'
import { describeFailure, type Finding, reportOn } from './finding.ts'

/** A repository in a source. */
type SourceRepository = { readonly org: string; readonly name: string; readonly store: ObjectStore }

/** The repositories found in one source, or why it could not be searched. */
type SourceFindings = {
  readonly org: string
  readonly repositories: readonly SourceRepository[]
  /** The scanned location, if it contains no repository. */
  readonly emptyLocation?: string
  readonly failure?: Finding
}

/** The findings about repositories, and the repositories that were found for each organisation. */
type CheckedRepositories = {
  readonly findings: readonly Finding[]
  readonly found: ReadonlyMap<string, FoundRepositories>
}

/** Number of repositories that are read at the same time. */
const width = 16

/** Time limit for reading one repository, in milliseconds. */
const timeoutMs = 30_000

/** Reads the refs and the last snapshot of every repository of the configuration. */
export async function checkRepositories(
  config: Config,
  { signal, onProgress }: { readonly signal: AbortSignal; readonly onProgress: (text: string) => void },
): Promise<CheckedRepositories> {
  const limits = makeReaderLimits(config.limits)
  const sources = Object.entries(config.orgs).flatMap(([org, { repositories }]) =>
    repositories.map((source) => ({ org, source })),
  )
  onProgress('looking for repositories')
  const searched = await Promise.all(sources.map(({ org, source }) => search(org, source, config.limits, signal)))
  const repositories = searched.flatMap((findings) => findings.repositories)
  let done = 0
  const findings = await mapInParallel(repositories, width, async (repository) => {
    const timeout = AbortSignal.timeout(timeoutMs)
    const finding = await checkRepository(repository, limits, AbortSignal.any([signal, timeout]))
    onProgress(`read ${++done} of ${repositories.length} repositories`)
    return finding
  })
  const failures = searched.flatMap(({ failure }) => failure ?? [])
  return { findings: [...findings, ...failures], found: summarize(searched) }
}

function summarize(searched: readonly SourceFindings[]): ReadonlyMap<string, FoundRepositories> {
  const byOrg = Map.groupBy(searched, ({ org }) => org)
  return new Map(
    [...byOrg].map(([org, sources]) => [
      org,
      {
        names: sources.flatMap(({ repositories }) => repositories.map(({ name }) => name)),
        isComplete: sources.every(({ failure }) => failure === undefined),
        emptyLocations: sources.flatMap(({ emptyLocation }) => emptyLocation ?? []),
      },
    ]),
  )
}

/** Opens a source of the configuration and lists its repositories. */
async function search(
  org: string,
  source: RepositorySource,
  limits: ScanLimits,
  signal: AbortSignal,
): Promise<SourceFindings> {
  const shown = 'scan' in source ? '*' : source.name
  try {
    const { store, ...opened } = await openSource(source)
    if (opened.kind === 'repository') return { org, repositories: [{ org, name: opened.name, store }] }
    const repositories = await findRepositories(store, { depth: opened.depth, limits }, signal)
    if (repositories.length === 0) return { org, repositories: [], emptyLocation: store.location }
    return { org, repositories: repositories.map((repository) => ({ org, ...repository })) }
  } catch (error) {
    return { org, repositories: [], failure: reportOn('repository', `${org}/${shown}`)(false, describeFailure(error)) }
  }
}

async function checkRepository(
  { org, name, store }: SourceRepository,
  limits: ReaderLimits,
  signal: AbortSignal,
): Promise<Finding> {
  const report = reportOn('repository', `${org}/${name}`)
  try {
    const repository = openRepository(store, limits)
    const { formatVersion } = await repository.readState(signal)
    const { branches, tags } = await repository.readRefs(signal)
    const head = branches.get('main')
    if (head === undefined) return report(false, 'it has no branch main')
    const { nodes } = await repository.readSnapshot(head, signal)
    const counts = `branches: ${branches.size}, tags: ${tags.size}, groups and arrays: ${nodes.length}`
    return report(true, `format version ${formatVersion}, main at ${head}, ${counts}`)
  } catch (error) {
    return report(false, describeFailure(error))
  }
}
