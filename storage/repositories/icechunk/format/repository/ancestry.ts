import type { Slices } from '../../../../waiting/slices.ts'
import { noParent, type RepoDecoder } from './repo-decoder.ts'

/** Steps of a walk before the whole history is ordered. A page of a history takes fewer. */
const stepsBeforeOrdering = 1_000

/** Entries to read, or steps to take, between two checks of the clock. A check takes longer than a step. */
const stepsPerCheck = 1_024

/** Stands for the parent of a damaged entry. No snapshot has this index, so an ordered history ends before it. */
const unreadable = noParent - 1

/** A snapshot and its ancestors up to the first one, or up to damage. */
type OrderedHistory = {
  /** Indexes of the snapshots in the object, newest first. */
  readonly order: Int32Array
  /** By index in the object: the position of the snapshot in `order`, counted from 1; 0 when it is not in `order`. */
  readonly positions: Int32Array
}

/**
 * Walks through the history of one `repo` object. Parents lie anywhere in the object, so following a million of them
 * takes most of a second. The first long walk therefore stores their order, and later walks read it from there.
 */
export class Ancestry {
  #history: OrderedHistory = { order: new Int32Array(), positions: new Int32Array() }

  /**
   * Visits a snapshot and its ancestors, newest first, until `visit` returns `stop`. `decoder` must decode the same
   * object each time. Throws {@link DamagedObjectError} at a circle, and at a parent that is not listed.
   */
  async walk(
    decoder: RepoDecoder,
    start: number,
    slices: Slices,
    visit: (index: number) => 'continue' | 'stop',
  ): Promise<void> {
    const seen = new Set<number>()
    for (let index = start; index !== noParent; index = decoder.readParent(index)) {
      if (seen.has(index)) throw decoder.refuseCircle()
      const { order, positions } = this.#history
      const position = positions[index] ?? 0
      if (position > 0) return walkOrdered(decoder, order.subarray(position - 1), slices, visit)
      seen.add(index)
      if (visit(index) === 'stop') return
      if (seen.size === stepsBeforeOrdering) this.#history = await orderHistory(decoder, start, slices)
      if (slices.isOver) await slices.next()
    }
  }
}

async function walkOrdered(
  decoder: RepoDecoder,
  order: Int32Array,
  slices: Slices,
  visit: (index: number) => 'continue' | 'stop',
): Promise<void> {
  for (let step = 0; step < order.length; step++) {
    if (visit(order[step] ?? noParent) === 'stop') return
    if (step % stepsPerCheck === 0 && slices.isOver) await slices.next()
  }
  // Without damage, the order ends with the first snapshot. Otherwise the next parent is unreadable, or already in the
  // order: a circle.
  if (decoder.readParent(order.at(-1) ?? noParent) !== noParent) throw decoder.refuseCircle()
}

async function orderHistory(decoder: RepoDecoder, start: number, slices: Slices): Promise<OrderedHistory> {
  const parents = await readAllParents(decoder, slices)
  const order = new Int32Array(parents.length)
  const positions = new Int32Array(parents.length)
  let length = 0
  // Ends at noParent and `unreadable` too, which are outside of `positions`.
  for (let index = start; positions[index] === 0; index = parents[index] ?? noParent) {
    order[length] = index
    positions[index] = ++length
    if (length % stepsPerCheck === 0 && slices.isOver) await slices.next()
  }
  return { order: order.slice(0, length), positions }
}

/** Reads the parents in the order of the object, which is much faster than in the order of the history. */
async function readAllParents(decoder: RepoDecoder, slices: Slices): Promise<Int32Array> {
  const parents = new Int32Array(decoder.snapshotCount)
  for (let first = 0; first < parents.length; first += stepsPerCheck) {
    decoder.readParents(parents, { first, end: Math.min(first + stepsPerCheck, parents.length) }, unreadable)
    if (slices.isOver) await slices.next()
  }
  return parents
}
