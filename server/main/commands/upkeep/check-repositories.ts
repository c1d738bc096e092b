import { openRepository, type ReaderLimits } from '@floe/storage/icechunk'
import type { ObjectStore } from '@floe/storage/objects'
import pLimit from 'p-limit'
import { makeReaderLimits } from '../../configuration/limits.ts'
import type { Config } from '../../configuration/schema.ts'
import { openSource, type RepositorySource } from '../../../catalog/open-sources.ts'
import { type ScanLimits, SourceScan } from '../../../catalog/source-scan.ts'
import { systemTiming } from '../../../timing.ts'
import { describeFailure, type Finding, reportOn } from './finding.ts'

type Found = { readonly name: string; readonly store: ObjectStore }

type Options = { readonly signal: AbortSignal; readonly onProgress: (text: string) => void }

/** Repositories that are read at the same time. */
const width = 16

/** Longest time for one repository, in milliseconds. */
const timeoutMs = 30_000

/** Reads the refs and the last snapshot of every repository of the configuration. */
export async function checkRepositories(config: Config, { signal, onProgress }: Options): Promise<Finding[]> {
  const limits = makeReaderLimits(config.limits)
  const sources = Object.entries(config.orgs).flatMap(([org, { repositories }]) =>
    repositories.map((source) => ({ org, source })),
  )
  onProgress('looking for repositories')
  const found = (await Promise.all(sources.map(({ org, source }) => listFound(org, source, config.limits)))).flat()
  let done = 0
  return pLimit(width).map(found, async (one) => {
    if ('kind' in one) return one
    const finding = await checkRepository(one, limits, AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]))
    onProgress(`read ${++done} of ${found.length} repositories`)
    return finding
  })
}

/** Lists the repositories of a source, or the finding why it has none. */
async function listFound(
  org: string,
  source: RepositorySource,
  limits: ScanLimits,
): Promise<readonly (Found | Finding)[]> {
  const name = `${org}/${'scan' in source ? '*' : source.name}`
  const report = reportOn('repository', name)
  try {
    const opened = await openSource(source)
    if (opened.kind === 'repository') return [{ name, store: opened.store }]
    const scan = new SourceScan(opened.store, { org, timing: systemTiming, limits, onEnd: () => {} })
    do await scan.refresh()
    while (scan.isPartial)
    if (scan.failure !== undefined) throw scan.failure
    if (scan.names.size > 0)
      return [...scan.names].map((below) => ({ name: `${org}/${below}`, store: scan.open(below) }))
    return [report(true, `there is none below ${opened.store.location}`)]
  } catch (error) {
    return [report(false, describeFailure(error))]
  }
}

async function checkRepository({ name, store }: Found, limits: ReaderLimits, signal: AbortSignal): Promise<Finding> {
  const report = reportOn('repository', name)
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
