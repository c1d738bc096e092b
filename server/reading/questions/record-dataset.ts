// Describes a dataset for the catalogues of others.
import type { Snapshot } from '@floe/storage/icechunk'
import type { Cancellation } from '@floe/storage/json'
import { ZarrDocumentError } from '@floe/storage/zarr'
import type { DatasetRecord } from '../../pages/catalogues/dataset-record.ts'
import { readFacts } from '../../self-description/read-facts.ts'
import type { DecodedDataset } from '../../xarray/dataset.ts'
import { CannotDecodeError } from '../../xarray/variable.ts'
import { AttributeChains } from '../attribute-chain.ts'
import { decodeGroupAt, findGroup, readUndecoded } from '../group-documents.ts'
import { type PageAddress, showCommit } from '../page-address.ts'

/**
 * Describes a group, also one that xarray cannot open.
 *
 * @throws RequestProblem `group-not-found`
 * @throws DocumentsTooLargeError when the documents of the group are larger than a limit, and what the cancellation
 * throws
 */
export function recordDataset(
  snapshot: Snapshot,
  group: string,
  { deployment, repo: repository, ref, published }: PageAddress,
  cancellation?: Cancellation,
): DatasetRecord {
  findGroup(snapshot, group)
  const { dataset, refusal } = decode(snapshot, group, cancellation)
  const attributes = dataset?.attributes ?? readUndecoded(snapshot, group, cancellation).attributes
  return {
    at: { deployment, repository, ref, published, commit: showCommit(snapshot) },
    group,
    facts: readFacts([attributes, ...new AttributeChains(snapshot, cancellation).readAbove(group)], dataset),
    dimensions: dataset?.dimensions ?? new Map(),
    variables: dataset?.variables ?? [],
    refusal,
  }
}

function decode(
  snapshot: Snapshot,
  group: string,
  cancellation: Cancellation | undefined,
): { readonly dataset?: DecodedDataset; readonly refusal: string | null } {
  try {
    return { dataset: decodeGroupAt(snapshot, group, cancellation), refusal: null }
  } catch (error) {
    if (!(error instanceof CannotDecodeError || error instanceof ZarrDocumentError)) throw error
    return { refusal: error.message }
  }
}

/**
 * Describes groups by their attributes alone, without their arrays, which would take much longer.
 *
 * @param groups paths of groups of the snapshot
 * @throws what the cancellation throws
 */
export function* recordGroups(
  snapshot: Snapshot,
  groups: readonly string[],
  { deployment, repo: repository, ref, published }: PageAddress,
  cancellation?: Cancellation,
): Generator<DatasetRecord> {
  const at = { deployment, repository, ref, published, commit: showCommit(snapshot) }
  const chains = new AttributeChains(snapshot, cancellation)
  for (const group of groups) {
    cancellation?.throwIfAborted()
    const facts = readFacts(chains.read(group))
    yield { at, group, facts, dimensions: new Map(), variables: [], refusal: null }
  }
}
