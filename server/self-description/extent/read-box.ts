// Reads the box that the attributes of one group or variable state.
import {
  DocumentAllowance,
  DocumentsTooLargeError,
  isJsonArray,
  isJsonObject,
  type JsonObject,
  JsonSyntaxError,
  type JsonValue,
  parseJson,
} from '@floe/storage/json'
import { edgeSpellings, polygonSpellings } from '../spellings.ts'
import { type Box, makeBox, type StatedBox } from './box.ts'
import { type Edges, readEdges } from './edges.ts'
import { readBounds } from './geospatial-bounds.ts'
import { readNumber, takeSingle } from './single-value.ts'
import { listItems } from './stac-items.ts'

/** Reads the box in degrees that a group states; null where none is stated, and for numbers that cannot be degrees. */
export function readBoxOfGroup(attributes: JsonObject): StatedBox | null {
  const edges = readBoxOfEdges(attributes)
  if (edges !== null) return edges
  for (const { attributes: item, path } of listItems(attributes)) {
    const stated = readEdges(item.get('bbox'))
    const box = stated && makeStatedBox(stated, path !== '')
    if (box !== null) return { box, attribute: `${path}bbox` }
  }
  return readRequestedArea(attributes)
}

/** Reads the area of the request of a set of anemoi-datasets, in the order of MARS: north, west, south, east. */
function readRequestedArea(attributes: JsonObject): StatedBox | null {
  const request = attributes.get('data_request')
  const [north = NaN, west = NaN, south = NaN, east = NaN] =
    (isJsonObject(request) ? readEdges(request.get('area')) : null) ?? []
  const box = makeBox([west, south, east, north])
  return box && { box, attribute: 'data_request.area' }
}

/** Reads the box of a geometry: the least exact form. */
export function readBoxOfGeometry(attributes: JsonObject): StatedBox | null {
  // By ACDD, the reference system is that of GPS where none is stated.
  const crs = takeSingle(attributes.get('geospatial_bounds_crs')) ?? 'EPSG:4326'
  const box = makeBox(readBounds(takeSingle(attributes.get('geospatial_bounds')), crs))
  return box === null ? readPolygon(attributes) : { box, attribute: 'geospatial_bounds' }
}

/**
 * Makes a box of stated edges; null if they cannot be degrees.
 *
 * @param isOfProduct whether a product of Sentinel states them
 */
export function makeStatedBox([west, south, east, north]: Edges, isOfProduct: boolean): Box | null {
  const box = makeBox([west, south, east, north])
  // Products of Sentinel state the east first. None of them covers more than half of a circle of latitude.
  const isSwapped = isOfProduct && west > east && box !== null && box[2] - box[0] > 180
  return isSwapped ? makeBox([east, south, west, north]) : box
}

/** Reads a box that four attributes state, which may be those of a variable. */
export function readBoxOfEdges(attributes: JsonObject): StatedBox | null {
  for (const { edges, units = [] } of edgeSpellings) {
    if (!units.every((name) => isUnitOfDegrees(takeSingle(attributes.get(name))))) continue
    const box = makeBox(edges.map((name) => readNumber(takeSingle(attributes.get(name)))))
    if (box !== null) return { box, attribute: edges[0] }
  }
  return null
}

/** Usual spellings are `degrees_east`, `Decimal Degrees` and `°`. Without one, ACDD assumes degrees. */
function isUnitOfDegrees(units: JsonValue | undefined): boolean {
  return typeof units !== 'string' || units.trim() === '' || /deg|°/i.test(units)
}

/** Longest text of a polygon, in UTF-16 code units. */
const maxPolygonLength = 20_000

/** Reads a polygon as a list of points, or as the text of one. */
function readPolygon(attributes: JsonObject): StatedBox | null {
  for (const { name } of polygonSpellings) {
    const stated = attributes.get(name)
    const points = typeof stated === 'string' ? parsePoints(stated) : stated
    if (!isJsonArray(points) || points.length === 0 || points.length > maxPolygonLength) continue
    const pairs = points.map((point) => (isJsonArray(point) && point.length === 2 ? point.map(readNumber) : []))
    const longitudes = unwrap(pairs.map(([longitude = NaN]) => longitude))
    const latitudes = pairs.map(([, latitude = NaN]) => latitude)
    const edges = [Math.min(...longitudes), Math.min(...latitudes), Math.max(...longitudes), Math.max(...latitudes)]
    const box = makeBox(edges)
    if (box !== null) return { box, attribute: name }
  }
  return null
}

function parsePoints(text: string): JsonValue | undefined {
  if (text.length > maxPolygonLength) return undefined
  try {
    return parseJson(Buffer.from(text), new DocumentAllowance({ maxDepth: 2 }))
  } catch (error) {
    if (error instanceof JsonSyntaxError || error instanceof DocumentsTooLargeError) return undefined
    throw error
  }
}

/** Goes from point to point the short way, because a polygon can cross the 180th meridian. */
function unwrap(longitudes: readonly number[]): readonly number[] {
  let last: number | undefined
  return longitudes.map((longitude) => {
    last = last === undefined ? longitude : longitude - 360 * Math.round((longitude - last) / 360)
    return last
  })
}
