// Reads the attribute `geospatial_bounds` of ACDD: a geometry in Well-Known Text (WKT), such as
// `POLYGON ((40.26 -111.29, 41.26 -111.29, 41.26 -110.29, 40.26 -111.29))`.
import type { JsonValue } from '@floe/storage/json'

/** Longest text that is read, in UTF-16 code units. */
const maxLength = 20_000

/**
 * Reference systems in degrees, and whether their points begin with the latitude. ACDD 1.3: "EPSG:4326 coordinate
 * values are latitude (decimal degrees_north) and longitude (decimal degrees_east), in that order."
 */
const startsWithLatitude: ReadonlyMap<JsonValue, boolean> = new Map([
  ['EPSG:4326', true],
  ['EPSG:4979', true],
  ['OGC:CRS84', false],
])

type Point = { readonly latitude: number; readonly longitude: number }

type Span = readonly [from: number, to: number]

/** Reads west, south, east and north of a geometry; empty if it is malformed or not in degrees. */
export function readBounds(text: JsonValue | undefined, crs: JsonValue): readonly number[] {
  const isLatitudeFirst = startsWithLatitude.get(crs)
  if (typeof text !== 'string' || text.length > maxLength || isLatitudeFirst === undefined) return []
  const parts = readParts(text.trim(), isLatitudeFirst)
  if (parts.length === 0) return []
  const [south, north] = findSpan(parts.flat().map(({ latitude }) => latitude))
  const [west, east] = coverLongitudes(parts.map((points) => findSpan(points.map(({ longitude }) => longitude))))
  return [west, south, east, north]
}

function findSpan(values: readonly number[]): Span {
  return [Math.min(...values), Math.max(...values)]
}

const kind = /^(?:MULTI)?(?:POINT|LINESTRING|POLYGON) ?(?:Z|M|ZM)? ?(?=\()/i

/** Reads the innermost lists of points: the rings of polygons, or lines. Empty if the text is malformed. */
function readParts(text: string, isLatitudeFirst: boolean): readonly (readonly Point[])[] {
  const [head] = kind.exec(text) ?? []
  if (head === undefined || !isOneList(text.slice(head.length))) return []
  const lists = text
    .slice(head.length)
    .split(/[()]/)
    .filter((list) => list.trim() !== '' && list.trim() !== ',')
  const parts = lists.map((list) => list.split(',').map((point) => readPoint(point, isLatitudeFirst)))
  const isMalformed = parts.flat().includes(null)
  return isMalformed ? [] : parts.map((points) => points.filter((point) => point !== null))
}

/** Whether parentheses surround the text, and those inside are in pairs. */
function isOneList(text: string): boolean {
  let depth = 0
  for (const character of text.slice(0, -1)) {
    if (character === '(') depth++
    if (character === ')') depth--
    if (depth < 1) return false
  }
  return depth === 1 && text.endsWith(')')
}

/** Reads a point with two numbers, or up to four. */
function readPoint(text: string, isLatitudeFirst: boolean): Point | null {
  const numbers = text.trim().split(/\s+/).map(Number)
  const [first, second] = numbers
  if (first === undefined || second === undefined || numbers.length > 4 || !numbers.every(Number.isFinite)) return null
  return isLatitudeFirst ? { latitude: first, longitude: second } : { latitude: second, longitude: first }
}

/** Finds the shortest part of the circle that holds all these spans: it leaves out the widest gap between them. */
function coverLongitudes(spans: readonly Span[]): Span {
  const [[west, firstEast] = [NaN, NaN], ...others] = spans.toSorted(([one], [other]) => one - other)
  let east = firstEast
  let widestGap = 0
  let beyondGap: Span | undefined
  for (const [from, to] of others) {
    if (from - east > widestGap) {
      widestGap = from - east
      beyondGap = [from, east + 360]
    }
    east = Math.max(east, to)
  }
  const lastGap = west + 360 - east
  return beyondGap !== undefined && widestGap > lastGap ? beyondGap : [west, east]
}
