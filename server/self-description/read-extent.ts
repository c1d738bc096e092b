// Reads the extent of a dataset in space and time from its attributes and those of the groups above it. Sources of the
// names are in `spellings.ts`; besides these, boxes are stated by:
// - STAC items: `bbox`; the products of Sentinel in Zarr hold an item as `stac_discovery`
// - the conventions of Zarr `proj` and `spatial`, and the extension `projection` of STAC: `proj:*`, `spatial:bbox`
import type { JsonObject, JsonValue } from '@floe/storage/json'
import type { DecodedDataset, DecodedVariable } from '../xarray/dataset.ts'
import { type Box, closeBox } from './extent/box.ts'
import { listItems, readBoxOfGroup, readBoxOfVariable, type StatedBox } from './extent/read-box.ts'
import { type Period, readPeriod } from './extent/read-period.ts'
import { readIsInDegrees } from './extent/reference-system.ts'

export type Extent = Period & { readonly bbox: Box | null }

/** What the attributes of one group state about its extent. */
export type OwnExtent = {
  readonly box: StatedBox | null
  /** Whether its reference system is in degrees; null where it states none. */
  readonly isInDegrees: boolean | null
  readonly period: Period
}

/** Reads what the attributes of one group state. What is malformed counts as not stated. */
export function readOwnExtent(attributes: JsonObject): OwnExtent {
  const items = listItems(attributes)
  const systems = items.map(readIsInDegrees)
  return {
    box: readBoxOfGroup(attributes),
    isInDegrees: systems.find((one) => one !== null) ?? null,
    period: readPeriod(attributes, items),
  }
}

/**
 * Combines the extents of a group and of the groups above it, the nearest first. Box and period are those of the
 * nearest that states them. A reference system counts for the group that states it and for those below.
 *
 * @param dataset the arrays of the group: they can have a box, and tell how far apart the longitudes are
 */
export function combineExtents(chain: readonly OwnExtent[], dataset?: Grid): Extent {
  // As a whole: where a group states a start alone, its end may be `present`, which is null too.
  const period = chain.find(({ period: { startsAt, endsAt } }) => startsAt !== null || endsAt !== null)?.period
  return { bbox: findBox(chain, dataset), startsAt: period?.startsAt ?? null, endsAt: period?.endsAt ?? null }
}

function findBox(chain: readonly OwnExtent[], dataset: Grid | undefined): Box | null {
  for (const [level, { box }] of chain.entries()) {
    const isInDegrees = chain.slice(level).find((one) => one.isInDegrees !== null)?.isInDegrees ?? false
    if (box !== null && (!box.needsDegrees || isInDegrees))
      return closeBox(box.box, level === 0 && dataset ? countLongitudes(dataset) : undefined)
    const ofVariable = level === 0 && dataset ? findBoxOfVariables(dataset, isInDegrees) : null
    if (ofVariable !== null) return ofVariable
  }
  return null
}

/** Number of variables whose attributes are read for a box: the first ones. */
const maxVariables = 1_000

function findBoxOfVariables(dataset: Grid, isInDegrees: boolean): Box | null {
  for (const { attributes } of dataset.variables.slice(0, maxVariables)) {
    const stated = readBoxOfVariable(attributes)
    if (stated === null || (stated.needsDegrees && !(readIsInDegrees(attributes) ?? isInDegrees))) continue
    return closeBox(stated.box, countLongitudes(dataset))
  }
  return null
}

type Grid = Pick<DecodedDataset, 'variables' | 'dimensions'>

/** Fewer longitudes do not show whether they go around the Earth. */
const minLongitudes = 4n

/** Counts the longitudes of a grid; undefined if they are no axis, as those of points along a track. */
function countLongitudes({ variables, dimensions }: Grid): number | undefined {
  const axis = variables.find((variable) => variable.isIndexed && isLongitude(variable))
  const size = axis && dimensions.get(axis.name)
  return size !== undefined && size >= minLongitudes ? Number(size) : undefined
}

/** The spellings of the units of longitudes in CF 1.11, section 4.2. */
const longitudeUnits: ReadonlySet<JsonValue | undefined> = new Set([
  'degrees_east',
  'degree_east',
  'degree_E',
  'degrees_E',
  'degreeE',
  'degreesE',
])

/** Whether a variable has longitudes: in CF, its standard name or its units say so. */
export function isLongitude({ attributes }: Pick<DecodedVariable, 'attributes'>): boolean {
  return attributes.get('standard_name') === 'longitude' || longitudeUnits.has(attributes.get('units'))
}

/** The spellings of the units of latitudes in CF 1.11, section 4.1. */
const latitudeUnits: ReadonlySet<JsonValue | undefined> = new Set([
  'degrees_north',
  'degree_north',
  'degree_N',
  'degrees_N',
  'degreeN',
  'degreesN',
])

/** Whether a variable has latitudes, as {@link isLongitude}. */
export function isLatitude({ attributes }: Pick<DecodedVariable, 'attributes'>): boolean {
  return attributes.get('standard_name') === 'latitude' || latitudeUnits.has(attributes.get('units'))
}
