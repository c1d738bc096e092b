// A strip along a dimension of an array: what is written, what is not, and what is not written yet. The states differ
// in height and not only in colour, so that a print without colours shows them.
import type { ArrayGaps } from '@floe/contract'
import { html, type Html } from '../html.ts'
import { describeGaps, describeRange, describeSlices } from './describe-gaps.ts'
import { formatNumber, formatShare } from '../parts/format-count.ts'
import { countPositions, type GapSteps, listSteps, type StepState } from './gap-steps.ts'
import { foldedTable } from '../parts/data-table.ts'

/** Longer dimensions have several positions a step. */
const maxSteps = 400

const height = 20
const stepWidth = 12
const maxWidth = 800

/** The bars of a step, as their top and bottom: of what is written, and of the mark above what lacks. */
const bars: Readonly<Record<StepState, { readonly written?: Bar; readonly mark?: Bar }>> = {
  written: { written: [8, 20] },
  partly: { written: [14, 20], mark: [3, 6] },
  missing: { mark: [0, 6] },
  ahead: {},
  unlisted: {},
}

type Bar = readonly [top: number, bottom: number]

/**
 * The gaps of an array: the strip, a sentence, and a table. Without the strip when it is unknown which chunks are
 * written, or there is no dimension.
 *
 * @param more follows the sentence, such as a link
 */
export function gapStrip(gaps: ArrayGaps, more?: Html | false): Html {
  const steps = listSteps(gaps, maxSteps)
  const scale = steps && steps.size > 1 && `; a step is ${formatNumber(steps.size)} positions`
  return html`<div class="gap-strip">
    ${steps && drawSteps(steps)}
    <p>${capitalize(describeGaps(gaps))}${scale}. ${more}</p>
    ${table(gaps)}
  </div>`
}

function capitalize(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1)
}

/** Screen readers skip the drawing, because the table says the same. */
function drawSteps({ count, runs }: Pick<GapSteps, 'count' | 'runs'>): Html {
  const draw = (part: 'written' | 'mark') =>
    runs
      .flatMap(({ state, first, end }) => {
        const bar = bars[state][part]
        return bar ? [`M${first} ${bar[0]}H${end}V${bar[1]}H${first}z`] : []
      })
      .join('')
  const ahead = runs.flatMap(({ state, first, end }) => (state === 'ahead' ? [`M${first} 19H${end}`] : [])).join('')
  return html`<svg
    class="gap-steps"
    width="${Math.min(count * stepWidth, maxWidth)}"
    viewBox="0 0 ${count} ${height}"
    preserveAspectRatio="none"
    aria-hidden="true"
  >
    <path class="gap-written" d="${draw('written')}" />
    <path class="gap-ahead" d="${ahead}" />
    <path class="gap-mark" d="${draw('mark')}" />
  </svg>`
}

const legend: readonly (readonly [state: StepState, text: string])[] = [
  ['written', 'written'],
  ['partly', 'some chunks missing'],
  ['missing', 'all chunks missing'],
  ['ahead', 'not yet written'],
]

/** What the steps of a strip mean. */
export function stripLegend(): Html {
  return html`<ul class="gap-legend">
    ${legend.map(([state, text]) => {
      const drawing = drawSteps({ count: 1, runs: [{ state, first: 0, end: 1 }] })
      return html`<li>${drawing} ${text}</li>`
    })}
  </ul>`
}

/** Maximum number of gaps, and of patterns, in a table. */
const maxRows = 50

function table(array: ArrayGaps): Html | false {
  const { along, gaps, patterns, last_written: lastWritten } = array
  const positions = countPositions(array)
  const rows = [
    ...gaps.slice(0, maxRows).map((gap) => [`${along} ${describeRange(gap)}`, formatShare(gap)]),
    ...patterns.slice(0, maxRows).map((slices) => [describeSlices(slices), 'always empty']),
  ]
  if (rows.length === 0) return false
  if (lastWritten !== null && lastWritten + 1 < positions) {
    rows.push([`${along} ${describeRange({ first: lastWritten + 1, last: positions - 1 })}`, 'not yet written'])
  }
  const left = Math.max(0, gaps.length - maxRows) + Math.max(0, patterns.length - maxRows)
  if (left > 0) rows.push([`${formatNumber(left)} more`, 'are in the JSON answer'])
  const items = rows.map(
    ([range, state]) =>
      html`<tr>
        <th scope="row">${range}</th>
        <td>${state}</td>
      </tr>`,
  )
  return foldedTable(['Positions', 'Written chunks'], items)
}
