// Facts of a dataset that lists of datasets show.
import type { FoundDataset } from '@floe/contract'
import { formatTime } from '../dataset/drawings/coverage-section.ts'
import { html, type Html } from '../html.ts'
import { clipText } from '../page-budget.ts'

/** Longer texts are cut, in characters. */
const maxLength = 200

/** Maximum number of dimensions; the others are counted. */
export const maxShownDimensions = 12

/** Cuts a text of a dataset that would take too much of a list. */
export const clip = (text: string) => clipText(text, maxLength)

/** The time and message of a last change. */
export function describeChange({ at, message }: FoundDataset['changed']): Html {
  return html`${formatTime(new Date(at))} ${message && html`<q>${clip(message)}</q>`}`
}

/**
 * `time: 8, latitude: 5`; the first of them if there are many.
 *
 * @param count number of all dimensions, if only the first are given
 */
export function describeDimensions(
  dimensions: readonly (readonly [string, number | bigint])[],
  count = dimensions.length,
): string {
  const shown = dimensions.slice(0, maxShownDimensions)
  const texts = shown.map(([name, size]) => `${clip(name)}: ${size.toLocaleString('en')}`)
  const leftOut = count - shown.length
  const more = leftOut > 0 ? [`and ${leftOut.toLocaleString('en')} more`] : []
  return [...texts, ...more].join(', ')
}
