// The area of a search: a map with the boxes of the results, and a field for each edge of the area that is asked for.
import { clip } from '../../pages/browse/dataset-facts.ts'
import { landPath } from '../../pages/dataset/drawings/world-outline.ts'
import { html, type Html } from '../../pages/html.ts'
import { type Box, makeBox, parseBox } from '../../self-description/extent/box.ts'
import type { ExactDataset } from './found-dataset.ts'
import { searchFormId } from './search-form.ts'
import { parameterNames, type SearchQuery } from './search-query.ts'

/** The edges in the order of `bbox`. */
const edges = ['West', 'South', 'East', 'North'] as const

/** A box is drawn at least this wide and high, in degrees, so that it is visible. */
const smallest = 2

/** The map and the fields. They are folded unless there is something to see. */
export function areaMap({ bbox }: SearchQuery, results: readonly ExactDataset[]): Html {
  const boxes = results.flatMap(({ extent, title, group, repo }) => {
    const box = extent.bbox && makeBox(extent.bbox)
    return box === null ? [] : [{ box, name: title || group || repo }]
  })
  const without = results.length - boxes.length
  const values = (bbox ?? '').split(',')
  return html`<details class="map" ${(boxes.length > 0 || bbox !== undefined) && 'open'}>
    <summary>
      Map
      ${
        without > 0 &&
        html`<small>${without.toLocaleString('en')} of ${results.length.toLocaleString('en')} have no box</small>`
      }
    </summary>
    ${world(boxes, parseBox(bbox ?? ''))}
    <fieldset>
      <legend>${parameterNames.bbox}</legend>
      ${edges.map((name, place) => edgeField(name, values[place]))}
      <p><button form="${searchFormId}">Search here</button> <button type="button" hidden>Clear</button></p>
      <small>
        In degrees. Over the antimeridian, west is greater than east.
        <span hidden>Or drag across the map.</span>
      </small>
    </fieldset>
  </details>`
}

function edgeField(name: (typeof edges)[number], value: string | undefined): Html {
  const [min, max] = name === 'West' || name === 'East' ? [-360, 540] : [-90, 90]
  const limits = html`step="any" min="${min}" max="${max}"`
  return html`<label>
    <span>${name}</span>
    <input name="bbox" form="${searchFormId}" type="number" ${limits} value="${value}" />
  </label>`
}

/**
 * The Earth, with a part of it again on both sides, so that boxes over the antimeridian are whole. Small boxes lie
 * above large ones. Screen readers skip it: the results say the same, and the fields have the area.
 */
function world(boxes: readonly { readonly box: Box; readonly name: string }[], area: Box | null): Html {
  const size = ([west, south, east, north]: Box) => (east - west) * (north - south)
  const sorted = boxes.toSorted((one, other) => size(other.box) - size(one.box))
  return html`<svg class="world" viewBox="-210 -90 420 180" aria-hidden="true">
    <g id="earth" class="earth">
      <path class="land" d="${landPath}" />
      ${sorted.map(({ box, name }) => html`<rect ${place(box)}><title>${clip(name)}</title></rect>`)}
      <rect class="area" ${area && place(area)} />
    </g>
    <use href="#earth" x="-360" />
    <use href="#earth" x="360" />
  </svg>`
}

/** The attributes of a rectangle. `assets/area.js` computes the same. */
function place([west, south, east, north]: Box): Html {
  const width = Math.max(smallest, east - west)
  const height = Math.max(smallest, north - south)
  // A low box at the south pole stays on the map.
  const y = Math.min(-north, 90 - height)
  return html`x="${round(west)}" y="${round(y)}" width="${round(width)}" height="${round(height)}"`
}

/** A hundredth of a degree is less than a pixel. */
function round(degrees: number): number {
  return Math.round(degrees * 100) / 100
}
