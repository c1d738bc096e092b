// Reads which reference system attributes state. Sources: the convention `proj` of Zarr (`proj:code`, `proj:wkt2`,
// `proj:projjson`, before its first version in `geo.proj`), the extension `projection` of STAC, which has the same and
// had `proj:epsg`; CF 1.11 for grid mappings (`crs_wkt`); GDAL, rasterio, rioxarray, ITS_LIVE and HLS for the others.
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '@floe/storage/json'
import { readNumber, takeSingle } from '../extent/single-value.ts'
import { readProjection } from './grid-mapping.ts'
import { defineSystem, findCodeByName } from './known-systems.ts'
import type { ProjectedSystem } from './project-footprint.ts'
import { maxTextLength, readNamedSystem } from './well-known-text.ts'

/** A system in degrees of longitude and latitude, one that can be projected, or one that is not known here. */
export type ReferenceSystem = {
  /** Its code, such as `EPSG:32632`; null if none is stated. */
  readonly code: string | null
} & ({ readonly kind: 'degrees' } | ({ readonly kind: 'projected' } & ProjectedSystem) | { readonly kind: 'unknown' })

/**
 * Geographic systems of the Earth in degrees that data are published in. Source: EPSG Geodetic Parameter Dataset.
 */
const geographic: ReadonlySet<string> = new Set([
  ...['CRS84', 'CRS84h', 'CRS83', 'CRS27'].map((code) => `OGC:${code}`),
  ...[
    4326, 4979, 9755, 9057, 9056, 7912, 9000, 9989, 9990, 4258, 4937, 4269, 4267, 4617, 6318, 6319, 4152, 4283, 7844,
    4167, 4612, 6668, 4674, 4490, 4148, 4171, 4230, 4277, 4314, 4759,
  ].map((code) => `EPSG:${code}`),
])

/**
 * Reads the stated reference system; null if none is stated. A description counts before a code, and the code before
 * `proj:epsg`.
 */
export function readReferenceSystem(attributes: JsonObject): ReferenceSystem | null {
  return readByConvention(attributes) ?? readGridMapping(attributes) ?? readOther(attributes)
}

function readByConvention(attributes: JsonObject): ReferenceSystem | null {
  const geo = attributes.get('geo')
  const nested = isJsonObject(geo) ? geo.get('proj') : undefined
  const read = (name: string) =>
    attributes.get(`proj:${name}`) ?? (isJsonObject(nested) ? nested.get(name) : undefined) ?? null
  const wkt = takeSingle(read('wkt2'))
  if (typeof wkt === 'string') return readText(wkt)
  const description = read('projjson')
  if (isJsonObject(description)) return readDescription(description)
  const code = takeSingle(read('code')) ?? null
  if (code !== null) return typeof code === 'string' ? findSystem(readCode(code)) : unknown
  const epsg = takeSingle(read('epsg')) ?? null
  return epsg === null ? null : findSystem(`EPSG:${readNumber(epsg)}`)
}

/** Reads a grid mapping: by its Well-Known Text if that says a known system, else by its parameters. */
function readGridMapping(attributes: JsonObject): ReferenceSystem | null {
  const texts = ['crs_wkt', 'spatial_ref'].map((name) => takeSingle(attributes.get(name)))
  const stated = texts.filter((text) => typeof text === 'string').map(readText)
  const found = stated.find(({ kind }) => kind !== 'unknown')
  if (found !== undefined) return found
  const name = takeSingle(attributes.get('grid_mapping_name'))
  if (name === 'latitude_longitude') return { kind: 'degrees', code: null }
  const projection = readProjection(attributes)
  if (projection !== null) return { kind: 'projected', code: null, ...projection }
  return typeof name === 'string' ? unknown : (stated[0] ?? null)
}

/** Names of codes that several programs write. */
const codeNames = ['crs', 'epsg', 'epsg_code', 'EPSG_code', 'EPSG', 'spatial_epsg', 'HORIZONTAL_CS_CODE']

function readOther(attributes: JsonObject): ReferenceSystem | null {
  for (const name of codeNames) {
    const stated = takeSingle(attributes.get(name)) ?? null
    if (typeof stated === 'string') return readText(stated)
    const epsg = readNumber(stated ?? undefined)
    if (Number.isInteger(epsg)) return findSystem(`EPSG:${epsg}`)
  }
  return null
}

/** Width of the Earth in EPSG:3857, in metres. */
const widthOfWebMercator = 2 * Math.PI * 6_378_137

const unknown: ReferenceSystem = { kind: 'unknown', code: null }

