/**
 * West, south, east, north in degrees. West is at least -180 and below 180. East is not less, so it can be above 180.
 */
export type Box = readonly [west: number, south: number, east: number, north: number]

/** A box, and the attribute that states it. */
export type StatedBox = { readonly box: Box; readonly attribute: string }

/** Makes a box from west, south, east and north; null when they are not degrees. */
export function makeBox([west = NaN, south = NaN, east = NaN, north = NaN]: readonly number[]): Box | null {
  const areLongitudes = Math.abs(west) <= 360 && east >= -360 && east <= 540
  const areLatitudes = south >= -90 && south <= north && north <= 90
  if (!areLongitudes || !areLatitudes) return null
  if (east - west >= 360) return [-180, south, 180, north]
  const start = west - 360 * Math.floor((west + 180) / 360)
  return [start, south, east - 360 * Math.floor((east - start) / 360), north]
}

/** Reads a box that is written as `west,south,east,north`; null for another text. */
export function parseBox(text: string): Box | null {
  const edges = text.split(',', 5)
  const areNumbers = edges.every((edge) => /^\s*[+-]?\d{1,3}(?:\.\d{1,15})?\s*$/.test(edge))
  return edges.length === 4 && areNumbers ? makeBox(edges.map(Number)) : null
}

/** Widest gap, in degrees, between the last and the first longitude of a grid whose steps are unknown. */
const usualGap = 1

/**
 * Makes a box cover all longitudes if it leaves out only the last step of a grid around the Earth, as from 0 to 359.75.
 * A gap of up to one and a half steps counts as one, because stated numbers are rounded.
 *
 * @param longitudes number of longitudes of the grid, if it is known
 */
export function closeBox(box: Box, longitudes: number | undefined): Box {
  const [west, south, east, north] = box
  const widestGap = longitudes === undefined ? usualGap : (1.5 * (east - west)) / (longitudes - 1)
  return 360 - (east - west) <= widestGap ? [-180, south, 180, north] : box
}
