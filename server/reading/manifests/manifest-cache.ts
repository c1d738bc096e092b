import type { ManifestId, Repository } from '@floe/storage/icechunk'
import { SharedReads } from '@floe/storage/waiting'
import { LRUCache } from 'lru-cache'
import type { CacheSize, Metrics } from '../../observation/metrics.ts'
import type { ManifestFault } from './snapshot-manifests.ts'
import type { EncodedManifest } from './encoded-manifest.ts'

/** A manifest that was read, or why it cannot be read. */
export type LoadedManifest = {
  readonly content: EncodedManifest | ManifestFault
  /** Size of the object, in bytes; 0 if it cannot be read. */
  readonly storedBytes: number
}

/** Memory of an entry besides the manifest, in bytes. */
const entryBytes = 500

/** Caches what was read of manifests within a budget in bytes. Callers who need the same one share a read. */
export class ManifestCache {
  readonly #manifests: LRUCache<string, LoadedManifest>
  readonly #pending = new SharedReads<LoadedManifest>()
  readonly #metrics: Pick<Metrics, 'cacheHits' | 'cacheMisses'>

  constructor(maxBytes: number, metrics: Pick<Metrics, 'cacheHits' | 'cacheMisses'>) {
    this.#manifests = new LRUCache({ maxSize: Math.ceil(maxBytes) })
    this.#metrics = metrics
  }

  /**
   * Finds a manifest, or loads it.
   *
   * @param signal of the caller; the read is cancelled when the signals of all its callers have aborted
   */
  async read(
    { serial }: Pick<Repository, 'serial'>,
    id: ManifestId,
    load: (signal: AbortSignal) => Promise<LoadedManifest>,
    signal: AbortSignal,
  ): Promise<LoadedManifest> {
    const key = `${serial} ${id}`
    const cached = this.#manifests.get(key)
    const counter = cached === undefined ? this.#metrics.cacheMisses : this.#metrics.cacheHits
    counter.inc({ cache: 'manifests' })
    return cached ?? (await this.#loadOnce(key, load).join(signal))
  }

  #loadOnce(key: string, load: (signal: AbortSignal) => Promise<LoadedManifest>) {
    return this.#pending.share(key, async (signal) => {
      const loaded = await load(signal)
      const { content } = loaded
      const size = entryBytes + (typeof content === 'string' ? 0 : content.length)
      // One that is larger than the cache is cached alone, like a snapshot.
      if (!isPassingFault(content)) this.#manifests.set(key, loaded, { size: Math.min(size, this.#manifests.maxSize) })
      return loaded
    })
  }

  /** Size and limit of the cache. */
  get size(): CacheSize {
    const { calculatedSize: bytes, maxSize: maxBytes } = this.#manifests
    return { bytes, maxBytes }
  }
}

/** Whether this is a fault that can pass: a missing or damaged object can still be copied. */
export function isPassingFault(content: LoadedManifest['content']): boolean {
  return content === 'manifest_missing' || content === 'manifest_damaged'
}
