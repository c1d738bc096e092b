// Compares the datasets of a snapshot with a contract.
import type { DatasetContract } from '@floe/contract'
import type { Snapshot } from '@floe/storage/icechunk'
import type { Cancellation } from '@floe/storage/json'
import { sortUtf8 } from '@floe/storage/objects'
import { compareWithContract } from '../../compatibility/contract-state.ts'
import { isDataset } from '../../groups/group-documents.ts'
import { KeptChanges, type SnapshotsComparison } from './kept-changes.ts'
import { StateReader } from './read-state.ts'

/**
 * Compares the datasets that a contract names with those of a snapshot.
 *
 * @throws what the cancellation throws
 */
export function compareContract(
  snapshot: Snapshot,
  { datasets }: DatasetContract,
  cancellation?: Cancellation,
): SnapshotsComparison {
  const kept = new KeptChanges()
  const states = new StateReader(snapshot, cancellation)
  for (const path of sortUtf8(Object.keys(datasets))) {
    cancellation?.throwIfAborted()
    if (!kept.admits(path, snapshot)) continue
    const state = isDataset(snapshot, path) ? states.read(path) : null
    kept.add(path, compareWithContract(datasets[path] ?? {}, state))
  }
  return kept.finish()
}
