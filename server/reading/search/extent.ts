// Reads where and when the data of a dataset lies, from its attributes. Source of the names: Attribute Convention for Data Discovery 1.3
// (`geospatial_*`, `time_coverage_*`), and the members `proj:bbox`, `bbox`, `start_datetime`, `end_datetime` and `datetime` of GeoZarr and STAC.
import { isJsonArray, JsonNumber, type JsonObject, type JsonValue } from '@floe/storage/json'

/** West, south, east, north in degrees. East is not less than west, so it can be above 180. */
export type Box = readonly [west: number, south: number, east: number, north: number]

/** Instants are milliseconds since 1970; null where none is stated. */
export type Extent = { readonly bbox: Box | null; readonly startsAt: number | null; readonly endsAt: number | null }

/** Reads the stated extent. A malformed one counts as not stated. */
export function readExtent(attributes: JsonObject): Extent {
  const at = attributes.get('datetime')
  return {
    bbox: readBox(attributes),
    startsAt: readInstant(attributes.get('time_coverage_start') ?? attributes.get('start_datetime') ?? at, 'start'),
    endsAt: readInstant(attributes.get('time_coverage_end') ?? attributes.get('end_datetime') ?? at, 'end'),
  }
}

const edges = ['geospatial_lon_min', 'geospatial_lat_min', 'geospatial_lon_max', 'geospatial_lat_max'] as const

function readBox(attributes: JsonObject): Box | null {
  const stated = attributes.get('bbox') ?? (isInDegrees(attributes) ? attributes.get('proj:bbox') : undefined)
  const numbers = edges.some((name) => attributes.has(name))
    ? edges.map((name) => attributes.get(name))
    : isJsonArray(stated)
      ? stated
      : []
  // A box of STAC may have heights: west, south, lowest, east, north, highest.
  const flat = numbers.length === 6 ? [0, 1, 3, 4].map((place) => numbers[place]) : numbers
  return flat.length === 4 ? makeBox(flat.map(readNumber)) : null
}

const geographic: ReadonlySet<unknown> = new Set(['EPSG:4326', 'OGC:CRS84'])

function isInDegrees(attributes: JsonObject): boolean {
  return geographic.has(attributes.get('proj:code'))
}

/** Makes a box from west, south, east and north; null when they are not degrees. */
export function makeBox([west = NaN, south = NaN, east = NaN, north = NaN]: readonly number[]): Box | null {
  const areDegrees = Math.abs(west) <= 360 && Math.abs(east) <= 360 && Math.abs(south) <= 90 && Math.abs(north) <= 90
  if (!areDegrees || south > north) return null
  return [west, south, east < west ? east + 360 : east, north]
}

function readNumber(value: JsonValue | undefined): number {
  if (value instanceof JsonNumber) return Number(value.text)
  return typeof value === 'string' && value.length <= 30 && value.trim() !== '' ? Number(value) : NaN
}

/** A year, month, day or instant of ISO 8601, with or without a time zone. */
const instant =
  /^(\d{4})(?:-(\d\d)(?:-(\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?) ?(?:Z|UTC|([+-]\d\d):?(\d\d))?)?)?)?$/i

/**
 * Reads a date or an instant; null when it is none. Without a time zone it is in UTC. A date without a time is its first millisecond as a
 * start, and its last one as an end.
 */
export function readInstant(value: JsonValue | undefined, edge: 'start' | 'end'): number | null {
  if (typeof value !== 'string' || value.length > 64) return null
  const [matched, year, month, day, time, hours, minutes = '00'] = instant.exec(value.trim()) ?? []
  if (matched === undefined) return null
  const zone = hours === undefined ? 'Z' : `${hours}:${minutes}`
  const start = Date.parse(`${year}-${month ?? '01'}-${day ?? '01'}T${time ?? '00:00'}${zone}`)
  if (Number.isNaN(start)) return null
  if (edge === 'start' || time !== undefined) return start
  const end = new Date(start)
  if (day !== undefined) end.setUTCDate(end.getUTCDate() + 1)
  else if (month !== undefined) end.setUTCMonth(end.getUTCMonth() + 1)
  else end.setUTCFullYear(end.getUTCFullYear() + 1)
  return end.getTime() - 1
}
