// Decides which searches find a dataset that a head move touched.
import type { SearchConditions } from '@floe/contract/lists'
import type { Snapshot } from '@floe/storage/icechunk'
import type { Cancellation } from '@floe/storage/json'
import { AttributeChains } from '../../groups/attribute-chain.ts'
import type { RepositoryMetadata } from '../../groups/repository-metadata.ts'
import type { ComparedSnapshots } from './changes.ts'
import { listChangedPaths } from './find-changed-paths.ts'
import { findParent } from '../../groups/group-documents.ts'
import { describeGroup } from '../../search/describe/describe-dataset.ts'
import { isIndexed } from '../../search/describe/list-fingerprints.ts'
import { DatasetMatcher } from '../../search/match/dataset-matcher.ts'
import { parseConditions } from '../../search/match/parse-conditions.ts'

/** How many datasets of a snapshot, with how many arrays, are matched. If more were touched, every search matches. */
export const touchedLimits = { datasets: 1_000, arrays: 10_000 } as const

/**
 * Returns for each search whether it finds a dataset that was touched, in the earlier or the later snapshot: one at a
 * changed path, directly above it, or below a changed group, whose texts it may inherit. True if that is unknown.
 *
 * @param repo the name of the repository, which is one of the texts of a dataset
 */
export function matchTouched(
  compared: ComparedSnapshots,
  {
    repo,
    metadata,
    searches,
  }: RepositoryMetadata & { readonly repo: string; readonly searches: readonly SearchConditions[] },
  cancellation?: Cancellation,
): readonly boolean[] {
  const all = searches.map(() => true)
  if (compared.chunksUnavailable !== null) return all
  const changed = new Set(Object.values(listChangedPaths(compared)).flat())
  // Requests and configurations with malformed conditions are refused.
  const matchers = searches.map((search) => new DatasetMatcher(parseConditions(search, () => {})))
  const open = new Set(matchers)
  for (const snapshot of [compared.after, compared.before]) {
    const touched = listTouched(snapshot, changed, cancellation)
    if (touched === undefined) return all
    const chains = new AttributeChains(snapshot, cancellation, metadata)
    for (const path of touched) {
      if (open.size === 0) return all
      cancellation?.throwIfAborted()
      const described = describeGroup(snapshot, { repo, path, above: chains.readAbove(path) }, cancellation)
      for (const matcher of open) if (matcher.matches(described)) open.delete(matcher)
    }
  }
  return matchers.map((matcher) => !open.has(matcher))
}

/** Lists the touched datasets of a snapshot; undefined if there are too many. */
function listTouched(
  { nodes }: Pick<Snapshot, 'nodes'>,
  changed: ReadonlySet<string>,
  cancellation: Cancellation | undefined,
): readonly string[] | undefined {
  const aboveChanged = new Set([...changed].map(findParent))
  /** Whether a group, or one above it, was changed. Most datasets have the same parents. */
  const known = new Map<string, boolean>()
  const isChanged = (path: string): boolean => {
    const parent = findParent(path)
    const isSo = known.get(path) ?? (changed.has(path) || (parent !== undefined && isChanged(parent)))
    known.set(path, isSo)
    return isSo
  }
  const touched: string[] = []
  let arrays = 0
  for (const path of nodes.listParentsOfArrays()) {
    cancellation?.throwIfAborted()
    if (!isIndexed(path) || !(aboveChanged.has(path) || isChanged(path))) continue
    arrays += nodes.countChildren(path).arrays
    if (touched.length === touchedLimits.datasets || arrays > touchedLimits.arrays) return undefined
    touched.push(path)
  }
  return touched
}
