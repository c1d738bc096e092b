import type { NodeId, Snapshot } from '@floe/storage/icechunk'
import type { Cancellation } from '@floe/storage/json'
import { RequestProblem } from '../../http/problems/request-problem.ts'

/** Number of nodes between two checks of the cancellation. */
const nodesPerCheck = 1_000

/**
 * Lists the ids of all nodes with their indexes.
 *
 * @throws RequestProblem `damaged-repository` when a node has no id, and what the cancellation throws
 */
export function* listIds(
  { id: snapshot, nodes }: Snapshot,
  cancellation: Cancellation | undefined,
): Generator<readonly [id: NodeId, index: number]> {
  for (let index = 0; index < nodes.length; index++) {
    if (index % nodesPerCheck === 0) cancellation?.throwIfAborted()
    const id = nodes.readId(index)
    if (id === undefined) throw new RequestProblem('damaged-repository', `a node of snapshot ${snapshot} has no id`)
    yield [id, index]
  }
}
