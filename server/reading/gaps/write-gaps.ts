import type { ArrayGaps, Gaps } from '@floe/contract'
import { type Cancellation, defaultMaxAnswerBytes, encodeJson, JsonWriter, type JsonBytes } from '@floe/storage/json'
import { findGroup } from '../../groups/group-documents.ts'
import type { AskedFor } from '../asked-for.ts'
import { BoundedLists } from '../bounded-lists.ts'
import { type AskedArray, GapFinder, listAskedArrays } from './array-gaps.ts'
import type { SnapshotManifests } from './snapshot-manifests.ts'

/** What a request for gaps asks. */
export type AskedGaps = AskedFor<'gaps'>

/** How many arrays a page has when the request does not say. */
const defaultLimit = 100

/**
 * Writes a page of the gaps of the arrays at and below a group as JSON. A page ends early where its arrays have taken
 * what one question may read, or the answer is full.
 *
 * @throws RequestProblem `group-not-found`
 * @throws AnswerTooLargeError, and what the cancellation throws
 */
export function writeGaps(source: SnapshotManifests, asked: AskedGaps, cancellation?: Cancellation): JsonBytes<Gaps> {
  const { snapshot } = source
  if (asked.group !== '') findGroup(snapshot, asked.group)
  const json = new JsonWriter(defaultMaxAnswerBytes, cancellation)
  const page = new GapsPage(source, asked, cancellation)
  return json.write<Gaps>({
    snapshot_id: snapshot.id,
    arrays: page.listArrays(new BoundedLists(json)),
    // These are written when the list has ended.
    get next() {
      return page.next
    },
    get truncated() {
      return page.isCut
    },
  })
}

class GapsPage {
  readonly #finder: GapFinder
  readonly #paths: Generator<AskedArray>
  readonly #limit: number
  /** After which path the next page begins; null when there is none. */
  next: string | null = null
  /** Whether a list of an array was cut. */
  isCut = false

  constructor(source: SnapshotManifests, asked: AskedGaps, cancellation: Cancellation | undefined) {
    this.#finder = new GapFinder(source, asked, cancellation)
    this.#paths = listAskedArrays(source.snapshot, asked, cancellation)
    this.#limit = asked.limit ?? defaultLimit
  }

  *listArrays(lists: BoundedLists): Generator<ReturnType<typeof encodeJson<ArrayGaps>>> {
    let last: string | null = null
    let count = 0
    for (const asked of lists.take(this.#paths)) {
      const found = count === this.#limit ? undefined : this.#finder.find(asked)
      if (found === undefined || (found.isLater && count > 0)) {
        this.next = last
        return
      }
      this.isCut ||= found.isCut
      yield encodeJson(found.array)
      last = asked.path
      count++
    }
    if (lists.areCut) this.next = last
  }
}
