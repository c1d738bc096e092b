// Reads whether coordinates are longitudes and latitudes. Sources: the convention `proj` of Zarr (`proj:code`,
// `proj:wkt2`, `proj:projjson`) and the extension `projection` of STAC, which has the same and had `proj:epsg`.
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '@floe/storage/json'
import { readNumber, takeSingle } from './single-value.ts'

/**
 * Geographic systems of the Earth in degrees that data are published in. Source: EPSG Geodetic Parameter Dataset.
 * Others count as projected, so their numbers are taken for nothing.
 */
const geographic: ReadonlySet<string> = new Set([
  ...['CRS84', 'CRS84h', 'CRS83', 'CRS27'].map((code) => `OGC:${code}`),
  ...[
    4326, 4979, 9755, 9057, 9056, 7912, 9000, 9989, 9990, 4258, 4937, 4269, 4267, 4617, 6318, 6319, 4152, 4283, 7844,
    4167, 4612, 6668, 4674, 4490, 4148, 4171, 4230, 4277, 4314, 4759,
  ].map((code) => `EPSG:${code}`),
])

/**
 * Reads whether the stated reference system is in degrees; null if none is stated. A description counts before a code,
 * and the code before `proj:epsg`.
 */
export function readIsInDegrees(attributes: JsonObject): boolean | null {
  const wkt = takeSingle(attributes.get('proj:wkt2'))
  if (typeof wkt === 'string') return isGeographicText(wkt)
  const description = attributes.get('proj:projjson')
  if (isJsonObject(description)) return isGeographicObject(description)
  const code = takeSingle(attributes.get('proj:code')) ?? null
  if (code !== null) return typeof code === 'string' && geographic.has(readCode(code))
  const epsg = takeSingle(attributes.get('proj:epsg')) ?? null
  return epsg === null ? null : geographic.has(`EPSG:${readNumber(epsg)}`)
}

/** Writes `urn:ogc:def:crs:EPSG::4326` and `http://www.opengis.net/def/crs/EPSG/0/4326` as `EPSG:4326`. */
function readCode(text: string): string {
  const found =
    /^(?:urn:ogc:def:crs:|https?:\/\/www\.opengis\.net\/def\/crs\/)(\w{1,20})[:/][^:/]{0,20}[:/](\w{1,20})$/i
  const [, authority, code] = found.exec(text.trim()) ?? []
  return authority === undefined ? text.trim() : `${authority}:${code}`
}

/** Longest text that is read, in UTF-16 code units. */
const maxLength = 20_000

/**
 * Whether Well-Known Text begins a geographic system, alone or as the horizontal part of a compound one. Source: ISO
 * 19162. Systems that are derived from another one, such as rotated poles, have degrees that are no longitudes.
 */
const geographicText =
  /^\s*(?:COMPOUNDCRS\s*\[\s*"[^"]{0,200}"\s*,\s*)?(?:GEOGCRS|GEOGRAPHICCRS|GEODCRS|GEODETICCRS|GEOGCS)\s*\[/i

function isGeographicText(text: string): boolean {
  if (text.length > maxLength || !geographicText.test(text)) return false
  return /UNIT\s{0,9}\[\s{0,9}"degree/i.test(text) && !/\b(?:BASEGEOGCRS|BASEGEODCRS|CARTESIAN)\b/i.test(text)
}

function isGeographicObject(crs: JsonObject): boolean {
  const type = crs.get('type')
  const components = crs.get('components')
  if (type === 'CompoundCRS' && isJsonArray(components)) {
    const [horizontal] = components
    return isJsonObject(horizontal) && horizontal.get('type') !== 'CompoundCRS' && isGeographicObject(horizontal)
  }
  return type === 'GeographicCRS' && hasDegrees(crs.get('coordinate_system'))
}

/** Source: the schema of PROJJSON, where the unit of an axis is a text or an object with a name. */
function hasDegrees(system: JsonValue | undefined): boolean {
  const axes = isJsonObject(system) ? system.get('axis') : undefined
  const units = isJsonArray(axes) ? axes.slice(0, 2).map((axis) => (isJsonObject(axis) ? axis.get('unit') : null)) : []
  return units.length === 2 && units.every((unit) => (isJsonObject(unit) ? unit.get('name') : unit) === 'degree')
}
