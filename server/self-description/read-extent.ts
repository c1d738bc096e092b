// Reads the extent of a dataset in space and time from its attributes. Sources of the names:
// - Attribute Convention for Data Discovery 1.3 (ACDD): `geospatial_*`, `time_coverage_*`
// - GHRSST Data Specification 2: `northernmost_latitude` and the like, dates without dashes
// - STAC items: `bbox`, `datetime`, `start_datetime`, `end_datetime`; the products of Sentinel in Zarr hold an item as
//   `stac_discovery`
// - the conventions of Zarr `proj` and `spatial`, and the extension `projection` of STAC: `proj:*`, `spatial:bbox`
import { isJsonArray, isJsonObject, JsonNumber, type JsonObject, type JsonValue } from '@floe/storage/json'
import type { DecodedDataset, DecodedVariable } from '../xarray/dataset.ts'
import { findEnd, findStart, isIsoInstant, readDuration } from './duration.ts'
import { readBounds } from './geospatial-bounds.ts'

/**
 * West, south, east, north in degrees. West is at least -180 and below 180. East is not less, so it can be above 180.
 */
export type Box = readonly [west: number, south: number, east: number, north: number]

/** Instants are milliseconds since 1970; null where none is stated. */
export type Extent = { readonly bbox: Box | null; readonly startsAt: number | null; readonly endsAt: number | null }

/**
 * Reads the stated extent. A malformed one counts as not stated.
 *
 * @param dataset tells how far apart the longitudes are
 */
export function readExtent(attributes: JsonObject, dataset?: Grid): Extent {
  const item = attributes.get('stac_discovery')
  const properties = isJsonObject(item) ? item.get('properties') : undefined
  const items = [attributes, item, properties].filter(isJsonObject)
  const box = readBox(attributes, items)
  const bbox = box && closeBox(box, dataset && countLongitudes(dataset))
  return { bbox, ...readPeriod(attributes, items) }
}

/** Each list has west, south, east and north. */
const edges = [
  ['geospatial_lon_min', 'geospatial_lat_min', 'geospatial_lon_max', 'geospatial_lat_max'],
  ['westernmost_longitude', 'southernmost_latitude', 'easternmost_longitude', 'northernmost_latitude'],
] as const

function readBox(attributes: JsonObject, items: readonly JsonObject[]): Box | null {
  for (const names of edges) {
    const box = makeBox(names.map((name) => readNumber(takeSingle(attributes.get(name)))))
    if (box !== null) return box
  }
  for (const item of items) {
    const box = readBoxOfItem(item, item !== attributes)
    if (box !== null) return box
  }
  // By ACDD, the reference system is that of GPS where none is stated.
  const crs = takeSingle(attributes.get('geospatial_bounds_crs')) ?? 'EPSG:4326'
  return makeBox(readBounds(takeSingle(attributes.get('geospatial_bounds')), crs))
}

function readBoxOfItem(item: JsonObject, isProduct: boolean): Box | null {
  for (const name of isInDegrees(item) ? ['bbox', 'spatial:bbox', 'proj:bbox'] : ['bbox']) {
    const stated = item.get(name)
    if (!isJsonArray(stated) || (stated.length !== 4 && stated.length !== 6)) continue
    const numbers = stated.map(readNumber)
    // A box of STAC may have heights: west, south, lowest, east, north, highest.
    const [west = NaN, south = NaN, east = NaN, north = NaN] =
      numbers.length === 6 ? numbers.filter((_, index) => index % 3 < 2) : numbers
    const box = makeBox([west, south, east, north])
    // Products of Sentinel state the east first. None of them covers more than half of a circle of latitude.
    const isExchanged = isProduct && west > east && box !== null && box[2] - box[0] > 180
    if (box !== null) return isExchanged ? makeBox([east, south, west, north]) : box
  }
  return null
}

/** Whether projected coordinates are longitudes and latitudes. Others are not converted. */
function isInDegrees(item: JsonObject): boolean {
  const code = takeSingle(item.get('proj:code'))
  if (code !== undefined) return code === 'EPSG:4326' || code === 'OGC:CRS84'
  return readNumber(takeSingle(item.get('proj:epsg'))) === 4326
}

