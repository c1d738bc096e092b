// The first datasets of a snapshot with what they say about themselves, for the page of a repository.
import type { Snapshot } from '@floe/storage/icechunk'
import { type Cancellation, DocumentAllowance } from '@floe/storage/json'
import type { FirstDatasets, ListedDataset } from '../../pages/browse/dataset-list.ts'
import { maxShownDimensions } from '../../pages/browse/dataset-facts.ts'
import { readFacts, type StatedFacts } from '../../self-description/read-facts.ts'
import { shorten } from '../../text/shorten.ts'
import type { DecodedDataset } from '../../xarray/dataset.ts'
import { AttributeChains } from '../../groups/attribute-chain.ts'
import { explainArray } from '../../groups/group-documents.ts'
import { openGroup } from '../../groups/open-group.ts'

/** Number of datasets that are listed. */
const maxListed = 20

/** Number of arrays that are decoded for their dimensions. Datasets after these are listed without them. */
const maxArrays = 2_000

/** Longer texts are cut, in code points. */
const maxTextLength = 500

/** Lists the first datasets in the order of their paths. Those that are not decoded have no dimensions. */
export function listFirstDatasets(snapshot: Snapshot, cancellation?: Cancellation): FirstDatasets {
  const paths = snapshot.nodes.listParentsOfArrays()
  const allowance = new DocumentAllowance({}, cancellation)
  const chains = new AttributeChains(snapshot, cancellation)
  let arraysLeft = maxArrays
  const datasets = paths.slice(0, maxListed).map((path) => {
    arraysLeft -= snapshot.nodes.countChildren(path).arrays
    const dataset = arraysLeft < 0 ? undefined : openGroup(snapshot, path, { cancellation, allowance }).dataset
    return describe(path, dataset, readFacts(chains.read(path, dataset?.attributes), dataset))
  })
  return { count: paths.length, datasets, reason: explainArray(snapshot, '') }
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
