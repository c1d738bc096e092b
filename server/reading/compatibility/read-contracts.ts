// The contracts of the datasets of a snapshot.
import type { DatasetContract } from '@floe/contract'
import type { Snapshot } from '@floe/storage/icechunk'
import { writeContract } from '../../compatibility/contract-state.ts'
import { findGroup } from '../../groups/group-documents.ts'
import { StateReader } from './read-state.ts'

/** What readers of a dataset rely on; or why it cannot be opened. */
export type ReadContract = { readonly path: string } & (
  { readonly contract: DatasetContract['datasets'][string] } | { readonly unreadable: string }
)

/**
 * Reads what readers rely on, for each dataset at and below a group.
 *
 * @throws RequestProblem `group-not-found`; the reason of the signal if it aborts
 */
export function* readContracts(snapshot: Snapshot, group: string, signal: AbortSignal): Generator<ReadContract> {
  if (group !== '') findGroup(snapshot, group)
  const states = new StateReader(snapshot, signal)
  for (const path of snapshot.nodes.listParentsOfArrays()) {
    if (group !== '' && path !== group && !path.startsWith(`${group}/`)) continue
    signal.throwIfAborted()
    const state = states.read(path)
    yield { path, ...('unreadable' in state ? { unreadable: state.unreadable } : { contract: writeContract(state) }) }
  }
}