/** Makes a box from west, south, east and north; null when they are not degrees. */
export function makeBox([west = NaN, south = NaN, east = NaN, north = NaN]: readonly number[]): Box | null {
  const areLongitudes = Math.abs(west) <= 360 && east >= -360 && east <= 540
  const areLatitudes = south >= -90 && south <= north && north <= 90
  if (!areLongitudes || !areLatitudes) return null
  if (east - west >= 360) return [-180, south, 180, north]
  const start = west - 360 * Math.floor((west + 180) / 360)
  return [start, south, east - 360 * Math.floor((east - start) / 360), north]
}

/** Widest gap, in degrees, between the last and the first longitude of a grid whose steps are unknown. */
const usualGap = 1

/**
 * Makes a box cover all longitudes if it leaves out only the last step of a grid around the Earth, as from 0 to 359.75.
 * A gap of up to one and a half steps counts as one, because stated numbers are rounded.
 */
function closeBox(box: Box, longitudes: number | undefined): Box {
  const [west, south, east, north] = box
  const widestGap = longitudes === undefined ? usualGap : (1.5 * (east - west)) / (longitudes - 1)
  return 360 - (east - west) <= widestGap ? [-180, south, 180, north] : box
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

/** The end of a dataset that still grows. */
const openEnd = /^(?:present|now|ongoing)$/i

/** Reads when a dataset begins and ends. A duration completes the one that is not stated. */
function readPeriod(attributes: JsonObject, items: readonly JsonObject[]): Omit<Extent, 'bbox'> {
  const list = (names: readonly string[]) => names.flatMap((name) => items.map((item) => takeSingle(item.get(name))))
  const starts = list(['time_coverage_start', 'start_datetime', 'datetime'])
  const ends = list(['time_coverage_end', 'end_datetime', 'datetime'])
  const isOpen = (value: JsonValue | undefined) => typeof value === 'string' && openEnd.test(value)
  const stated = ends.find((value) => isOpen(value) || readInstant(value, 'end') !== null)
  const startsAt = starts.map((value) => readInstant(value, 'start')).find((start) => start !== null) ?? null
  const endsAt = readInstant(stated, 'end')
  const duration = readDuration(takeSingle(attributes.get('time_coverage_duration')))
  if (duration === null || isOpen(stated)) return { startsAt, endsAt }
  return {
    startsAt: startsAt ?? (endsAt === null ? null : findStart(endsAt, duration)),
    endsAt: endsAt ?? (startsAt === null ? null : findEnd(startsAt, duration)),
  }
}

function readNumber(value: JsonValue | undefined): number {
  if (value instanceof JsonNumber) return Number(value.text)
  return typeof value === 'string' && value.length <= 30 && value.trim() !== '' ? Number(value) : NaN
}

/** Takes the value out of a list of one value. */
function takeSingle(value: JsonValue | undefined): JsonValue | undefined {
  return isJsonArray(value) && value.length === 1 ? value[0] : value
}

/** A year, month, day or instant of ISO 8601, with or without dashes and colons, and with or without a time zone. */
const instant = new RegExp(
  String.raw`^(\d{4})(?!\d\d$)(?:(-?)(\d\d)(?:\2(\d\d)` +
    String.raw`(?:[T ](\d\d):?(\d\d)(?::?(\d\d(?:\.\d{1,9})?))? ?(?:Z|UTC|([+-]\d\d):?(\d\d))?)?)?)?$`,
  'i',
)

/**
 * Reads a date or an instant; null if the value is neither. Without a time zone it is in UTC. A date without a time
 * means its first millisecond as a start, and its last one as an end.
 */
export function readInstant(value: JsonValue | undefined, edge: 'start' | 'end'): number | null {
  const text = value instanceof JsonNumber ? value.text : value
  if (typeof text !== 'string' || text.length > 64) return null
  const found = instant.exec(text.trim())
  if (found === null) return null
  const [, year, , month, day, hour, minute = '00', second = '00', zoneHour, zoneMinute = '00'] = found
  const zone = zoneHour === undefined ? 'Z' : `${zoneHour}:${zoneMinute}`
  const start = Date.parse(`${year}-${month ?? '01'}-${day ?? '01'}T${hour ?? '00'}:${minute}:${second}${zone}`)
  if (!isIsoInstant(start)) return null
  if (edge === 'start' || hour !== undefined) return start
  const end = new Date(start)
  if (day !== undefined) end.setUTCDate(end.getUTCDate() + 1)
  else if (month !== undefined) end.setUTCMonth(end.getUTCMonth() + 1)
  else end.setUTCFullYear(end.getUTCFullYear() + 1)
  return end.getTime() - 1
}
