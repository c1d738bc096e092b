// The edge of the Earth as a geostationary satellite sees it.
import { isInside, type Parallelogram } from './footprint.ts'
import type { Curve } from './trace-curve.ts'

/** What the horizon follows from: the figure of the Earth, and the satellite. */
export type Satellite = {
  /** Radii of the Earth at the equator and at the poles, in metres. */
  readonly equatorial: number
  readonly polar: number
  /** Height above the surface, in metres. */
  readonly height: number
  readonly longitude: number
  /** The axis of the scanner that moves first. */
  readonly sweep: string
}

/**
 * The horizon as a curve: the points where a line of sight touches the ellipsoid. Those outside of an area of the plane
 * are null. The axes begin in the centre of the Earth; x goes to the satellite, z to the north pole.
 */
export function traceHorizon({ equatorial, polar, height, longitude, sweep }: Satellite, area: Parallelogram): Curve {
  const distance = equatorial + height
  const x = equatorial ** 2 / distance
  const radius = Math.sqrt(1 - (equatorial / distance) ** 2)
  return (along) => {
    const y = equatorial * radius * Math.cos(2 * Math.PI * along)
    const z = polar * radius * Math.sin(2 * Math.PI * along)
    const away = distance - x
    const [east, north] =
      sweep === 'x'
        ? [Math.atan(y / Math.hypot(z, away)), Math.atan(z / away)]
        : [Math.atan(y / away), Math.atan(z / Math.hypot(y, away))]
    if (!isInside(area, [east * height, north * height])) return null
    const latitude = Math.atan2(z * (equatorial / polar) ** 2, Math.hypot(x, y))
    return [longitude + (Math.atan2(y, x) * 180) / Math.PI, (latitude * 180) / Math.PI]
  }
}
