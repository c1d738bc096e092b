// The area and period of a dataset: a box on a map of the world, and a bar on a time line.
import type { Box } from '../../../self-description/extent/box.ts'
import type { Extent } from '../../../self-description/read-extent.ts'
import { html, type Html } from '../../html.ts'
import { attributeNote } from '../attribute-note.ts'
import { roundTenth } from './grid-shape.ts'
import { type Period, timeLine } from './time-line.ts'
import { landPath } from './world-outline.ts'

/** The section; undefined when the extent has neither a box nor a start and an end. */
export function coverageSection({ bbox, areaAttribute, startsAt, endsAt, periodAttribute }: Extent): Html | undefined {
  const period = startsAt !== null &&
    endsAt !== null &&
    startsAt <= endsAt && { start: new Date(startsAt), end: new Date(endsAt) }
  if (bbox === null && !period) return undefined
  return html`<section class="coverage" aria-labelledby="coverage">
    <h2 id="coverage">Coverage</h2>
    ${bbox && areaFigure(bbox, areaAttribute)} ${period && periodFigure(period, periodAttribute)}
  </section>`
}

/** Areas smaller than this, in degrees, have a ring around them. */
const smallArea = 6

const land = html`<path class="land" d="${landPath}" />`

function areaFigure(box: Box, attribute: string | null): Html {
  const [west, south, east, north] = box
  // An area across the date line is two boxes.
  const parts: readonly (readonly [west: number, east: number])[] =
    east <= 180
      ? [[west, east]]
      : [
          [west, 180],
          [-180, east - 360],
        ]
  const isSmall = east <= 180 && Math.max(east - west, north - south) < smallArea
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
      ${
        isSmall &&
        html`<circle cx="${roundTenth((west + east) / 2)}" cy="${roundTenth((-north - south) / 2)}" r="10" />`
      }
    </svg>
    <figcaption>${describeBox(box)} ${attributeNote(attribute)}</figcaption>
  </figure>`
}

function periodFigure({ start, end }: Period, attribute: string | null): Html {
  return html`<figure>
    ${timeLine({ start, end })}
    <figcaption>${describePeriod(start, end)} ${attributeNote(attribute)}</figcaption>
  </figure>`
}

/**
 * `Latitude 35° N to 72.5° N, longitude 25° W to 45° E`. East may also be less than west if the box crosses the date
 * line.
 */
export function describeBox([west, south, east, north]: Box): string {
  const latitudes = `Latitude ${formatDegrees(south, 'N', 'S')} to ${formatDegrees(north, 'N', 'S')}`
  if (east - west >= 360) return `${latitudes}, all longitudes`
  const last = east > 180 ? east - 360 : east
  return `${latitudes}, longitude ${formatDegrees(west, 'E', 'W')} to ${formatDegrees(last, 'E', 'W')}`
}

/** `25.25° W`, with a no-break space. */
function formatDegrees(value: number, positive: string, negative: string): string {
  const size = Math.round(Math.abs(value) * 100) / 100
  // The equator, the prime meridian and the date line have no N, S, E or W.
  const hasNoSide = size === 0 || (size === 180 && positive === 'E')
  return `${size}°${hasNoSide ? '' : `\u00a0${value < 0 ? negative : positive}`}`
}

/** `2020-01-01 to 2021-03-05`, `since 2020-01-01`; false for a period without ends. */
export function describePeriod(start: Date | null, end: Date | null): Html | false {
  if (start === null) return end !== null && html`until ${formatTime(end)}`
  return end === null ? html`since ${formatTime(start)}` : html`${formatTime(start)} to ${formatTime(end)}`
}

/** The date, and the time of day unless it is midnight. */
export function formatTime(time: Date): Html {
  const iso = time.toISOString()
  const isMidnight = iso.endsWith('T00:00:00.000Z')
  const text = isMidnight ? iso.slice(0, -14) : `${iso.slice(0, -8).replace('T', ' ')} UTC`
  return html`<time datetime="${iso}">${text}</time>`
}
