// Finds the box of longitudes and latitudes that holds an area of a projection.
import type { Box } from '../extent/box.ts'
import { makeBox } from '../extent/box.ts'
import { isInside, type Parallelogram, placePoint } from './footprint.ts'
import { type Satellite, traceHorizon } from './horizon.ts'
import { openProjection, type Point, type Projection } from './projection.ts'
import { joinSpans, type Span, traceCurve } from './trace-curve.ts'

/** Samples of each side, and of the horizon of a satellite. */
const stepsOfSide = 48
const stepsOfHorizon = 256

/** How far from 360 degrees the box of all longitudes may be. */
const closedWithin = 1e-6

export type ProjectedSystem = {
  /** For PROJ. */
  readonly definition: string
  /** Width of the Earth in a plane that repeats itself to the east and west; null for another one. */
  readonly turn: number | null
  readonly satellite: Satellite | null
}

/**
 * Finds the box. Null if a part of the area has no place on the Earth, unless it is beyond the horizon of a satellite.
 */
export function projectFootprint(stated: Parallelogram, { definition, turn, satellite }: ProjectedSystem): Box | null {
  const projection = openProjection(definition)
  const area = satellite === null ? stated : measureAngles(stated, satellite)
  if (projection === null || (satellite === null && !isOneToOne(area, projection, turn))) return null
  const traced = traceSides(area, projection, satellite)
  if (traced === null) return null
  const { span, isAround } = traced
  const [west, south, east, north] = span
  const poles = satellite === null ? [-90, 90].filter((pole) => hasPole(area, projection, turn, pole)) : []
  const latitudes = [south, north, ...poles]
  const isWhole = isAround || poles.length > 0 || 360 - (east - west) <= closedWithin
  const start = west - 360 * Math.floor((west + 180) / 360)
  const [from, to] = isWhole ? [-180, 180] : [start, start + (east - west)]
  return makeBox([from, Math.max(-90, Math.min(...latitudes)), to, Math.min(90, Math.max(...latitudes))])
}

/** Goes around the area. `isAround` says whether that went around the Earth too. */
function traceSides(
  area: Parallelogram,
  projection: Projection,
  satellite: Satellite | null,
): { readonly span: Span; readonly isAround: boolean } | null {
  const start = satellite?.longitude ?? projection.toEarth(area.corner)?.[0]
  if (start === undefined) return null
  const spans: Span[] = []
  let near = start
  for (const [fromU, fromV, toU, toV] of sides) {
    const curve = (along: number) =>
      projection.toEarth(placePoint(area, fromU + along * (toU - fromU), fromV + along * (toV - fromV)))
    const traced = traceCurve(curve, stepsOfSide, near)
    if (satellite === null && traced?.isWhole !== true) return null
    if (traced !== null) spans.push(traced.span)
    near = traced?.lastLongitude ?? near
  }
  if (satellite === null) return { span: joinSpans(spans), isAround: Math.abs(near - start) > 180 }
  const horizon = traceCurve(traceHorizon(satellite, area), stepsOfHorizon, satellite.longitude)
  const all = horizon === null ? spans : [...spans, horizon.span]
  return all.length === 0 ? null : { span: joinSpans(all), isAround: false }
}

/** Turns angles of a scanner, in radians, into the metres that PROJ has for them. No satellite sees only a metre. */
function measureAngles(area: Parallelogram, { height }: Satellite): Parallelogram {
  const corners = sides.map(([u, v]) => placePoint(area, u, v))
  if (Math.max(...corners.flat().map(Math.abs)) > 1) return area
  const scale = ([x, y]: Point): Point => [x * height, y * height]
  return { corner: scale(area.corner), across: scale(area.across), down: scale(area.down) }
}

/** From corner to corner, around the area. */
const sides = [
  [0, 0, 1, 0],
  [1, 0, 1, 1],
  [1, 1, 0, 1],
  [0, 1, 0, 0],
] as const

/** Whether corners and centre come back from the Earth to where they were, but for the rounding of the projection. */
function isOneToOne(area: Parallelogram, projection: Projection, turn: number | null): boolean {
  const size = Math.hypot(...area.across) + Math.hypot(...area.down)
  return [...sides, [0.5, 0.5] as const].every(([u, v]) => {
    const [x, y] = placePoint(area, u, v)
    const earth = projection.toEarth([x, y])
    const back = earth && projection.toPlane(earth)
    const tolerance = 1e-3 * size + 1e-6 * Math.hypot(x, y)
    return back !== null && listTurns(back, turn).some((one) => Math.hypot(one[0] - x, one[1] - y) <= tolerance)
  })
}

function hasPole(area: Parallelogram, projection: Projection, turn: number | null, latitude: number): boolean {
  const pole = projection.toPlane([0, latitude])
  return pole !== null && listTurns(pole, turn).some((point) => isInside(area, point))
}

/** A point of the plane, and the same place one turn to the west and one to the east. */
function listTurns([x, y]: Point, turn: number | null): readonly Point[] {
  return turn === null ? [[x, y]] : [-turn, 0, turn].map((width) => [x + width, y] as const)
}