function findSystem(code: string): ReferenceSystem {
  if (geographic.has(code)) return { kind: 'degrees', code }
  const [authority, digits = ''] = code.split(':')
  const definition = authority === 'EPSG' && /^\d{4,5}$/.test(digits) ? defineSystem(Number(digits)) : undefined
  if (definition === undefined) return { kind: 'unknown', code }
  return {
    kind: 'projected',
    code,
    definition,
    turn: code === 'EPSG:3857' ? widthOfWebMercator : null,
    satellite: null,
  }
}

/** Reads Well-Known Text, or a code in one of its spellings. */
function readText(text: string): ReferenceSystem {
  if (!text.includes('[')) return findSystem(readCode(text))
  // What begins otherwise is a vertical system, or one of engineers.
  const isHorizontal = text.length <= maxTextLength && /^\s{0,99}(?:GEO|PROJ|COMP|BOUND)/i.test(text)
  const system = isHorizontal ? readNamedSystem(text) : null
  if (system === null) return unknown
  if (system.isGeographic) return hasLongitudes(text) ? { kind: 'degrees', code: system.code } : unknown
  if (system.code !== null) return findSystem(system.code.toUpperCase())
  const epsg = findCodeByName(system.name)
  return epsg === null ? unknown : findSystem(`EPSG:${epsg}`)
}

/**
 * Writes `urn:ogc:def:crs:EPSG::4326`, `http://www.opengis.net/def/crs/EPSG/0/4326`, `epsg:4326`, `+init=epsg:4326` and
 * `4326` as `EPSG:4326`.
 */
function readCode(text: string): string {
  const found =
    /^(?:urn:ogc:def:crs:|https?:\/\/www\.opengis\.net\/def\/crs\/)(\w{1,20})[:/][^:/]{0,20}[:/](\w{1,20})$/i
  const [, authority, code] = found.exec(text.trim()) ?? []
  const [, digits] = /^(?:\+init=)?(?:epsg:)?(\d{4,5})$/i.exec(text.trim()) ?? []
  if (digits !== undefined) return `EPSG:${digits}`
  return authority === undefined ? text.trim() : `${authority}:${code}`
}

/**
 * Whether Well-Known Text of a geographic system is in degrees of longitude and latitude. Source: ISO 19162. Systems
 * that are derived from another one, such as rotated poles, have degrees that are no longitudes.
 */
function hasLongitudes(text: string): boolean {
  return /UNIT\s{0,9}\[\s{0,9}"degree/i.test(text) && !/\b(?:BASEGEOGCRS|BASEGEODCRS|CARTESIAN)\b/i.test(text)
}

/** Reads PROJJSON. A compound system is its horizontal part, and a bound one its source. */
function readDescription(crs: JsonObject): ReferenceSystem {
  const type = crs.get('type')
  if (type === 'CompoundCRS' || type === 'BoundCRS') {
    const components = crs.get('components')
    const part = type === 'BoundCRS' ? crs.get('source_crs') : isJsonArray(components) ? components[0] : undefined
    const isPart = isJsonObject(part) && part.get('type') !== 'CompoundCRS' && part.get('type') !== 'BoundCRS'
    return isPart ? readDescription(part) : unknown
  }
  const code = readIdentifier(crs.get('id'))
  if (type === 'GeographicCRS') return hasDegrees(crs.get('coordinate_system')) ? { kind: 'degrees', code } : unknown
  if (type !== 'ProjectedCRS') return unknown
  if (code !== null) return findSystem(code)
  const name = crs.get('name')
  const epsg = typeof name === 'string' && name.length <= 200 ? findCodeByName(name) : null
  return epsg === null ? unknown : findSystem(`EPSG:${epsg}`)
}

/** Source: the schema of PROJJSON, where a code is a number or a text. */
function readIdentifier(id: JsonValue | undefined): string | null {
  if (!isJsonObject(id)) return null
  const authority = id.get('authority')
  const code = id.get('code')
  const epsg = readNumber(code)
  if (typeof authority !== 'string' || authority.length > 20) return null
  return Number.isInteger(epsg) ? `${authority.toUpperCase()}:${epsg}` : null
}

/** Source: the schema of PROJJSON, where the unit of an axis is a text or an object with a name. */
function hasDegrees(system: JsonValue | undefined): boolean {
  const axes = isJsonObject(system) ? system.get('axis') : undefined
  const units = isJsonArray(axes) ? axes.slice(0, 2).map((axis) => (isJsonObject(axis) ? axis.get('unit') : null)) : []
  return units.length === 2 && units.every((unit) => (isJsonObject(unit) ? unit.get('name') : unit) === 'degree')
}
