// Reads the parameters of grid mappings. Source: CF 1.11, appendix F.
import { isJsonArray, type JsonObject } from '@floe/storage/json'
import { readNumber, takeSingle } from '../extent/single-value.ts'
import type { Satellite } from './horizon.ts'
import type { ProjectedSystem } from './project-footprint.ts'

/** The parameters of a mapping as PROJ has them; NaN stands for one that is not stated. */
type Parameters = { readonly [Name in string]?: number | string | undefined }

const mappings: ReadonlyMap<string, (read: (name: string) => number, attributes: JsonObject) => Parameters> = new Map([
  ['lambert_conformal_conic', defineLambertConformal],
  ['lambert_azimuthal_equal_area', defineLambertAzimuthal],
  ['polar_stereographic', definePolarStereographic],
  ['rotated_latitude_longitude', defineRotatedPole],
  ['mercator', defineMercator],
  ['transverse_mercator', defineTransverseMercator],
  ['geostationary', defineGeostationary],
])

/** Reads the projection of a grid mapping; null if it is not known here, or its parameters are not stated. */
export function readProjection(attributes: JsonObject): ProjectedSystem | null {
  const name = takeSingle(attributes.get('grid_mapping_name'))
  const define = typeof name === 'string' ? mappings.get(name) : undefined
  if (define === undefined) return null
  const read = (parameter: string) => readNumber(takeSingle(attributes.get(parameter)))
  const figure = name === 'transverse_mercator' ? flatten(readFigure(read)) : readFigure(read)
  const parameters: Parameters = { ...define(read, attributes), ...readOffsets(read), ...figure }
  const isComplete = Object.values(parameters).every((value) => typeof value !== 'number' || Number.isFinite(value))
  if (!isComplete) return null
  const written = Object.entries(parameters).map(([parameter, value]) => `+${parameter}=${value}`)
  const definition = [...written, ...readDatum(attributes)].join(' ')
  return { definition, turn: findTurn(parameters), satellite: findSatellite(parameters) }
}

/** In degrees for a rotated pole, in metres for Mercator's projection. */
function findTurn({ proj, a, b, rf, k_0: scale, lat_ts: parallel }: Parameters): number | null {
  if (proj === 'ob_tran') return 360
  if (proj !== 'merc') return null
  const latitude = (Number(parallel ?? 0) * Math.PI) / 180
  const eccentricity = Math.sqrt(1 - (findPolarRadius({ a, b, rf }) / Number(a)) ** 2)
  const atParallel = Math.cos(latitude) / Math.sqrt(1 - (eccentricity * Math.sin(latitude)) ** 2)
  return 2 * Math.PI * Number(a) * (parallel === undefined ? Number(scale) : atParallel)
}

function findSatellite({ proj, a, b, rf, h, lon_0: longitude, sweep }: Parameters): Satellite | null {
  if (proj !== 'geos') return null
  const polar = findPolarRadius({ a, b, rf })
  return { equatorial: Number(a), polar, height: Number(h), longitude: Number(longitude), sweep: String(sweep) }
}

function findPolarRadius({ a, b, rf }: Parameters): number {
  return b === undefined ? Number(a) * (1 - 1 / Number(rf)) : Number(b)
}

function defineLambertConformal(read: (name: string) => number, attributes: JsonObject): Parameters {
  const stated = attributes.get('standard_parallel')
  const [first = NaN, second = first] = isJsonArray(stated) ? stated.map(readNumber) : [readNumber(stated)]
  const origin = { lat_0: read('latitude_of_projection_origin'), lon_0: read('longitude_of_central_meridian') }
  return { proj: 'lcc', lat_1: first, lat_2: second, ...origin }
}

function defineLambertAzimuthal(read: (name: string) => number): Parameters {
  return { proj: 'laea', lat_0: read('latitude_of_projection_origin'), lon_0: read('longitude_of_projection_origin') }
}

