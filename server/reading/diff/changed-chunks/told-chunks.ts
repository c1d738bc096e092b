import type { ChangedBytes, Diff } from '@floe/contract'
import type { Cancellation } from '@floe/storage/json'
import { addUpAll, addUpArray } from '../../completeness/stored-bytes.ts'
import type { SnapshotManifests } from '../../manifests/snapshot-manifests.ts'
import type { ChangedChunks, ComparedSnapshots } from '../changes.ts'
import { FilledGapFinder } from './filled-gaps.ts'

/** The members of an answer that only manifests tell about the changed chunks of an array. */
type ToldMembers = Pick<NonNullable<Diff['chunks']>[number], 'bytes' | 'along' | 'filled'>

/** What manifests tell about changed chunks. It counts only if no manifest is missing then. */
export class ToldChunks {
  readonly #before: SnapshotManifests
  readonly #after: SnapshotManifests
  readonly #cancellation: Cancellation | undefined
  readonly #filled: FilledGapFinder
  /** The sums of all arrays. An array that does not exist has none. */
  readonly bytes: ChangedBytes
  /** Whether a list of an array was cut. */
  isCut = false

  /**
   * @param manifests with the later snapshot
   * @throws what the cancellation throws
   */
  constructor({ before, changes }: ComparedSnapshots, manifests: SnapshotManifests, cancellation?: Cancellation) {
    this.#before = manifests.ofSnapshot(before)
    this.#after = manifests
    this.#cancellation = cancellation
    this.#filled = new FilledGapFinder(this.#before, this.#after, cancellation)
    const { chunks } = changes
    this.bytes = {
      before: chunks && addUpAll(this.#listBytes(this.#before, chunks, 'before')),
      after: chunks && addUpAll(this.#listBytes(this.#after, chunks, 'after')),
    }
  }

  *#listBytes(source: SnapshotManifests, chunks: readonly ChangedChunks[], when: 'before' | 'after') {
    for (const { [when]: index } of chunks) {
      this.#cancellation?.throwIfAborted()
      if (index !== null) yield addUpArray(source, index, this.#cancellation)
    }
  }

  /**
   * Describes the changed chunks of an array.
   *
   * @throws what the cancellation throws
   */
  describe(changed: ChangedChunks): ToldMembers {
    const { before, after } = changed
    const { along, filled, isCut } = this.#filled.find(changed)
    this.isCut ||= isCut
    return {
      bytes: {
        before: before === null ? null : addUpArray(this.#before, before, this.#cancellation),
        after: after === null ? null : addUpArray(this.#after, after, this.#cancellation),
      },
      along,
      filled,
    }
  }
}
