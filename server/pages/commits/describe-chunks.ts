// What happened to the chunks of arrays, in words.
import { formatBytes } from '../../xarray/size.ts'
import { describeRange } from '../gaps/describe-gaps.ts'
import { clipText } from '../page-budget.ts'
import { formatCount, formatNumber } from '../parts/format-count.ts'
import { describeWrittenChange } from '../parts/written-chunks.ts'
import type { ChunkFacts, NodeChange } from './collect-changes.ts'

/** Maximum number of ranges that a line names. */
const maxNamed = 5

const maxNameLength = 100

/**
 * `4 chunks written or deleted`, `24 of 24 → 28 of 28 written`, `+2MB stored`: of all nodes together. They have the
 * same filled gaps.
 */
export function describeChunks(nodes: readonly NodeChange[]): string[] {
  const changed = nodes.filter(({ chunks }) => chunks > 0)
  if (changed.length === 0) return []
  const count = changed.reduce((sum, { chunks }) => sum + chunks, 0)
  const written = describeWrittenChange(changed.flatMap(({ countWritten }) => countWritten?.() ?? []))
  const filled = describeFilled(changed[0]?.facts)
  const facts = [`${formatCount(count, 'chunk')} written or deleted`, written, ...describeGrowth(changed), filled]
  return facts.filter((fact) => fact !== '')
}

/** `filled: init_time 7, 12 to 14`; empty without filled gaps. */
export function describeFilled(facts: ChunkFacts | null | undefined): string {
  const { along, ranges } = facts?.filled ?? { along: '', ranges: [] }
  if (ranges.length === 0) return ''
  const more = ranges.length > maxNamed ? ` and ${formatNumber(ranges.length - maxNamed)} more` : ''
  return `filled: ${clipText(along, maxNameLength)} ${ranges.slice(0, maxNamed).map(describeRange).join(', ')}${more}`
}

/** How many bytes the nodes have more or less than before; none if one of them is unknown. */
function describeGrowth(nodes: readonly NodeChange[]): string[] {
  const sum = { stored: 0, virtual: 0 }
  for (const { facts } of nodes) {
    if (!facts?.growth) return []
    sum.stored += facts.growth.stored
    sum.virtual += facts.growth.virtual
  }
  return (['stored', 'virtual'] as const)
    .filter((kind) => sum[kind] !== 0)
    .map((kind) => `${sum[kind] > 0 ? '+' : '−'}${formatBytes(BigInt(Math.abs(sum[kind])))} ${kind}`)
}
