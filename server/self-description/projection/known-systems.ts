// Projected reference systems that data are published in, as definitions of PROJ.

/** Source: EPSG Geodetic Parameter Dataset. */
const definitions: ReadonlyMap<number, string> = new Map([
  [3857, '+proj=merc +a=6378137 +b=6378137 +lat_ts=0 +lon_0=0 +x_0=0 +y_0=0 +k=1 +nadgrids=@null'],
  [3031, '+proj=stere +lat_0=-90 +lat_ts=-71 +lon_0=0 +x_0=0 +y_0=0 +datum=WGS84'],
  [3413, '+proj=stere +lat_0=90 +lat_ts=70 +lon_0=-45 +x_0=0 +y_0=0 +datum=WGS84'],
  [3995, '+proj=stere +lat_0=90 +lat_ts=71 +lon_0=0 +x_0=0 +y_0=0 +datum=WGS84'],
  [3035, '+proj=laea +lat_0=52 +lon_0=10 +x_0=4321000 +y_0=3210000 +ellps=GRS80 +towgs84=0,0,0'],
  [
    27700,
    '+proj=tmerc +lat_0=49 +lon_0=-2 +k=0.9996012717 +x_0=400000 +y_0=-100000 +ellps=airy ' +
      '+towgs84=446.448,-125.157,542.06,0.15,0.247,0.842,-20.489',
  ],
  [
    2056,
    '+proj=somerc +lat_0=46.9524055555556 +lon_0=7.43958333333333 +k_0=1 +x_0=2600000 +y_0=1200000 +ellps=bessel ' +
      '+towgs84=674.374,15.056,405.346',
  ],
])

/** Finds the definition of a code of EPSG; undefined for one that is not known here. */
export function defineSystem(epsg: number): string | undefined {
  const zone = epsg % 100
  const isZone = zone >= 1 && zone <= 60
  if (isZone && epsg - zone === 32_600) return `+proj=utm +zone=${zone} +datum=WGS84`
  if (isZone && epsg - zone === 32_700) return `+proj=utm +zone=${zone} +south +datum=WGS84`
  return definitions.get(epsg)
}

/** Names that Well-Known Text without a code has for these systems, folded as by {@link foldName}. */
const names: ReadonlyMap<string, number> = new Map([
  ['wgs 84 pseudo mercator', 3857],
  ['wgs 1984 web mercator auxiliary sphere', 3857],
  ['wgs 84 antarctic polar stereographic', 3031],
  ['wgs 84 nsidc sea ice polar stereographic north', 3413],
  ['wgs 84 arctic polar stereographic', 3995],
  ['etrs89 extended laea europe', 3035],
  ['etrs 1989 laea', 3035],
  ['osgb36 british national grid', 27_700],
  ['osgb 1936 british national grid', 27_700],
  ['british national grid', 27_700],
  ['ch1903 lv95', 2056],
])

/** Finds the code of EPSG of a system by its name; null for one that is not known here. */
export function findCodeByName(name: string): number | null {
  const folded = foldName(name)
  const [, zone, hemisphere] = /^wgs (?:19)?84 utm zone (\d{1,2})([ns])$/.exec(folded) ?? []
  if (zone !== undefined) return (hemisphere === 'n' ? 32_600 : 32_700) + Number(zone)
  return names.get(folded) ?? null
}

function foldName(name: string): string {
  return name
    .toLowerCase()
    .split(/[^a-z0-9]/)
    .filter((word) => word !== '')
    .join(' ')
}
