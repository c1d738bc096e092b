// The first datasets of a snapshot with what they say about themselves, for the page of a repository.
import type { Snapshot } from '@floe/storage/icechunk'
import { type Cancellation, DocumentAllowance, DocumentsTooLargeError, type JsonObject } from '@floe/storage/json'
import { parseGroupDocument, ZarrDocumentError } from '@floe/storage/zarr'
import type { FirstDatasets, ListedDataset } from '../../pages/browse/dataset-list.ts'
import { maxShownDimensions } from '../../pages/search/found-dataset.ts'
import { readFacts, type StatedFacts } from '../../self-description/read-facts.ts'
import { shorten } from '../../text/shorten.ts'
import type { DecodedDataset } from '../../xarray/dataset.ts'
import { CannotDecodeError } from '../../xarray/variable.ts'
import { AttributeChains } from '../attribute-chain.ts'
import { decodeGroupAt, explainArray, findGroup } from '../group-documents.ts'

/** Number of datasets that are listed. */
const maxListed = 20

/** Number of arrays that are decoded for their dimensions. Datasets after these are listed without them. */
const maxArrays = 2_000

/** Longer texts are cut, in code points. */
const maxTextLength = 500

/** Lists the first datasets in the order of their paths. */
export function listFirstDatasets(snapshot: Snapshot, cancellation?: Cancellation): FirstDatasets {
  const paths = snapshot.nodes.listParentsOfArrays()
  const allowance = new DocumentAllowance({}, cancellation)
  const chains = new AttributeChains(snapshot, cancellation)
  let arraysLeft = maxArrays
  const datasets = paths.slice(0, maxListed).map((path) => {
    arraysLeft -= snapshot.nodes.countChildren(path).arrays
    const decoded = arraysLeft < 0 ? undefined : attempt(() => decodeGroupAt(snapshot, path, cancellation, allowance))
    const attributes = decoded?.attributes ?? readAttributes(snapshot, path, cancellation)
    return describe(path, decoded, readFacts([attributes, ...chains.readAbove(path)], decoded))
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

/** Reads the attributes of a group that was not decoded; none of a damaged document. */
function readAttributes(snapshot: Snapshot, path: string, cancellation: Cancellation | undefined): JsonObject {
  const allowance = new DocumentAllowance({}, cancellation)
  return attempt(() => parseGroupDocument(findGroup(snapshot, path).document, allowance))?.attributes ?? new Map()
}

/** Undefined for what xarray refuses, and beyond the allowance: the page of the dataset says why. */
function attempt<Read>(read: () => Read): Read | undefined {
  try {
    return read()
  } catch (error) {
    const isRefused = error instanceof CannotDecodeError || error instanceof ZarrDocumentError
    if (isRefused || error instanceof DocumentsTooLargeError) return undefined
    throw error
  }
}
