// Reads the area of a grid in the coordinates of its reference system. Sources: the convention `spatial` of Zarr, the
// extension `projection` of STAC, and for `GeoTransform` the drivers of GDAL for netCDF and Zarr.
import { isJsonArray, type JsonObject, type JsonValue } from '@floe/storage/json'
import { type Edges, readEdges } from '../extent/edges.ts'
import { readNumber, takeSingle } from '../extent/single-value.ts'
import type { DecodedVariable } from '../../xarray/dataset.ts'
import type { Point } from './projection.ts'

/** The six numbers of `x = a * column + b * row + c` and `y = d * column + e * row + f`. */
type Transform = readonly [a: number, b: number, c: number, d: number, e: number, f: number]

/** Numbers of rows and columns. */
export type Shape = readonly [rows: number, columns: number]

/** A stated area: a box, or a grid that a transform places; and the attribute that states it. */
export type Footprint = { readonly attribute: string } & (
  | {
      readonly kind: 'box'
      readonly edges: Edges
      /** Whether a product of Sentinel states it in its item of STAC: some have the east first. */
      readonly isOfProduct: boolean
    }
  | {
      readonly kind: 'grid'
      readonly transform: Transform
      readonly shape: Shape
      /** Whether the transform gives the centres of cells, as that of nodes does. */
      readonly isOfNodes: boolean
    }
)

/** A parallelogram: a corner, and the sides that begin there. */
export type Parallelogram = { readonly corner: Point; readonly across: Point; readonly down: Point }

/**
 * Reads what attributes state: a box, else a grid; null if there is neither.
 *
 * @param sizes rows and columns of the array, for a transform without its shape
 */
export function readFootprint(attributes: JsonObject, sizes: Shape | null, isOfProduct = false): Footprint | null {
  for (const attribute of ['spatial:bbox', 'proj:bbox']) {
    const edges = readEdges(attributes.get(attribute))
    // Programs write zeros where they know no box.
    if (edges?.some((edge) => edge !== 0)) return { kind: 'box', edges, isOfProduct, attribute }
  }
  const type = attributes.get('spatial:transform_type') ?? 'affine'
  const isOfNodes = attributes.get('spatial:registration') === 'node'
  const shape = readShape(attributes.get('spatial:shape')) ?? readShape(attributes.get('proj:shape')) ?? sizes
  const names = [
    ...(type === 'affine' ? ['spatial:transform'] : []),
    'proj:transform',
    // As rasterio has it, beside `crs`.
    ...(attributes.has('crs') ? ['transform'] : []),
  ]
  for (const attribute of names) {
    const transform = readTransform(attributes.get(attribute))
    if (transform !== null && shape !== null) return { kind: 'grid', transform, shape, isOfNodes, attribute }
  }
  const ofGdal = readGeoTransform(attributes.get('GeoTransform'))
  if (ofGdal === null || sizes === null) return readCorner(attributes)
  return { kind: 'grid', transform: ofGdal, shape: sizes, isOfNodes: false, attribute: 'GeoTransform' }
}

/** Reads the corner, the numbers of cells and their size. Source: HLS Product User Guide 2.0. */
function readCorner(attributes: JsonObject): Footprint | null {
  const names = ['ULX', 'ULY', 'NROWS', 'NCOLS', 'SPATIAL_RESOLUTION']
  const [x = NaN, y = NaN, rows = NaN, columns = NaN, size = NaN] = names.map((name) =>
    readNumber(takeSingle(attributes.get(name))),
  )
  const isStated =
    Number.isFinite(x + y) && rows > 0 && columns > 0 && size > 0 && Number.isFinite(rows * columns * size)
  const transform = [size, 0, x, 0, -size, y] as const
  return isStated ? { kind: 'grid', transform, shape: [rows, columns], isOfNodes: false, attribute: 'ULX' } : null
}

