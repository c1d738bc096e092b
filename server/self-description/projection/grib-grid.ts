// Reads where the keys of a message of GRIB place its grid, as cfgrib writes them into attributes. Sources: ecCodes,
// grid definition templates 0, 30 and 40 of GRIB 2; the attributes `GRIB_` of cfgrib.
import type { JsonObject } from '@floe/storage/json'
import { makeBox, type StatedBox } from '../extent/box.ts'
import { readNumber } from '../extent/single-value.ts'
import type { Footprint } from './footprint.ts'
import { readProjection } from './grid-mapping.ts'
import { openProjection } from './projection.ts'
import type { ReferenceSystem } from './reference-system.ts'

/** Where the grid is: in degrees, or in a projection. */
type GribGrid = {
  readonly box: StatedBox | null
  readonly footprint: Footprint | null
  readonly system: ReferenceSystem | null
}

const types: ReadonlySet<unknown> = new Set(['regular_ll', 'regular_gg', 'reduced_ll', 'reduced_gg'])

/** Reads the grid; null if none is stated. */
export function readGribGrid(attributes: JsonObject): GribGrid | null {
  const type = attributes.get('GRIB_gridType')
  const read = (key: string) => readNumber(attributes.get(`GRIB_${key}`))
  if (type === 'lambert') return readLambert(read)
  return types.has(type) ? { box: readDegrees(read), footprint: null, system: null } : null
}

const first = { latitude: 'latitudeOfFirstGridPointInDegrees', longitude: 'longitudeOfFirstGridPointInDegrees' }
const last = { latitude: 'latitudeOfLastGridPointInDegrees', longitude: 'longitudeOfLastGridPointInDegrees' }

function readDegrees(read: (key: string) => number): StatedBox | null {
  const latitudes = [read(first.latitude), read(last.latitude)]
  const longitudes = [read(first.longitude), read(last.longitude)]
  const [west = NaN, east = NaN] = read('iScansNegatively') === 1 ? longitudes.toReversed() : longitudes
  const box = makeBox([west, Math.min(...latitudes), east, Math.max(...latitudes)])
  return box && { box, attribute: `GRIB_${first.latitude}` }
}

/** Radius of the Earth in the models of NCEP and in GRIB's shape 6, in metres. cfgrib leaves out the shape. */
const radius = '6371229'

function readLambert(read: (key: string) => number): GribGrid | null {
  const parallels = ['Latin1InDegrees', 'Latin2InDegrees'].map((key) => String(read(key)))
  const projected = readProjection(
    new Map<string, string | string[]>([
      ['grid_mapping_name', 'lambert_conformal_conic'],
      ['standard_parallel', parallels],
      ['latitude_of_projection_origin', String(read('LaDInDegrees'))],
      ['longitude_of_central_meridian', String(read('LoVInDegrees'))],
      ['earth_radius', radius],
    ]),
  )
  const projection = projected && openProjection(projected.definition)
  const corner = projection?.toPlane([read(first.longitude), read(first.latitude)])
  const [x, y] = [read('DxInMetres'), read('DyInMetres')]
  const [rows, columns] = [read('Ny'), read('Nx')]
  if (!projected || !corner || !(x > 0 && y > 0 && rows > 0 && columns > 0)) return null
  const across = read('iScansNegatively') === 1 ? -x : x
  const down = read('jScansPositively') === 1 ? y : -y
  const footprint = {
    kind: 'grid',
    transform: [across, 0, corner[0], 0, down, corner[1]],
    shape: [rows, columns],
    isOfNodes: true,
    attribute: `GRIB_${first.latitude}`,
  } as const
  return { box: null, footprint, system: { kind: 'projected', code: null, ...projected } }
}
