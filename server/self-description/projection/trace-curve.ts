// Finds how far a curve on the Earth goes to the west, south, east and north. It is sampled, more densely where the
// longitude changes fast, which is near a pole; then each extreme is searched for between its neighbours.
import type { Point } from './projection.ts'

/** A place on the Earth for each number from 0 to 1; null where the curve leaves the projection. */
export type Curve = (along: number) => Point | null

/** Longitudes go on past 180 where the curve crosses the 180th meridian. */
export type Span = readonly [west: number, south: number, east: number, north: number]

type Sample = { readonly along: number; readonly point: Point }

/** A part of the curve that has no gap. */
type Run = Sample[]

/** A step over more degrees of longitude is halved, this many times at most. */
const widestStep = 30
const maxHalvings = 40

/** Number of places of a curve that halvings may add. Those near a pole need two hundred. */
const maxAdded = 2_000

/** Halvings that find where a curve leaves the projection: as exact as numbers are. */
const edgeHalvings = 50

/** Steps of the search for an extreme: each leaves 0.62 of the interval. */
const searchSteps = 30

export type Trace = {
  readonly span: Span
  readonly lastLongitude: number
  /** Whether no part of the curve leaves the projection. */
  readonly isWhole: boolean
}

/**
 * Traces a curve. Returns null if no point of it is in the projection.
 *
 * @param steps number of samples, before steps are halved
 * @param from longitude that the first one is next to
 */
export function traceCurve(curve: Curve, steps: number, from: number): Trace | null {
  const runs = sample(curve, steps, from)
  const last = runs.at(-1)?.at(-1)
  if (last === undefined) return null
  return {
    span: joinSpans(runs.map((run) => findSpan(curve, run))),
    lastLongitude: last.point[0],
    isWhole: runs.length === 1 && runs[0]?.[0]?.along === 0 && last.along === 1,
  }
}

/** The smallest span that holds these. */
export function joinSpans(spans: readonly Span[]): Span {
  return [
    Math.min(...spans.map(([west]) => west)),
    Math.min(...spans.map(([, south]) => south)),
    Math.max(...spans.map(([, , east]) => east)),
    Math.max(...spans.map(([, , , north]) => north)),
  ]
}

/** The longitude of a place that is nearest to another one. */
function unwrapLongitude(longitude: number, near: number): number {
  return longitude - 360 * Math.round((longitude - near) / 360)
}

function sample(curve: Curve, steps: number, from: number): readonly Run[] {
  const runs: Run[] = []
  let run: Run = []
  let near = from
  const add = (along: number, point: Point) => {
    near = isPole(point) ? near : unwrapLongitude(point[0], near)
    run.push({ along, point: [near, point[1]] })
  }
  const halving = { placesLeft: maxAdded }
  let before = { along: 0, point: curve(0) }
  if (before.point !== null) add(0, before.point)
  for (let step = 1; step <= steps; step++) {
    const next = { along: step / steps, point: curve(step / steps) }
    if (before.point !== null && next.point !== null)
      for (const { along, point } of halve(curve, [before, next], maxHalvings, halving)) add(along, point)
    else {
      const edge = findEdge(curve, before.along, next.along, before.point !== null)
      if (edge !== null) add(edge.along, edge.point)
    }
    if (next.point !== null) add(next.along, next.point)
    else if (run.length > 0) {
      runs.push(run)
      run = []
    }
    before = next
  }
  return run.length > 0 ? [...runs, run] : runs
}

/** The longitude of a pole says nothing. */
function isPole([, latitude]: Point): boolean {
  return 90 - Math.abs(latitude) < 1e-9
}

/** Samples between two places that are too far apart, in their order. Places outside of the projection are left out. */
function halve(
  curve: Curve,
  [from, to]: readonly [{ along: number; point: Point | null }, { along: number; point: Point | null }],
  halvings: number,
  halving: { placesLeft: number },
): readonly Sample[] {
  if (from.point === null || to.point === null || isPole(from.point) || isPole(to.point)) return []
  if (Math.abs(unwrapLongitude(to.point[0], from.point[0]) - from.point[0]) <= widestStep) return []
  if (halvings === 0 || halving.placesLeft-- <= 0) return []
  const along = (from.along + to.along) / 2
  const middle = { along, point: curve(along) }
  if (middle.point === null) return []
  const first = halve(curve, [from, middle], halvings - 1, halving)
  return [...first, { along, point: middle.point }, ...halve(curve, [middle, to], halvings - 1, halving)]
}

/** Finds the last place of the projection between two numbers. One of them has none. */
function findEdge(curve: Curve, from: number, to: number, isFromInside: boolean): Sample | null {
  let [inside, outside] = isFromInside ? [from, to] : [to, from]
  if (curve(inside) === null) return null
  for (let halving = 0; halving < edgeHalvings; halving++) {
    const middle = (inside + outside) / 2
    if (curve(middle) === null) outside = middle
    else inside = middle
  }
  const point = curve(inside)
  return point && { along: inside, point }
}

function findSpan(curve: Curve, run: Run): Span {
  const find = (coordinate: 0 | 1, sign: 1 | -1) => {
    const values = run.map(({ point }) => sign * point[coordinate])
    const best = values.indexOf(Math.max(...values))
    const { along, point } = run[best] ?? { along: 0, point: [NaN, NaN] }
    const from = run[best - 1]?.along ?? along
    const to = run[best + 1]?.along ?? along
    const read = (at: number) => {
      const place = curve(at)
      if (place === null || (coordinate === 0 && isPole(place))) return -Infinity
      return sign * (coordinate === 0 ? unwrapLongitude(place[0], point[0]) : place[1])
    }
    return sign * Math.max(sign * point[coordinate], searchMaximum(read, from, to))
  }
  return [find(0, -1), find(1, -1), find(0, 1), find(1, 1)]
}

const golden = (Math.sqrt(5) - 1) / 2

/** Searches for the greatest value between two numbers, by golden sections. */
function searchMaximum(read: (at: number) => number, from: number, to: number): number {
  if (from === to) return -Infinity
  let [low, high] = [from, to]
  let [left, right] = [high - golden * (high - low), low + golden * (high - low)]
  let [atLeft, atRight] = [read(left), read(right)]
  for (let step = 0; step < searchSteps; step++) {
    if (atLeft > atRight) {
      ;[high, right, atRight] = [right, left, atLeft]
      left = high - golden * (high - low)
      atLeft = read(left)
    } else {
      ;[low, left, atLeft] = [left, right, atRight]
      right = low + golden * (high - low)
      atRight = read(right)
    }
  }
  return Math.max(atLeft, atRight)
}
