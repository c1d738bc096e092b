// The place and period of a dataset: a box on a map of the world, and a bar on a time line.
import type { JsonObject } from '@floe/storage/json'
import { html, type Html } from '../../html.ts'
import { roundTenth } from './grid-shape.ts'
import { type Area, type Period, readCoverage } from './read-coverage.ts'
import { timeLine } from './time-line.ts'
import { landPath } from './world-outline.ts'

/** The section; undefined when the attributes state neither a place nor a period. */
export function coverageSection(attributes: JsonObject): Html | undefined {
  const { area, period } = readCoverage(attributes)
  if (area === undefined && period === undefined) return undefined
  return html`<section class="coverage" aria-labelledby="coverage">
    <h2 id="coverage">Coverage</h2>
    ${area && areaFigure(area)} ${period && periodFigure(period)}
  </section>`
}

/** Smaller areas, in degrees, get a ring around them. */
const smallArea = 6

const land = html`<path class="land" d="${landPath}" />`

function areaFigure(area: Area): Html {
  const { south, north, west, east } = area
  const parts: readonly (readonly [west: number, east: number])[] =
    west <= east
      ? [[west, east]]
      : [
          [west, 180],
          [-180, east],
        ]
  const isSmall = west <= east && Math.max(east - west, north - south) < smallArea
  return html`<figure>
    <svg class="world" viewBox="-180 -90 360 180" aria-hidden="true">
      ${land}
      <path d="M-180 0h360M0-90v180" />
      ${parts.map(
        ([from, to]) =>
          html`<rect
            x="${roundTenth(from)}"
            y="${roundTenth(-north)}"
            width="${Math.max(1, roundTenth(to - from))}"
            height="${Math.max(1, roundTenth(north - south))}"
          />`,
      )}
      ${isSmall && html`<circle cx="${roundTenth((west + east) / 2)}" cy="${roundTenth((-north - south) / 2)}" r="10" />`}
    </svg>
    <figcaption>${describeArea(area)}</figcaption>
  </figure>`
}

function periodFigure({ start, end }: Period): Html {
  return html`<figure>
    ${timeLine({ start, end })}
    <figcaption>${formatTime(start)} to ${formatTime(end)}</figcaption>
  </figure>`
}

/** `Latitude 35° N to 72.5° N, longitude 25° W to 45° E`. */
export function describeArea({ south, north, west, east }: Area): string {
  const latitudes = `${formatDegrees(south, 'N', 'S')} to ${formatDegrees(north, 'N', 'S')}`
  return `Latitude ${latitudes}, longitude ${formatDegrees(west, 'E', 'W')} to ${formatDegrees(east, 'E', 'W')}`
}

/** `25.25° W`, with a space that does not break. */
function formatDegrees(value: number, positive: string, negative: string): string {
  const size = Math.round(Math.abs(value) * 100) / 100
  // The equator, the prime meridian and the date line are on no side.
  const isOnNoSide = size === 0 || (size === 180 && positive === 'E')
  return `${size}°${isOnNoSide ? '' : `\u00a0${value < 0 ? negative : positive}`}`
}

/** The date, and the time of day where it is not midnight. */
export function formatTime(time: Date): Html {
  const iso = time.toISOString()
  const isMidnight = iso.endsWith('T00:00:00.000Z')
  const text = isMidnight ? iso.slice(0, -14) : `${iso.slice(0, -8).replace('T', ' ')} UTC`
  return html`<time datetime="${iso}">${text}</time>`
}
