import type { Slices } from '../../waiting/slices.ts'
import { noParent, type RepoReading } from './repo-reading.ts'

/** Steps of a walk before it needs a line. A page of a history takes fewer, so it does not make the reader look at every entry. */
const stepsWithoutLine = 1_000

/** Entries to read, or steps on a line, between two looks at the clock. A look takes longer than a step. */
const stepsPerLook = 1_024

/** Stands for the parent of a damaged entry. Not listed, so a line ends before it. */
const unreadable = noParent - 1

/** A snapshot and its ancestors up to the first one, or up to damage. */
type Line = {
  /** Indexes of the snapshots, newest first. */
  readonly order: Int32Array
  /** The place of each snapshot of the object in `order`, counted from 1; 0 when it is not there. */
  readonly places: Int32Array
}

/**
 * Walks through the history of one `repo` object. The parents of a history lie anywhere in the object, so that following a million of them
 * takes most of a second. The first long walk therefore writes them down in the order of the history, and later ones read that.
 */
export class Ancestry {
  #line: Line = { order: new Int32Array(), places: new Int32Array() }

  /**
   * Visits a snapshot and its ancestors, newest first, until `visit` says stop. `reading` must read the same object each time. Throws
   * {@link DamagedObjectError} when it comes to a circle or to a parent that is not listed.
   */
  async walk(
    reading: RepoReading,
    start: number,
    slices: Slices,
    visit: (index: number) => 'continue' | 'stop',
  ): Promise<void> {
    const seen = new Set<number>()
    for (let index = start; index !== noParent; index = reading.readParent(index)) {
      if (seen.has(index)) throw reading.refuseCircle()
      const { order, places } = this.#line
      const place = places[index] ?? 0
      if (place > 0) return walkLine(reading, order.subarray(place - 1), slices, visit)
      seen.add(index)
      if (visit(index) === 'stop') return
      if (seen.size === stepsWithoutLine) this.#line = await drawLine(reading, start, slices)
      if (slices.isOver) await slices.next()
    }
  }
}

async function walkLine(
  reading: RepoReading,
  order: Int32Array,
  slices: Slices,
  visit: (index: number) => 'continue' | 'stop',
): Promise<void> {
  for (let step = 0; step < order.length; step++) {
    if (visit(order[step] ?? noParent) === 'stop') return
    if (step % stepsPerLook === 0 && slices.isOver) await slices.next()
  }
  // The line has ended before damage, or before a snapshot that it has already.
  if (reading.readParent(order.at(-1) ?? noParent) !== noParent) throw reading.refuseCircle()
}

async function drawLine(reading: RepoReading, start: number, slices: Slices): Promise<Line> {
  const parents = await readAllParents(reading, slices)
  const order = new Int32Array(parents.length)
  const places = new Int32Array(parents.length)
  let length = 0
  for (let index = start; places[index] === 0; index = parents[index] ?? noParent) {
    order[length] = index
    places[index] = ++length
    if (length % stepsPerLook === 0 && slices.isOver) await slices.next()
  }
  return { order: order.slice(0, length), places }
}

/** Reads the parents in the order of the object, which is much faster than in that of the history. */
async function readAllParents(reading: RepoReading, slices: Slices): Promise<Int32Array> {
  const parents = new Int32Array(reading.snapshotCount)
  for (let first = 0; first < parents.length; first += stepsPerLook) {
    reading.readParents(parents, { first, end: Math.min(first + stepsPerLook, parents.length) }, unreadable)
    if (slices.isOver) await slices.next()
  }
  return parents
}
