import type { Compatibility, ContractVerdict, DatasetChange } from '@floe/contract'
import { findRule } from '@floe/contract/constants'
import type { Snapshot } from '@floe/storage/icechunk'
import { type Cancellation, type Encodable, type JsonBytes, writeBody } from '@floe/storage/json'
import type { Change } from '../../compatibility/change.ts'
import type { ComparedSnapshots } from '../diff/changes.ts'
import type { SnapshotsComparison } from './kept-changes.ts'
import type { TreeNote } from './tree-notes.ts'

/**
 * Writes what readers see differently as JSON.
 *
 * @throws AnswerTooLargeError, and what the cancellation throws
 */
export function writeCompatibility(
  { before, after }: Pick<ComparedSnapshots, 'before' | 'after'>,
  comparison: SnapshotsComparison,
  cancellation?: Cancellation,
): JsonBytes<Compatibility> {
  return writeBody<Compatibility>(
    { from_snapshot_id: before.id, ...describeComparison(after, comparison) },
    cancellation,
  )
}

/**
 * Writes what a snapshot breaks of a contract as JSON.
 *
 * @throws AnswerTooLargeError, and what the cancellation throws
 */
export function writeContractVerdict(
  snapshot: Pick<Snapshot, 'id'>,
  comparison: SnapshotsComparison,
  cancellation?: Cancellation,
): JsonBytes<ContractVerdict> {
  return writeBody<ContractVerdict>(describeComparison(snapshot, comparison), cancellation)
}

function describeComparison(
  { id }: Pick<Snapshot, 'id'>,
  { verdict, groups, counts, isCut }: SnapshotsComparison,
): Encodable<ContractVerdict> {
  return {
    to_snapshot_id: id,
    verdict,
    datasets: groups.map((group) => ({
      group: group.path,
      verdict: group.verdict,
      changes: group.changes.map(toDatasetChange),
      notes: group.notes.map(describeNote),
    })),
    counts: {
      datasets: counts.datasets,
      changes: counts.changes,
      notes: counts.notes,
      not_compared: counts.notCompared,
    },
    truncated: isCut,
  }
}

/** Describes a change in the form of the contract. */
export function toDatasetChange({ kind, verdict, details }: Change): Encodable<DatasetChange> {
  const { variable = null, dimension = null, attribute = null, before = null, after = null } = details
  return {
    kind,
    category: findRule(kind).category,
    verdict,
    variable,
    dimension,
    attribute,
    before,
    after,
    widened: details.widened,
    moved_from: details.movedFrom,
    reason: details.reason,
  }
}

function describeNote({
  dimension,
  size,
  parent,
  parentSize,
}: TreeNote): Encodable<Compatibility['datasets'][number]['notes'][number]> {
  return { kind: 'tree-misaligned', dimension, size, parent, parent_size: parentSize }
}
