// The first datasets of a snapshot with what they say about themselves, for the page of a repository.
import type { StoredBytes } from '@floe/contract'
import type { NamedManifest } from '@floe/storage/icechunk'
import { type Cancellation, DocumentAllowance } from '@floe/storage/json'
import type { FirstDatasets, ListedDataset } from '../../pages/browse/dataset-list.ts'
import { maxShownDimensions } from '../../pages/browse/dataset-facts.ts'
import { readFacts, type StatedFacts } from '../../self-description/read-facts.ts'
import { shorten } from '../../text/shorten.ts'
import type { DecodedDataset } from '../../xarray/dataset.ts'
import { AttributeChains } from '../../groups/attribute-chain.ts'
import { explainArray } from '../../groups/group-documents.ts'
import { openGroup } from '../../groups/open-group.ts'
import type { RepositoryMetadata } from '../../groups/repository-metadata.ts'
import { listArrays } from '../completeness/list-arrays.ts'
import { addUpAll, addUpManifests } from '../completeness/stored-bytes.ts'
import { allowFew, maxFewArrays } from '../gaps/find-few-gaps.ts'
import type { SnapshotManifests } from '../manifests/snapshot-manifests.ts'

/** Number of datasets that are listed. */
const maxListed = 20

/** Number of arrays that are decoded for their dimensions. Datasets after these are listed without them. */
const maxArrays = 2_000

/** Longer texts are cut, in code points. */
const maxTextLength = 500

/**
 * Lists the first datasets in the order of their paths. Those that are not decoded have no dimensions. The list counts
 * only if no manifest is missing from the source then.
 *
 * @throws what the cancellation throws
 */
export function listFirstDatasets(
  source: SnapshotManifests,
  { metadata }: RepositoryMetadata,
  cancellation?: Cancellation,
): FirstDatasets {
  const { snapshot } = source
  const bytes = addUpFew(source, cancellation)
  // They will be listed when the manifests have been read.
  if (source.missing.size > 0) return { count: 0, datasets: [], reason: null, bytes }
  const paths = snapshot.nodes.listParentsOfArrays()
  const allowance = new DocumentAllowance({}, cancellation)
  const chains = new AttributeChains(snapshot, cancellation, metadata)
  let arraysLeft = maxArrays
  const datasets = paths.slice(0, maxListed).map((path) => {
    arraysLeft -= snapshot.nodes.countChildren(path).arrays
    const dataset = arraysLeft < 0 ? undefined : openGroup(snapshot, path, { cancellation, allowance }).dataset
    return describe(path, dataset, readFacts(chains.read(path, dataset?.attributes), dataset))
  })
  return { count: paths.length, datasets, reason: explainArray(snapshot, ''), bytes }
}

/** Adds up the bytes of all chunks, if the arrays and their manifests are few and small. Else reads none of them. */
function addUpFew(source: SnapshotManifests, cancellation: Cancellation | undefined): StoredBytes | null {
  const { snapshot } = source
  const allowance = allowFew()
  const arrays = new Array<{ readonly index: number; readonly manifests: readonly NamedManifest[] }>()
  for (const index of listArrays(snapshot, '', cancellation)) {
    const manifests = snapshot.chunkReferences.listManifests(index, cancellation)
    const isTooMuch = arrays.length === maxFewArrays || typeof manifests === 'string'
    if (isTooMuch || allowance.take([], manifests) !== undefined) return null
    arrays.push({ index, manifests })
  }
  return addUpAll(arrays.map(({ index, manifests }) => addUpManifests(source, index, manifests)))
}

function describe(
  path: string,
  decoded: DecodedDataset | undefined,
  { title, summary }: Pick<StatedFacts, 'title' | 'summary'>,
): ListedDataset {
  const dimensions = decoded?.dimensions ?? new Map<string | null, bigint>()
  return {
    path,
    title: title && shorten(title, maxTextLength),
    summary: summary && shorten(summary, maxTextLength),
    dimensions: dimensions
      .entries()
      .take(maxShownDimensions)
      .map(([name, size]) => [name ?? 'None', String(size)] as const)
      .toArray(),
    dimensionCount: dimensions.size,
  }
}
