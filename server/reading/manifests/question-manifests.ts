import type { ManifestId } from '@floe/storage/icechunk'
import { mapInParallel } from '@floe/storage/waiting'
import { manifestLimits } from './snapshot-manifests.ts'
import { isPassingFault, type LoadedManifest } from './manifest-cache.ts'

/** Manifests for a thread, by id. */
export type AttachedManifests = ReadonlyMap<ManifestId, LoadedManifest['content']>

/** Maximum number of manifests that one question reads at the same time. */
const width = 4

/** Bytes that can still be read. */
type Room = { storedBytes: number; keptBytes: number }

/** The manifests that were read for one question. */
export class QuestionManifests {
  readonly #manifests = new Map<ManifestId, LoadedManifest['content']>()
  readonly #room: Room = { ...manifestLimits }

  get attached(): AttachedManifests {
    return this.#manifests
  }

  /** Whether one of them may be readable at the next try. */
  get canPass(): boolean {
    return this.#manifests.values().some(isPassingFault)
  }

  /**
   * Reads manifests. Those beyond the limits of one question get a fault: which ones depends on the order of the ids
   * only, neither on what is cached nor on which read ends first.
   */
  async read(ids: readonly ManifestId[], load: (id: ManifestId) => Promise<LoadedManifest>): Promise<void> {
    const left = { ...this.#room }
    const results = await mapInParallel(ids, width, async (id) => {
      // Reads begin in the order of the ids, so those that have ended are all before this one.
      if (!hasRoom(left)) return { id }
      const loaded = await load(id)
      take(left, loaded)
      return { id, loaded }
    })
    for (const { id, loaded } of results) {
      const fits = loaded !== undefined && hasRoom(this.#room)
      if (fits) take(this.#room, loaded)
      this.#manifests.set(id, fits ? loaded.content : 'too_many_manifests')
    }
  }
}

function hasRoom({ storedBytes, keptBytes }: Room): boolean {
  return storedBytes > 0 && keptBytes > 0
}

function take(room: Room, { storedBytes, content }: LoadedManifest): void {
  room.storedBytes -= storedBytes
  room.keptBytes -= content.length
}
