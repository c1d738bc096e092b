// Projections, by the package `proj4`. It is loaded when the first one is opened: most datasets need none.
import { createRequire } from 'node:module'
import type Proj4 from 'proj4'

/** A point in the plane, or a longitude and a latitude in degrees. */
export type Point = readonly [x: number, y: number]

/** Between the plane and the Earth. Points that have no place on the other side are null. */
export type Projection = {
  readonly toEarth: (point: Point) => Point | null
  readonly toPlane: (point: Point) => Point | null
}

const require = createRequire(import.meta.url)
let loaded: typeof Proj4 | undefined

/** Opens a projection; null if its parameters make none. */
export function openProjection(definition: string): Projection | null {
  loaded ??= require('proj4') as typeof Proj4 // what the package exports to CommonJS
  try {
    const converter = loaded(definition, 'WGS84')
    return {
      toEarth: (point) => toPoint(() => converter.forward([...point])),
      toPlane: (point) => toPoint(() => converter.inverse([...point])),
    }
  } catch {
    return null
  }
}

/** `proj4` throws texts and errors for points outside of a projection, or makes numbers that are not finite. */
function toPoint(convert: () => readonly number[]): Point | null {
  try {
    const [x = NaN, y = NaN] = convert()
    return Number.isFinite(x) && Number.isFinite(y) ? [x, y] : null
  } catch {
    return null
  }
}
