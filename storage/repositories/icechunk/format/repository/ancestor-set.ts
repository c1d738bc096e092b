import type { Slices } from '../../../../waiting/slices.ts'
import type { ReachedCommits, SnapshotId } from '../../types.ts'
import type { Ancestry } from './ancestry.ts'
import type { RepoDecoder } from './repo-decoder.ts'

/** The added heads and all their ancestors, in one `repo` object. */
export class AncestorSet implements ReachedCommits {
  readonly #decoder: RepoDecoder
  readonly #ancestry: Ancestry
  readonly #slices: Slices
  /** By index of a snapshot: 1 when the set has it. */
  readonly #isMember: Uint8Array

  constructor(decoder: RepoDecoder, ancestry: Ancestry, slices: Slices) {
    this.#decoder = decoder
    this.#ancestry = ancestry
    this.#slices = slices
    this.#isMember = new Uint8Array(decoder.snapshotCount)
  }

  has(id: SnapshotId): boolean {
    const index = this.#decoder.findIndex(id)
    return index !== undefined && this.#isMember[index] === 1
  }

  async add(head: SnapshotId): Promise<void> {
    const start = this.#decoder.findIndex(head)
    // A head that has expired is no longer listed.
    if (start === undefined) return
    await this.#ancestry.walk(this.#decoder, start, this.#slices, (index) => {
      if (this.#isMember[index] === 1) return 'stop'
      this.#isMember[index] = 1
      return 'continue'
    })
  }
}
