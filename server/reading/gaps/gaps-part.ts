import type { ArrayGaps } from '@floe/contract'
import type { Cancellation } from '@floe/storage/json'
import { findGroup } from '../../groups/group-documents.ts'
import { RequestProblem } from '../../problems/request-problem.ts'
import { listFirst } from '../../text/list-first.ts'
import { shorten } from '../../text/shorten.ts'
import type { AskedFor } from '../asked-for.ts'
import type { BoundedLists } from '../bounded-lists.ts'
import { type AskedArray, GapFinder, listAskedArrays } from './array-gaps.ts'
import type { SnapshotManifests } from '../manifests/snapshot-manifests.ts'

/** How many arrays a part has when the request does not say. */
const defaultLimit = 100

/** Longest name of a dimension in a message, in characters. */
const maxNameLength = 64

/** A part of the list of arrays. It ends early where its arrays have taken what one question may read. */
export class GapsPart {
  readonly #finder: GapFinder
  readonly #paths: Generator<AskedArray>
  readonly #limit: number
  readonly #asked: AskedFor<'gaps'>
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
    this.#asked = asked
  }

  /**
   * Lists the gaps of the arrays, once.
   *
   * @param lists end the list when the answer is full
   * @throws RequestProblem `invalid-request` if the only part has arrays, and none has the dimension that is asked for
   * @throws what the cancellation throws
   */
  *list(lists?: BoundedLists): Generator<ArrayGaps> {
    let last: string | null = null
    let count = 0
    let mayHaveDimension = false
    const dimensions = new Set<string>()
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
      // It is unknown which dimensions an array has whose grid is unknown.
      mayHaveDimension ||= found.array.along !== null || found.array.reason === 'unknown_grid'
      for (const { name } of found.array.dimensions) dimensions.add(name)
    }
    if (lists?.areCut) this.next = last
    const { along, after } = this.#asked
    if (along === undefined || after !== undefined || this.next !== null || count === 0 || mayHaveDimension) return
    throw new RequestProblem('invalid-request', explainMissing(along, dimensions))
  }
}

/** Without this, a misspelt name would look as if nothing lacked. */
function explainMissing(along: string, dimensions: ReadonlySet<string>): string {
  const names = listFirst([...dimensions].map((name) => JSON.stringify(shorten(name, maxNameLength))))
  const known = names.length === 0 ? 'they have no dimensions' : `they have ${names.join(', ')}`
  return `along: no array here has the dimension ${JSON.stringify(along)}; ${known}`
}