function definePolarStereographic(read: (name: string) => number): Parameters {
  const pole = read('latitude_of_projection_origin')
  const meridian = orElse(read('straight_vertical_longitude_from_pole'), read('longitude_of_projection_origin'))
  const parallel = read('standard_parallel')
  const trueScale = Number.isNaN(parallel)
    ? { k_0: orElse(read('scale_factor_at_projection_origin'), 1) }
    : // The sign of a parallel that is stated without one is that of the pole.
      { lat_ts: Math.sign(pole) * Math.abs(parallel) }
  return { proj: 'stere', lat_0: Math.abs(pole) === 90 ? pole : NaN, lon_0: meridian, ...trueScale }
}

function defineRotatedPole(read: (name: string) => number): Parameters {
  return {
    proj: 'ob_tran',
    o_proj: 'longlat',
    o_lat_p: read('grid_north_pole_latitude'),
    o_lon_p: orElse(read('north_pole_grid_longitude'), 0),
    lon_0: 180 + read('grid_north_pole_longitude'),
  }
}

function defineMercator(read: (name: string) => number): Parameters {
  const parallel = read('standard_parallel')
  const trueScale = Number.isNaN(parallel)
    ? { k_0: orElse(read('scale_factor_at_projection_origin'), 1) }
    : { lat_ts: parallel }
  return { proj: 'merc', lon_0: orElse(read('longitude_of_projection_origin'), 0), ...trueScale }
}

function defineTransverseMercator(read: (name: string) => number): Parameters {
  return {
    proj: 'tmerc',
    lat_0: read('latitude_of_projection_origin'),
    lon_0: read('longitude_of_central_meridian'),
    k_0: orElse(read('scale_factor_at_central_meridian'), 1),
  }
}

function defineGeostationary(read: (name: string) => number, attributes: JsonObject): Parameters {
  const sweep = takeSingle(attributes.get('sweep_angle_axis'))
  const isSweepOfX = sweep === 'x' || (sweep !== 'y' && takeSingle(attributes.get('fixed_angle_axis')) === 'y')
  return {
    proj: 'geos',
    // `proj4` moves no such image.
    h: isMoved(read) ? NaN : read('perspective_point_height'),
    lon_0: read('longitude_of_projection_origin'),
    sweep: isSweepOfX ? 'x' : 'y',
  }
}

function isMoved(read: (name: string) => number): boolean {
  const moves = ['false_easting', 'false_northing', 'longitude_of_prime_meridian', 'latitude_of_projection_origin']
  return moves.some((name) => orElse(read(name), 0) !== 0)
}

function readOffsets(read: (name: string) => number): Parameters {
  return { x_0: orElse(read('false_easting'), 0), y_0: orElse(read('false_northing'), 0) }
}

/** Reads the figure of the Earth: that of WGS 84 where none is stated. */
function readFigure(read: (name: string) => number): Parameters {
  const major = orElse(read('semi_major_axis'), read('earth_radius'))
  if (Number.isNaN(major)) return { a: 6_378_137, rf: 298.257_223_563 }
  const minor = read('semi_minor_axis')
  const flattening = read('inverse_flattening')
  // Spheres have no flattening, whose inverse is written as 0.
  if (!Number.isNaN(minor)) return { a: major, b: minor }
  return flattening > 0 ? { a: major, rf: flattening } : { a: major, b: major }
}

/**
 * Makes an ellipsoid of a sphere, which differs by less than 0.01 millimetres: `proj4` has the transverse projection
 * of Mercator for ellipsoids, and a less exact one for spheres.
 */
function flatten(figure: Parameters): Parameters {
  return figure.b === figure.a ? { a: figure.a, rf: 1e12 } : figure
}

/** Reads the shift to WGS 84 and the prime meridian. */
function readDatum(attributes: JsonObject): readonly string[] {
  const stated = attributes.get('towgs84')
  const shift = isJsonArray(stated) ? stated.map(readNumber) : []
  const hasShift = (shift.length === 3 || shift.length === 7) && shift.every(Number.isFinite)
  const meridian = readNumber(takeSingle(attributes.get('longitude_of_prime_meridian')))
  return [
    ...(hasShift ? [`+towgs84=${shift.join(',')}`] : []),
    ...(Number.isFinite(meridian) && meridian !== 0 ? [`+pm=${meridian}`] : []),
  ]
}

function orElse(value: number, other: number): number {
  return Number.isNaN(value) ? other : value
}
