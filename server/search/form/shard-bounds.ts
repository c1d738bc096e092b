// The box and the period that hold those of all datasets of a shard.
import { type ShardBounds, timeLimits } from '@floe/storage/database'
import type { Extent } from '../../self-description/read-extent.ts'

/** Null where no dataset states any. */
export const noBounds: ShardBounds = {
  west: null,
  south: null,
  east: null,
  north: null,
  starts_at: null,
  ends_at: null,
}

/** Widens bounds so that they hold an extent too. */
export function widenBounds(bounds: ShardBounds, { bbox, startsAt, endsAt }: Extent): ShardBounds {
  const hasPeriod = startsAt !== null || endsAt !== null
  const [west, south, east, north] = bbox ?? []
  return {
    west: join(Math.min, bounds.west, west),
    south: join(Math.min, bounds.south, south),
    east: join(Math.max, bounds.east, east),
    north: join(Math.max, bounds.north, north),
    starts_at: hasPeriod ? join(Math.min, bounds.starts_at, startsAt ?? timeLimits.first) : bounds.starts_at,
    ends_at: hasPeriod ? join(Math.max, bounds.ends_at, endsAt ?? timeLimits.last) : bounds.ends_at,
  }
}

function join(choose: (...numbers: number[]) => number, before: number | null, number: number | undefined) {
  if (number === undefined) return before
  return before === null ? number : choose(before, number)
}
