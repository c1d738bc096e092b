// Compares the extents and changes of datasets with the conditions of a search.
import type { Box } from '../../self-description/extent/box.ts'
import type { Extent } from '../../self-description/read-extent.ts'

/** Times in milliseconds since 1970; null for an open end. */
export type TimeRange = { readonly start: number | null; readonly end: number | null }

export type ExtentConditions = {
  readonly bbox: Box | null
  readonly time: TimeRange | null
  /** When the dataset was last changed. */
  readonly changed: TimeRange | null
}

/** Numbers of a dataset in the extents of its shard. */
const fields = { west: 0, south: 1, east: 2, north: 3, startsAt: 4, endsAt: 5, changedAt: 6 } as const
const fieldCount = 7

/** Lists the numbers of a dataset; NaN where there is none. */
export function listExtent({ bbox, startsAt, endsAt }: Extent, changedAt: number): readonly number[] {
  return [...(bbox ?? [NaN, NaN, NaN, NaN]), startsAt ?? NaN, endsAt ?? NaN, changedAt]
}

/** Reads the extents of a shard: of one dataset after the other, what {@link listExtent} lists. */
export class ExtentReader {
  readonly #view: DataView

  constructor(bytes: Uint8Array) {
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  }

  readChange(dataset: number): number {
    return this.#read(dataset, 'changedAt')
  }

  /** The stated extent of a dataset. NaN where there is none. */
  readExtent(dataset: number) {
    const read = (field: keyof typeof fields) => this.#read(dataset, field)
    const box = [read('west'), read('south'), read('east'), read('north')] as const
    return { box, startsAt: read('startsAt'), endsAt: read('endsAt') }
  }

  /** Whether a dataset meets the conditions; `unstated` if it would, but states no extent to compare. */
  match(dataset: number, { bbox, time, changed }: ExtentConditions): 'matches' | 'differs' | 'unstated' {
    if (bbox === null && time === null && changed === null) return 'matches'
    if (changed !== null && !overlaps(changed, this.readChange(dataset), this.readChange(dataset))) return 'differs'
    const { box, startsAt, endsAt } = this.readExtent(dataset)
    const lacksBox = bbox !== null && Number.isNaN(box[0])
    const lacksTime = time !== null && Number.isNaN(startsAt) && Number.isNaN(endsAt)
    if (lacksBox || lacksTime) return 'unstated'
    const meetsBox = bbox === null || overlapsBox(bbox, box)
    return meetsBox && (time === null || overlaps(time, startsAt, endsAt)) ? 'matches' : 'differs'
  }

  #read(dataset: number, field: keyof typeof fields): number {
    return this.#view.getFloat64((dataset * fieldCount + fields[field]) * 8, true)
  }
}

/** Boxes are compared three times, a full circle apart, because they can cross the antimeridian. */
function overlapsBox([west, south, east, north]: Box, [w, s, e, n]: Box): boolean {
  const meets = [-360, 0, 360].some((degrees) => w <= east + degrees && e >= west + degrees)
  return s <= north && n >= south && meets
}

/** An end that a dataset does not state is open. */
function overlaps({ start, end }: TimeRange, startsAt: number, endsAt: number): boolean {
  return !(end !== null && startsAt > end) && !(start !== null && endsAt < start)
}
