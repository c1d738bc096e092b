import type { Snapshot } from '@floe/storage/icechunk'
import type { Cancellation } from '@floe/storage/json'

type ListedArray = { readonly index: number; readonly path: string; readonly document: Uint8Array }

/** Number of nodes between two checks of the cancellation. */
const nodesPerCheck = 1_000

/**
 * Lists the arrays at and below a group, with their index among the nodes and their `zarr.json`.
 *
 * @throws what the cancellation throws
 */
export function* listArrays(
  { nodes }: Pick<Snapshot, 'nodes'>,
  below: string,
  cancellation?: Cancellation,
): Generator<ListedArray> {
  const { first, end } = nodes.findBelow(below)
  for (let index = first; index < end; index++) {
    if (index % nodesPerCheck === 0) cancellation?.throwIfAborted()
    if (nodes.readKind(index) === 'group') continue
    const { path, document } = nodes.at(index)
    yield { index, path, document }
  }
}
