import { openRepository, type ReaderLimits } from '@floe/storage/icechunk'
import type { ObjectStore } from '@floe/storage/objects'
import pLimit from 'p-limit'
import { makeReaderLimits } from '../../configuration/limits.ts'
import type { Config } from '../../configuration/schema.ts'
import type { FoundRepositories } from '../../../catalog/catalog.ts'
import { openSource, type RepositorySource } from '../../../catalog/open-sources.ts'
import { type ScanLimits, SourceScan } from '../../../catalog/source-scan.ts'
import { systemTiming } from '../../../timing.ts'
import { describeFailure, type Finding, reportOn } from './finding.ts'

/** A repository of a source. */
type Found = { readonly org: string; readonly name: string; readonly store: ObjectStore }

/** What a source has. */
type Searched = {
  readonly org: string
  readonly repositories: readonly Found[]
  /** The scanned location, if it holds no repository. */
  readonly emptyLocation?: string
  /** Why the source could not be searched. */
  readonly failure?: Finding
}

/** The findings about repositories, and what the sources of each organisation have. */
type CheckedRepositories = {
  readonly findings: readonly Finding[]
  readonly found: ReadonlyMap<string, FoundRepositories>
}

type Options = { readonly signal: AbortSignal; readonly onProgress: (text: string) => void }

/** Repositories that are read at the same time. */
const width = 16

/** Longest time for one repository, in milliseconds. */
const timeoutMs = 30_000

/** Reads the refs and the last snapshot of every repository of the configuration. */
export async function checkRepositories(config: Config, { signal, onProgress }: Options): Promise<CheckedRepositories> {
  const limits = makeReaderLimits(config.limits)
  const sources = Object.entries(config.orgs).flatMap(([org, { repositories }]) =>
    repositories.map((source) => ({ org, source })),
  )
  onProgress('looking for repositories')
  const searched = await Promise.all(sources.map(({ org, source }) => search(org, source, config.limits)))
  const repositories = searched.flatMap((one) => one.repositories)
  let done = 0
  const findings = await pLimit(width).map(repositories, async (one) => {
    const finding = await checkRepository(one, limits, AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]))
    onProgress(`read ${++done} of ${repositories.length} repositories`)
    return finding
  })
  const failures = searched.flatMap(({ failure }) => failure ?? [])
  return { findings: [...findings, ...failures], found: summarize(searched) }
}

function summarize(searched: readonly Searched[]): ReadonlyMap<string, FoundRepositories> {
  const sourcesOf = Map.groupBy(searched, ({ org }) => org)
  return new Map(
    [...sourcesOf].map(([org, sources]) => [
      org,
      {
        names: sources.flatMap(({ repositories }) => repositories.map(({ name }) => name)),
        isComplete: sources.every(({ failure }) => failure === undefined),
        emptyLocations: sources.flatMap(({ emptyLocation }) => emptyLocation ?? []),
      },
    ]),
  )
}

async function search(org: string, source: RepositorySource, limits: ScanLimits): Promise<Searched> {
  const name = 'scan' in source ? '*' : source.name
  try {
    const opened = await openSource(source)
    if (opened.kind === 'repository') return { org, repositories: [{ org, name, store: opened.store }] }
    const scan = new SourceScan(opened.store, { org, timing: systemTiming, limits, onEnd: () => {} })
    do await scan.refresh()
    while (scan.isPartial)
    if (scan.failure !== undefined) throw scan.failure
    if (scan.names.size === 0) return { org, repositories: [], emptyLocation: opened.store.location }
    return { org, repositories: [...scan.names].map((below) => ({ org, name: below, store: scan.open(below) })) }
  } catch (error) {
    return { org, repositories: [], failure: reportOn('repository', `${org}/${name}`)(false, describeFailure(error)) }
  }
}

async function checkRepository(
  { org, name, store }: Found,
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
