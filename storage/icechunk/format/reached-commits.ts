import type { Slices } from '../../waiting/slices.ts'
import type { ReachedCommits, SnapshotId } from '../types.ts'
import type { Ancestry } from './ancestry.ts'
import type { RepoReading } from './repo-reading.ts'

/** Marks the commits of one `repo` object that some branches have reached. */
export class MarkedCommits implements ReachedCommits {
  readonly #reading: RepoReading
  readonly #ancestry: Ancestry
  readonly #slices: Slices
  readonly #marks: Uint8Array

  constructor(reading: RepoReading, ancestry: Ancestry, slices: Slices) {
    this.#reading = reading
    this.#ancestry = ancestry
    this.#slices = slices
    this.#marks = new Uint8Array(reading.snapshotCount)
  }

  has(id: SnapshotId): boolean {
    const index = this.#reading.findIndex(id)
    return index !== undefined && this.#marks[index] === 1
  }

  async add(id: SnapshotId): Promise<void> {
    const start = this.#reading.findIndex(id)
    // It may have expired.
    if (start === undefined) return
    await this.#ancestry.walk(this.#reading, start, this.#slices, (index) => {
      if (this.#marks[index] === 1) return 'stop'
      this.#marks[index] = 1
      return 'continue'
    })
  }
}
