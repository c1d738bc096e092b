// The gaps of an array in words, for pages and terminals.
import type { ArrayGaps, ChunkGap, EmptySlices } from '@floe/contract'
import { formatCount, formatNumber, formatShare } from '../parts/format-count.ts'
import { clipText } from '../page-budget.ts'
import { countPositions, findListedEnd } from './gap-steps.ts'
import { unknownGapsTexts } from './unknown-gaps-texts.ts'

/** Maximum number of gaps, and of patterns, that a sentence names. */
const maxNamed = 5

const maxNameLength = 100

/**
 * `2 gaps along init_time: 7 (0 of 10 chunks), 12 (8 of 10); lead_time 0 is always empty; 9 of 40 positions not yet
 * written`.
 */
export function describeGaps(array: ArrayGaps): string {
  const { along, chunks, reason, outside } = array
  if (chunks === null) return `unknown${reason === null ? '' : `: ${unknownGapsTexts[reason]}`}`
  const parts =
    chunks.total === 0
      ? ['no chunks']
      : along === null
        ? [array.dimensions.length === 0 ? describeScalar(chunks.written) : 'no such dimension']
        : [describeList(array, clipText(along, maxNameLength)), ...describePatterns(array), describeAhead(array)]
  if (outside > 0) parts.push(`${formatCount(outside, 'reference')} outside of the grid`)
  return parts.filter((part) => part !== '').join('; ')
}

function describeScalar(written: number): string {
  return written === 0 ? 'not written' : 'written'
}

function describeList(array: ArrayGaps, along: string): string {
  const { gaps, last_written: lastWritten } = array
  if (lastWritten === null) return 'nothing written yet'
  if (gaps.length === 0) return `no gaps along ${along}`
  const listedEnd = findListedEnd(array)
  const isCut = listedEnd <= lastWritten
  const named = gaps.slice(0, maxNamed).map((gap, index) => {
    const unit = index > 0 ? '' : gap.total === 1 ? ' chunk' : ' chunks'
    return `${describeRange(gap)} (${formatShare(gap)}${unit}${gap.first === gap.last ? '' : ' each'})`
  })
  const more = gaps.length > maxNamed ? ` and ${formatNumber(gaps.length - maxNamed)} more` : ''
  const count = isCut ? `${formatNumber(gaps.length)} or more gaps` : formatCount(gaps.length, 'gap')
  return `${count} along ${along}: ${named.join(', ')}${more}${
    isCut ? `; not listed from ${formatNumber(listedEnd)} on` : ''
  }`
}

function describePatterns({ patterns }: ArrayGaps): string[] {
  const named = patterns.slice(0, maxNamed).map((slices) => `${describeSlices(slices)} is always empty`)
  const more = patterns.length - maxNamed
  return more > 0 ? [...named, `${formatNumber(more)} more such ranges`] : named
}

function describeAhead(array: ArrayGaps): string {
  const positions = countPositions(array)
  const ahead = positions - 1 - (array.last_written ?? -1)
  return array.last_written !== null && ahead > 0
    ? `${formatNumber(ahead)} of ${formatCount(positions, 'position')} not yet written`
    : ''
}

/** `lead_time 0`, `lead_time 0 to 3`. */
export function describeSlices(slices: EmptySlices): string {
  return `${clipText(slices.dimension, maxNameLength)} ${describeRange(slices)}`
}

/** `7`, or `7 to 9`. */
export function describeRange({ first, last }: Pick<ChunkGap, 'first' | 'last'>): string {
  return first === last ? formatNumber(first) : `${formatNumber(first)} to ${formatNumber(last)}`
}
