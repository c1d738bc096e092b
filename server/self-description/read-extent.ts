// Reads the extent of a dataset in space and time from its attributes and those of the groups above it. Sources of the
// names are in `spellings.ts`; besides these, boxes are stated by:
// - STAC items: `bbox`; the products of Sentinel in Zarr hold an item as `stac_discovery`
// - the conventions of Zarr `proj` and `spatial`, and the extension `projection` of STAC: `proj:*`, `spatial:*`
// - grid mappings of CF with the `GeoTransform` of GDAL, and grids of GRIB in the attributes of cfgrib
// - ranges of latitudes, longitudes and times: `actual_range` of CF, `statistics_approximate` of dynamical.org
import type { JsonObject } from '@floe/storage/json'
import type { Grid } from './extent/axes.ts'
import { type Area, findArea, type OwnArea, readOwnArea } from './find-area.ts'
import { listItems } from './extent/stac-items.ts'
import { readPeriodOfCoordinates } from './extent/coordinate-ranges.ts'
import { type Period, readPeriod } from './extent/read-period.ts'

export type Extent = Period & Area

const noPeriod: Period = { startsAt: null, endsAt: null, periodAttribute: null }

/** What the attributes of one group state about its extent. */
export type OwnExtent = { readonly area: OwnArea; readonly period: Period }

/** Reads what the attributes of one group state. What is malformed counts as not stated. */
export function readOwnExtent(attributes: JsonObject): OwnExtent {
  return { area: readOwnArea(attributes), period: readPeriod(attributes, listItems(attributes)) }
}

/**
 * Combines the extents of a group and of the groups above it, the nearest first. Box and period are those of the
 * nearest that states them. A reference system counts for the group that states it and for those below.
 *
 * @param dataset the arrays of the group: they can have an area, and tell how far apart the longitudes are
 */
export function combineExtents(chain: readonly OwnExtent[], dataset?: Grid): Extent {
  // As a whole: where a group states a start alone, its end may be `present`, which is null too.
  const period = chain.find(({ period: { startsAt, endsAt } }) => startsAt !== null || endsAt !== null)?.period
  const area = findArea(
    chain.map((own) => own.area),
    dataset,
  )
  const { startsAt, endsAt, periodAttribute } = period ?? (dataset && readPeriodOfCoordinates(dataset)) ?? noPeriod
  return { ...area, startsAt, endsAt, periodAttribute }
}