/** Reads six numbers, or nine: the last row of the matrix says nothing. */
function readTransform(stated: JsonValue | undefined): Transform | null {
  if (!isJsonArray(stated) || (stated.length !== 6 && stated.length !== 9)) return null
  const [a = NaN, b = NaN, c = NaN, d = NaN, e = NaN, f = NaN] = stated.map(readNumber)
  return [a, b, c, d, e, f].every(Number.isFinite) ? [a, b, c, d, e, f] : null
}

/** Longest text of a transform, in UTF-16 code units. */
const maxTransformLength = 300

/** Reads six numbers in the order of GDAL, as a text or a list. */
function readGeoTransform(stated: JsonValue | undefined): Transform | null {
  const value = takeSingle(stated)
  const isShort = typeof value === 'string' && value.length <= maxTransformLength
  const parts = isShort ? value.split(/[\s,]/).filter((part) => part !== '') : isJsonArray(value) ? value : []
  const [c = NaN, a = NaN, b = NaN, f = NaN, d = NaN, e = NaN, ...rest] = parts.slice(0, 7).map(readNumber)
  return rest.length === 0 && [a, b, c, d, e, f].every(Number.isFinite) ? [a, b, c, d, e, f] : null
}

function readShape(stated: JsonValue | undefined): Shape | null {
  const [rows = NaN, columns = NaN] = isJsonArray(stated) ? stated.slice(-2).map(readNumber) : []
  return rows > 0 && columns > 0 && Number.isFinite(rows * columns) ? [rows, columns] : null
}

const columnNames: ReadonlySet<string | null> = new Set(['x', 'X', 'lon', 'longitude', 'easting', 'rlon', 'xc'])
const rowNames: ReadonlySet<string | null> = new Set(['y', 'Y', 'lat', 'latitude', 'northing', 'rlat', 'yc'])

/**
 * Reads how many rows and columns a variable has: those of dimensions with usual names, else its last two; null if it
 * has fewer.
 */
export function readSizes({ dimensions, shape }: Pick<DecodedVariable, 'dimensions' | 'shape'>): Shape | null {
  const named = [rowNames, columnNames].map((names) => dimensions.findIndex((name) => names.has(name)))
  const axes = named.includes(-1) ? findLastAxes(dimensions, shape.length) : named
  const [rows = 0, columns = 0] = axes.map((axis) => Number(shape[axis] ?? 0n))
  return rows === 0 || columns === 0 ? null : [rows, columns]
}

function findLastAxes(dimensions: DecodedVariable['dimensions'], count: number): readonly number[] {
  const [before = null, last = null] = dimensions.slice(-2)
  return columnNames.has(before) && !columnNames.has(last) ? [count - 1, count - 2] : [count - 2, count - 1]
}

/** Finds the area that a footprint covers: to the outer edges of cells, but between the centres of nodes. */
export function spanFootprint(footprint: Footprint): Parallelogram {
  if (footprint.kind === 'box') {
    const [west, south, east, north] = footprint.edges
    return { corner: [west, south], across: [east - west, 0], down: [0, north - south] }
  }
  const { transform, shape, isOfNodes } = footprint
  const [a, b, c, d, e, f] = transform
  const [rows, columns] = shape.map((size) => (isOfNodes ? size - 1 : size)) as [number, number] // as many as before
  return { corner: [c, f], across: [a * columns, d * columns], down: [b * rows, e * rows] }
}

/** A point of a parallelogram; `u` and `v` are 0 to 1 inside. */
export function placePoint({ corner, across, down }: Parallelogram, u: number, v: number): Point {
  return [corner[0] + u * across[0] + v * down[0], corner[1] + u * across[1] + v * down[1]]
}

/** Whether a point is inside, not on an edge. */
export function isInside({ corner, across, down }: Parallelogram, [x, y]: Point): boolean {
  const area = across[0] * down[1] - across[1] * down[0]
  const [east, north] = [x - corner[0], y - corner[1]]
  const u = (east * down[1] - north * down[0]) / area
  const v = (across[0] * north - across[1] * east) / area
  return u > 0 && u < 1 && v > 0 && v < 1
}
