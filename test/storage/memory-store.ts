// Objects in memory, for what no file system or official library would write.
import type { Listing, ListOptions, ObjectStore, ReadOptions, ReadResult } from '../../storage/objects/index.ts'
import { compareUtf8, ObjectTooLargeError, TooManyObjectsError } from '../../storage/objects/index.ts'

/** A store over a map that its owner may change at any time. Counts what it was asked for. */
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
    const etag = hashBytes(stored)
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

const marks = new WeakMap<Uint8Array, string>()
let lastMark = 0

/** Each array of bytes is a version of its own: tests replace objects, they do not change them in place. */
function hashBytes(bytes: Uint8Array): string {
  const mark = marks.get(bytes) ?? `"${++lastMark}"`
  marks.set(bytes, mark)
  return mark
}
