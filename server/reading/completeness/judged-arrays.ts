// Gathers what a judgement finds about the arrays of a snapshot, as an answer that is small whatever the snapshot.
import type { IncompleteArray, IncompleteSteps } from '@floe/contract'
import { maxListedArrays, maxListedGaps } from '@floe/contract/constants'
import { type JsonBytes, writeBody } from '@floe/storage/json'
import { shorten } from '../../text/shorten.ts'
import { ListRoom } from '../list-room.ts'

/** Whether the arrays of a snapshot have as many chunks written as expected. */
export type JudgedCompleteness = {
  readonly verdict: 'complete' | 'incomplete' | 'unknown'
  /** The first arrays with fewer chunks written. */
  readonly arrays: readonly IncompleteArray[]
  /** Number of all of them. */
  readonly incompleteArrays: number
  /** The first steps of them with fewer chunks, if steps are judged. */
  readonly gaps: readonly IncompleteSteps[]
  /** Number of all ranges of such steps. */
  readonly incompleteRanges: number
  /** Why the verdict is unknown, or that nothing is what was asked for. Null otherwise. */
  readonly reason: string | null
}

/** Longest reason, in code points. */
const maxReasonLength = 300

/** How many bytes the paths in each list of an answer may have. */
const maxPathBytes = 32_768

/** What a judgement has found so far. Arrays that need not be named count only by their number. */
export class JudgedArrays {
  readonly #arrays: IncompleteArray[] = []
  readonly #gaps: IncompleteSteps[] = []
  readonly #room = { arrays: new ListRoom({ size: maxPathBytes }), gaps: new ListRoom({ size: maxPathBytes }) }
  #incompleteArrays = 0
  #incompleteRanges = 0
  #unknownReason: string | null = null

  addIncomplete(array: IncompleteArray): void {
    if (this.#incompleteArrays++ < maxListedArrays && this.#room.arrays.take(measure(array.path)))
      this.#arrays.push(array)
  }

  addGap(gap: IncompleteSteps): void {
    if (this.#incompleteRanges++ < maxListedGaps && this.#room.gaps.take(measure(gap.path))) this.#gaps.push(gap)
  }

  /** An array whose written chunks are unknown. */
  addUnknown(path: string, reason: string): void {
    this.#unknownReason ??= `${path}: ${reason}`
  }

  /**
   * An array whose number of chunks is unknown makes the verdict unknown, unless another is certainly incomplete.
   * `nothing`: why no array counted; null if one did. It is a mistake of who expects something, or their arrays are
   * gone, and so incomplete, if `isMistake`.
   */
  write(nothing: { readonly reason: string; readonly isMistake: boolean } | null): JsonBytes<JudgedCompleteness> {
    const isIncomplete = this.#incompleteArrays > 0 || nothing?.isMistake === true
    const reason = nothing?.reason ?? this.#unknownReason
    return writeBody<JudgedCompleteness>({
      verdict: isIncomplete ? 'incomplete' : reason === null ? 'complete' : 'unknown',
      arrays: this.#arrays,
      incompleteArrays: this.#incompleteArrays,
      gaps: this.#gaps,
      incompleteRanges: this.#incompleteRanges,
      reason: this.#incompleteArrays > 0 || reason === null ? null : shorten(reason, maxReasonLength),
    })
  }
}

function measure(path: string): number {
  return Buffer.byteLength(JSON.stringify(path))
}
