// Gaps of arrays, as the service passes them to pages.
import type { ArrayGaps } from '@floe/contract'
import type { GapsPageData } from '../../../../server/pages/gaps/gaps-page.ts'
import { pageSubject } from '../sample-dataset.ts'

/** A forecast with a lost run, a partial one, and a lead time that is empty by design. */
export const forecastGaps: ArrayGaps = {
  path: 'forecast/temperature',
  along: 'init_time',
  chunks: { written: 298, total: 440 },
  reason: null,
  outside: 0,
  last_written: 30,
  gaps: [
    { first: 7, last: 7, written: 0, total: 10 },
    { first: 12, last: 12, written: 8, total: 10 },
  ],
  patterns: [{ dimension: 'lead_time', first: 0, last: 0 }],
  dimensions: [
    { name: 'init_time', positions: 40, size: 1, profile: null },
    { name: 'lead_time', positions: 11, size: 6, profile: null },
  ],
}

/** An array along one dimension `time`. */
export function alongTime(
  positions: number,
  given: Partial<Omit<ArrayGaps, 'along' | 'dimensions'>> & Pick<ArrayGaps, 'last_written'>,
): ArrayGaps {
  const lacking = given.gaps?.reduce((sum, { first, last }) => sum + last - first + 1, 0) ?? 0
  const written = (given.last_written ?? -1) + 1 - lacking
  return {
    path: 'speed',
    along: 'time',
    chunks: { written, total: positions },
    reason: null,
    outside: 0,
    gaps: [],
    patterns: [],
    dimensions: [{ name: 'time', positions, size: 24, profile: null }],
    ...given,
  }
}

/** An array whose manifest cannot be read. */
export const unknownGaps: ArrayGaps = {
  ...alongTime(20, { last_written: null }),
  path: 'wind/gust',
  chunks: null,
  reason: 'manifest_missing',
}

/** A page with arrays of every kind, in the order of their paths. */
export const sampleGaps: GapsPageData = {
  deployment: pageSubject.deployment,
  repository: 'era5',
  ref: pageSubject.ref,
  selection: { limit: 100 },
  arrays: [
    { ...alongTime(48, { last_written: 47 }), path: 'complete' },
    forecastGaps,
    {
      ...alongTime(12_000, {
        last_written: 11_200,
        gaps: [
          { first: 15, last: 15, written: 0, total: 1 },
          { first: 3_000, last: 3_600, written: 0, total: 1 },
          { first: 7_000, last: 7_001, written: 2, total: 4 },
          { first: 9_000, last: 9_900, written: 3, total: 4 },
        ],
      }),
      path: 'hourly/precipitation_amount_of_the_last_hour_from_radar_and_gauges',
    },
    { ...alongTime(6, { last_written: null }), path: 'not_begun' },
    { ...alongTime(1, { last_written: 0 }), path: 'scalar', along: null, dimensions: [] },
    unknownGaps,
  ],
  next: 'wind/gust',
}
