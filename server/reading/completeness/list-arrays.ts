import type { Snapshot } from '@floe/storage/icechunk'
import type { Cancellation } from '@floe/storage/json'

/** Number of nodes between two checks of the cancellation. */
const nodesPerCheck = 1_000

/**
 * Lists the arrays at and below a group, as indexes of the nodes.
 *
 * @throws what the cancellation throws
 */
export function* listArrays(
  { nodes }: Pick<Snapshot, 'nodes'>,
  below: string,
  cancellation?: Cancellation,
): Generator<number> {
  const { first, end } = nodes.findBelow(below)
  for (let index = first; index < end; index++) {
    if (index % nodesPerCheck === 0) cancellation?.throwIfAborted()
    if (nodes.readKind(index) === 'array') yield index
  }
}
