// What all remote stores have in common: keys are checked, requests have time limits and are repeated, sizes and listings
// are bounded, and failures become errors of the store. A backend makes one request and reports the answer.
import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { compareUtf8 } from './compare-utf8.ts'
import { isSafeKey, ObjectStoreError, ObjectStoreTimeoutError } from './object-store.ts'
import { ObjectTooLargeError, TooManyObjectsError, UnsafeKeyError } from './object-store.ts'
import type { Listing, ListOptions, ObjectStore, ReadOptions, ReadResult } from './object-store.ts'
import { readBody } from './read-body.ts'
import { RequestFault } from './request-fault.ts'
import { defaultPatience, withRetries } from './retry.ts'
import type { Patience } from './retry.ts'
import { within } from './time-limit.ts'

/** A request for an object. */
export type ObjectRequest = {
  /** Whole key within the bucket. */
  readonly key: string
  /** Bytes `start` to `end`, end exclusive, at least one. */
  readonly range: { readonly start: number; readonly end: number } | undefined
  readonly ifNoneMatch: string | undefined
}

/** An answer about an object. `beyond`: the range starts after the end of the object. */
export type Answer = { readonly state: 'absent' | 'unchanged' | 'beyond' } | OpenObject

/** An object whose body is still to be read, or destroyed. */
type OpenObject = {
  readonly state: 'found'
  readonly body: Readable
  /** Length of the body in bytes, as the answer announces it. */
  readonly length: number | undefined
  /** Which part the body is, as `Content-Range` says it; undefined for the whole, with which a server may answer a range. */
  readonly contentRange: string | undefined
  /** Version mark, undefined when the server gives none. */
  readonly etag: string | undefined
}

/** One page of one level of a listing: whole keys, and whole prefixes ending in `/`. */
export type ListPage = {
  readonly keys: readonly string[]
  readonly prefixes: readonly string[]
  /** Where the next page starts, undefined on the last. */
  readonly next: string | undefined
}

/** A request for one page of a listing. */
type ListRequest = { readonly prefix: string; readonly maxEntries: number; readonly from: string | undefined }

/** How to ask one kind of service. Both functions make one request, and throw {@link RequestFault}. */
export type Backend = {
  /** Scheme and bucket, or the address without credentials; no `/` at the end. */
  readonly root: string
  readonly encodesKeys: boolean
  readonly get: (request: ObjectRequest, signal: AbortSignal) => Promise<Answer>
  readonly list: (request: ListRequest, signal: AbortSignal) => Promise<ListPage>
}

type Opened = { readonly answer: Answer; readonly skip: number; readonly take: number }

/** The most entries that the services give in one page. */
const maxPageEntries = 1_000

/** Pages can be short, even empty. This stops a listing whose server never sends a last page. */
const maxPages = 10_000

/** A backend as an object store. */
export class RemoteStore implements ObjectStore {
  readonly location: string
  readonly encodesKeys: boolean
  readonly #backend: Backend
  readonly #prefix: string
  readonly #patience: Patience

  /** `prefix` is `''` or ends in `/`. */
  constructor(backend: Backend, prefix: string, patience: Patience = defaultPatience) {
    this.location = withoutSlash(`${backend.root}/${prefix}`)
    this.encodesKeys = backend.encodesKeys
    this.#backend = backend
    this.#prefix = prefix
    this.#patience = patience
  }

