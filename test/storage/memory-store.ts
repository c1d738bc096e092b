// Keeps objects in memory, also objects that no file system or official library would write.
import type {
  Listing,
  ListOptions,
  ObjectStore,
  ReadOptions,
  ReadResult,
} from '../../storage/repositories/objects/index.ts'
import { compareUtf8, ObjectTooLargeError, TooManyObjectsError } from '../../storage/repositories/objects/index.ts'

/** A store on a map that its owner may change at any time. It records all requests. */
export class MemoryStore implements ObjectStore {
  readonly location = 'memory'
  readonly encodesKeys: boolean
  readonly objects: Map<string, Uint8Array>
  /** Every key read and prefix listed, in order. */
  readonly asked: string[] = []

  constructor(objects: Iterable<readonly [string, Uint8Array]> = [], { encodesKeys = true } = {}) {
    this.objects = new Map(objects)
    this.encodesKeys = encodesKeys
  }

  async read(key: string, { maxBytes, signal, ifNoneMatch, range }: ReadOptions): Promise<ReadResult> {
    signal.throwIfAborted()
    this.asked.push(key)
    const stored = this.objects.get(key)
    if (stored === undefined) return { state: 'absent' }
    const etag = assignEtag(stored)
    if (etag === ifNoneMatch) return { state: 'unchanged' }
    const bytes = new Uint8Array(stored.subarray(range?.start, range?.end))
    if (bytes.length > maxBytes) throw new ObjectTooLargeError(this.location, key, 'too large')
    return { state: 'found', bytes, etag }
  }

  async list(prefix: string, { maxEntries, signal }: ListOptions): Promise<Listing> {
    signal.throwIfAborted()
    this.asked.push(prefix)
    const objects = new Set<string>()
    const prefixes = new Set<string>()
    for (const key of this.objects.keys()) {
      if (!key.startsWith(prefix)) continue
      const [name = '', ...rest] = key.slice(prefix.length).split('/')
      if (rest.length === 0) objects.add(name)
      else prefixes.add(name)
    }
    if (objects.size + prefixes.size > maxEntries) throw new TooManyObjectsError(this.location, prefix, 'too many')
    return { objects: [...objects].sort(compareUtf8), prefixes: [...prefixes].sort(compareUtf8) }
  }

  below(): never {
    throw new Error('a memory store has one root')
  }
}

const etags = new WeakMap<Uint8Array, string>()
let lastEtag = 0

/**
 * Returns the etag of an object. Each array is its own version, because tests replace objects instead of changing them.
 */
function assignEtag(bytes: Uint8Array): string {
  const etag = etags.get(bytes) ?? `"${++lastEtag}"`
  etags.set(bytes, etag)
  return etag
}
