// Reads the place and period of a dataset from its attributes, in the convention ACDD. Values that make no sense are ignored.
import { type JsonObject, JsonNumber, type JsonValue } from '@floe/storage/json'

/** A part of the Earth in degrees. `west` is larger than `east` when the part crosses the date line. */
export type Area = { readonly south: number; readonly north: number; readonly west: number; readonly east: number }

export type Period = { readonly start: Date; readonly end: Date }

export type Coverage = { readonly area: Area | undefined; readonly period: Period | undefined }

/** Reads `geospatial_lat_min` and the like, and `time_coverage_start` and `time_coverage_end`. */
export function readCoverage(attributes: JsonObject): Coverage {
  return { area: readArea(attributes), period: readPeriod(attributes) }
}

function readArea(attributes: JsonObject): Area | undefined {
  const south = readNumber(attributes.get('geospatial_lat_min'))
  const north = readNumber(attributes.get('geospatial_lat_max'))
  const west = readNumber(attributes.get('geospatial_lon_min'))
  const east = readNumber(attributes.get('geospatial_lon_max'))
  if (south === undefined || north === undefined || west === undefined || east === undefined) return undefined
  if (!(south >= -90 && north <= 90 && south <= north)) return undefined
  if (!(Math.min(west, east) >= -180 && Math.max(west, east) <= 360)) return undefined
  // Grids that wrap around often leave out the last column.
  if (east - west >= 359) return { south, north, west: -180, east: 180 }
  return { south, north, west: wrapLongitude(west), east: wrapLongitude(east) }
}

/** Longitudes may also count from 0 to 360. */
function wrapLongitude(longitude: number): number {
  return longitude > 180 ? longitude - 360 : longitude
}

/** Writers often state numbers as texts. */
function readNumber(value: JsonValue | undefined): number | undefined {
  const text = value instanceof JsonNumber ? value.text : value
  if (typeof text !== 'string' || text.length > 40) return undefined
  return /^[+-]?\d+(?:\.\d*)?(?:[eE][+-]?\d+)?$/.test(text) ? Number(text) : undefined
}

function readPeriod(attributes: JsonObject): Period | undefined {
  const start = readTime(attributes.get('time_coverage_start'))
  const end = readTime(attributes.get('time_coverage_end'))
  return start === undefined || end === undefined || start > end ? undefined : { start, end }
}

/** `1979`, `1979-01`, `1979-01-01`, `1979-01-01T00:00:00Z` and the like. A time without an offset is in UTC. */
function readTime(value: JsonValue | undefined): Date | undefined {
  const text = value instanceof JsonNumber ? value.text : value
  if (typeof text !== 'string' || text.length > 40) return undefined
  const [, date, clock, offset] =
    /^(\d{4}(?:-\d\d(?:-\d\d)?)?)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?) ?(Z|UTC|[+-]\d\d:\d\d)?)?$/.exec(text) ?? []
  if (date === undefined) return undefined
  const zone = offset === undefined || offset === 'UTC' ? 'Z' : offset
  const time = new Date(clock === undefined ? date : `${date}T${clock}${zone}`)
  return Number.isNaN(time.getTime()) ? undefined : time
}