  async read(key: string, options: ReadOptions): Promise<ReadResult> {
    if (!this.#isSafe(key)) throw this.#unsafe(key)
    return this.#persist(key, options.signal, () => this.#readOnce(key, options))
  }

  async list(prefix: string, { maxEntries, signal }: ListOptions): Promise<Listing> {
    if (prefix !== '' && !this.#isSafePrefix(prefix)) throw this.#unsafe(prefix)
    const level = this.#prefix + prefix
    const objects: string[] = []
    const prefixes: string[] = []
    let entries = 0
    let from: string | undefined
    for (let page = 0; page < maxPages; page++) {
      const request = { prefix: level, maxEntries: Math.min(maxPageEntries, maxEntries - entries + 1), from }
      const found = await this.#persist(prefix, signal, () =>
        this.#answered(signal, (limited) => this.#backend.list(request, limited)),
      )
      entries += found.keys.length + found.prefixes.length
      if (entries > maxEntries) throw this.#tooMany(prefix, `more than ${maxEntries} entries`)
      objects.push(...namesIn(level, found.keys))
      prefixes.push(...namesIn(level, found.prefixes.map(withoutSlash)))
      if (found.next === undefined) return { objects: objects.sort(compareUtf8), prefixes: prefixes.sort(compareUtf8) }
      from = found.next
    }
    throw this.#tooMany(prefix, `more than ${maxPages} pages`)
  }

  below(prefix: string): ObjectStore {
    if (!this.#isSafePrefix(prefix)) throw this.#unsafe(prefix)
    return new RemoteStore(this.#backend, this.#prefix + prefix, this.#patience)
  }

  async #readOnce(key: string, options: ReadOptions): Promise<ReadResult> {
    const { ifNoneMatch, maxBytes, signal } = options
    const { answer, skip, take } = await this.#open(key, options)
    if (answer.state === 'beyond') throw new RequestFault({ status: 416 })
    if (answer.state !== 'found') return { state: answer.state }
    const { body, length, etag } = answer
    if (etag !== undefined && etag === ifNoneMatch) {
      body.destroy()
      return { state: 'unchanged' }
    }
    const bytes = await readBody(body, { skip, take, length, maxBytes, signal })
    if (bytes === 'too large') throw new ObjectTooLargeError(this.location, key, `larger than ${maxBytes} bytes`)
    const mark = etag ?? `"sha256-${createHash('sha256').update(bytes).digest('base64url')}"`
    return mark === ifNoneMatch ? { state: 'unchanged' } : { state: 'found', bytes, etag: mark }
  }

  /** The answer, and which bytes of its body are wanted. */
  async #open(key: string, { range, ifNoneMatch, signal }: ReadOptions): Promise<Opened> {
    const whole = { key: this.#prefix + key, range: undefined, ifNoneMatch }
    if (range === undefined) return { answer: await this.#get(whole, signal), skip: 0, take: Infinity }
    const { start } = range
    const take = Math.max(0, range.end - start)
    // No server can be asked for zero bytes.
    const answer = await this.#get({ ...whole, range: { start, end: start + Math.max(1, take) } }, signal)
    if (answer.state === 'found') return { answer, skip: start - findOffset(answer, start), take }
    // Behind the object's end, an answer carries no mark. The one to the whole does, and its body can stay unread.
    return { answer: answer.state === 'beyond' ? await this.#get(whole, signal) : answer, skip: 0, take: 0 }
  }

  #get(request: ObjectRequest, signal: AbortSignal): Promise<Answer> {
    return this.#answered(signal, async (limited) => {
      const answer = await this.#backend.get(request, limited)
      // Nobody waits for it any more.
      if (limited.aborted && answer.state === 'found') answer.body.destroy()
      return answer
    })
  }

  #answered<T>(signal: AbortSignal, ask: (limited: AbortSignal) => Promise<T>): Promise<T> {
    return within(this.#patience.answerWithinMs, signal, () => new RequestFault({ code: 'TIMEOUT' }), ask)
  }

  /** Repeats temporary failures, and turns the last one into an error of this store. */
  async #persist<T>(key: string, signal: AbortSignal, ask: () => Promise<T>): Promise<T> {
    try {
      return await withRetries(ask, signal, this.#patience)
    } catch (error) {
      signal.throwIfAborted()
      if (!(error instanceof RequestFault)) throw error
      const { message, status, code } = error
      const StoreError = error.isTimeout ? ObjectStoreTimeoutError : ObjectStoreError
      throw new StoreError(this.location, key, message, { status, code })
    }
  }

  #isSafe(key: string): boolean {
    return isSafeKey(key) && isSafeKey(this.#prefix + key)
  }

  #isSafePrefix(prefix: string): boolean {
    return prefix.endsWith('/') && this.#isSafe(withoutSlash(prefix))
  }

  #unsafe(key: string): UnsafeKeyError {
    return new UnsafeKeyError(this.location, key, 'is not a valid key')
  }

  #tooMany(prefix: string, what: string): TooManyObjectsError {
    return new TooManyObjectsError(this.location, prefix, what)
  }
}

/** Where in the object a body starts, at or before `start`. Closes the body of another part. */
function findOffset({ body, contentRange }: OpenObject, start: number): number {
  if (contentRange === undefined) return 0
  const offset = Number(/^bytes (\d{1,15})-/.exec(contentRange)?.[1])
  if (offset <= start) return offset
  body.destroy()
  throw new RequestFault({ status: 206, advice: 'that is not the part which was asked for' })
}

/** What lies directly at a level, without the names that no key can hold. */
function namesIn(level: string, keys: readonly string[]): string[] {
  return keys
    .filter((key) => key.startsWith(level))
    .map((key) => key.slice(level.length))
    .filter((name) => isSafeKey(name) && !name.includes('/'))
}

function withoutSlash(prefix: string): string {
  return prefix.endsWith('/') ? prefix.slice(0, -1) : prefix
}
