// Bars of numbers over time, the newest last. Screen readers skip them: the text beside them says what matters.
import { html, type Html } from '../html.ts'

const height = 20

/** Draws a bar for each number, and a line below them. The highest bar has the whole height; null has no bar. */
export function barStrip(numbers: readonly (number | null)[]): Html {
  const highest = Math.max(1, ...numbers.map((number) => number ?? 0))
  const bars = numbers.map((number, index) => {
    if (number === null || number === 0) return ''
    // At least two pixels, so that a small number beside a large one is visible.
    const top = height - Math.max(2, Math.round((number / highest) * height))
    return `M${index} ${height}V${top}h.8V${height}z`
  })
  return html`<svg
    class="bars"
    viewBox="0 0 ${numbers.length} ${height + 1}"
    preserveAspectRatio="none"
    aria-hidden="true"
  >
    <path class="bars-base" d="M0 ${height}H${numbers.length}" />
    <path d="${bars.join('')}" />
  </svg>`
}
