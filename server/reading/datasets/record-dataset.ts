// Describes a dataset for the catalogues of others.
import type { Snapshot } from '@floe/storage/icechunk'
import type { Cancellation } from '@floe/storage/json'
import type { DatasetRecord } from '../../pages/catalogues/dataset-record.ts'
import { readFacts } from '../../self-description/read-facts.ts'
import { AttributeChains } from '../../groups/attribute-chain.ts'
import { openGroup } from '../../groups/open-group.ts'
import { type PageFacts, showCommit } from '../page-facts.ts'

/** What a description needs besides the snapshot. */
type RecordFacts = Pick<PageFacts, 'deployment' | 'repo' | 'ref' | 'published' | 'metadata' | 'remarks'>

/**
 * Describes a group, also one that is not decoded.
 *
 * @throws RequestProblem `group-not-found`; what the cancellation throws
 */
export function recordDataset(
  snapshot: Snapshot,
  group: string,
  { deployment, repo: repository, ref, published, metadata, remarks }: RecordFacts,
  cancellation?: Cancellation,
): DatasetRecord {
  const { dataset, refusal = null } = openGroup(snapshot, group, { cancellation })
  const chain = new AttributeChains(snapshot, cancellation, metadata).read(group, dataset?.attributes)
  return {
    at: { deployment, repository, ref, published, remarks, commit: showCommit(snapshot) },
    group,
    facts: readFacts(chain, dataset),
    dimensions: dataset?.dimensions ?? new Map(),
    variables: dataset?.variables ?? [],
    refusal,
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
  { deployment, repo: repository, ref, published, metadata, remarks }: RecordFacts,
  cancellation?: Cancellation,
): Generator<DatasetRecord> {
  const at = { deployment, repository, ref, published, remarks, commit: showCommit(snapshot) }
  const chains = new AttributeChains(snapshot, cancellation, metadata)
  for (const group of groups) {
    cancellation?.throwIfAborted()
    const facts = readFacts(chains.read(group))
    yield { at, group, facts, dimensions: new Map(), variables: [], refusal: null }
  }
}
