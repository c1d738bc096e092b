import type { ArrayGaps } from '@floe/contract'
import type { Cancellation } from '@floe/storage/json'
import { findGroup } from '../../groups/group-documents.ts'
import type { AskedFor } from '../asked-for.ts'
import type { BoundedLists } from '../bounded-lists.ts'
import { type AskedArray, GapFinder, listAskedArrays } from './array-gaps.ts'
import type { SnapshotManifests } from '../manifests/snapshot-manifests.ts'

/** How many arrays a part has when the request does not say. */
const defaultLimit = 100

/** A part of the list of arrays. It ends early where its arrays have taken what one question may read. */
export class GapsPart {
  readonly #finder: GapFinder
  readonly #paths: Generator<AskedArray>
  readonly #limit: number
  /** After which path the next part begins; null when there is none. Known when the list has ended. */
  next: string | null = null
  /** Whether a list of an array was cut. */
  isCut = false

  /** @throws RequestProblem `group-not-found` */
  constructor(source: SnapshotManifests, asked: AskedFor<'gaps'>, cancellation: Cancellation | undefined) {
    if (asked.group !== '') findGroup(source.snapshot, asked.group)
    this.#finder = new GapFinder(source, asked, cancellation)
    this.#paths = listAskedArrays(source.snapshot, asked, cancellation)
    this.#limit = asked.limit ?? defaultLimit
  }

  /**
   * Lists the gaps of the arrays, once.
   *
   * @param lists end the list when the answer is full
   * @throws what the cancellation throws
   */
  *list(lists?: BoundedLists): Generator<ArrayGaps> {
    let last: string | null = null
    let count = 0
    for (const asked of lists?.take(this.#paths) ?? this.#paths) {
      const found = count === this.#limit ? undefined : this.#finder.find(asked)
      if (found === undefined || (found.isLater && count > 0)) {
        this.next = last
        return
      }
      this.isCut ||= found.isCut
      yield found.array
      last = asked.path
      count++
    }
    if (lists?.areCut) this.next = last
  }
}
