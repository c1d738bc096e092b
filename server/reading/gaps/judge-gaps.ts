// Judges whether the steps along a dimension have as many chunks written as expected.
import type { AcceptedGap, ArrayGaps, ChunkGap, IgnoredSlices } from '@floe/contract'
import type { Cancellation, JsonBytes } from '@floe/storage/json'
import { unknownGapsTexts } from '../../pages/gaps/unknown-gaps-texts.ts'
import { JudgedArrays, type JudgedCompleteness } from '../completeness/judged-arrays.ts'
import { listArrayGaps } from './array-gaps.ts'
import type { SnapshotManifests } from '../manifests/snapshot-manifests.ts'

/** What is expected of each step. `path`: a pattern of paths of arrays; null for all. */
type Expected = {
  readonly path: string | null
  readonly along: string
  /** The share of the chunks of a step that must be written. */
  readonly share: number
  /** How many of the last steps are not judged. */
  readonly exceptLast: number
  readonly ignore: readonly IgnoredSlices[]
  readonly accepted: readonly AcceptedGap[]
}

/**
 * Judges each array with the dimension by itself, up to the last step that has any chunk. That no array has it is a
 * mistake, or its arrays are gone: it is incomplete. The answer counts only if no manifest is missing from the source.
 *
 * @throws what the cancellation throws
 */
export function judgeGaps(
  source: SnapshotManifests,
  expected: Expected,
  cancellation?: Cancellation,
): JsonBytes<JudgedCompleteness> {
  const { path: glob, along, ignore } = expected
  const judged = new JudgedArrays()
  let matching = 0
  let counted = 0
  for (const { array, isCut } of listArrayGaps(
    source,
    { group: '', path: glob ?? undefined, along, ignore },
    cancellation,
  )) {
    matching++
    const { path, reason, chunks } = array
    // It is unknown which dimensions an array has whose grid is unknown.
    if (array.along === null && reason !== 'unknown_grid') continue
    counted++
    if (reason !== null) judged.addUnknown(path, unknownGapsTexts[reason])
    if (chunks === null) continue
    let isIncomplete = false
    for (const { first, last, written, total } of listIncomplete(array, expected)) {
      isIncomplete = true
      judged.addGap({ path, along, first, last, written, total, of: (array.last_written ?? -1) + 1 })
    }
    if (isIncomplete) judged.addIncomplete({ path, chunks })
    else if (isCut) judged.addUnknown(path, 'there are too many gaps')
  }
  return judged.write(counted > 0 ? null : { reason: explainNothing(expected, matching > 0), isMistake: true })
}

/** Lists the ranges of steps that have too few chunks, without those that are not judged. */
function* listIncomplete(
  { gaps, last_written: lastWritten }: ArrayGaps,
  { share, exceptLast, accepted }: Expected,
): Generator<ChunkGap> {
  const lastJudged = (lastWritten ?? -1) - exceptLast
  const known = accepted.toSorted((left, right) => left.first - right.first)
  for (const gap of gaps) {
    if (gap.written / gap.total >= share) continue
    const end = Math.min(gap.last, lastJudged)
    let first = gap.first
    for (const { first: knownFirst, last: knownLast } of known) {
      if (knownLast < first || knownFirst > end) continue
      if (first < knownFirst) yield { ...gap, first, last: knownFirst - 1 }
      first = knownLast + 1
    }
    if (first <= end) yield { ...gap, first, last: end }
  }
}

/** Explains why no array counts. */
function explainNothing({ path: glob, along }: Expected, isMatching: boolean): string {
  if (glob === null) return `No array has the dimension ${along}`
  return isMatching
    ? `No array that matches ${glob} has the dimension ${along}`
    : `No array has a path that matches ${glob}`
}
