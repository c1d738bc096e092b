// What all remote stores share: checks of keys, time limits, retries after temporary failures, limits for the size of
// objects and listings, and the conversion of failures to an ObjectStoreError. The backend of a service only sends one
// request and returns the answer.
import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { sortUtf8 } from '../compare-utf8.ts'
import { isSafeKey, ObjectStoreError, ObjectStoreTimeoutError } from '../object-store.ts'
import { ObjectTooLargeError, TooManyObjectsError, UnsafeKeyError } from '../object-store.ts'
import type { Listing, ListOptions, ObjectStore, ReadOptions, ReadResult } from '../object-store.ts'
import { readBody } from './read-body.ts'
import { RequestFault } from './request-fault.ts'
import { defaultRetryOptions, retry, type RetryOptions } from './retry.ts'
import { limitTime } from '../../../waiting/limit-time.ts'

export type ObjectRequest = {
  readonly key: string
  /** The bytes from `start` up to, but not including, `end`: at least one byte. Undefined for the whole object. */
  readonly range: { readonly start: number; readonly end: number } | undefined
  readonly ifNoneMatch: string | undefined
}

/** An answer about an object. `beyond`: the range starts after the end of the object. */
export type Answer = { readonly state: 'absent' | 'unchanged' | 'beyond' } | OpenObject

/** An object whose body has not been read yet. The receiver must read or destroy it. */
type OpenObject = {
  readonly state: 'found'
  readonly body: Readable
  readonly length: number | undefined
  /** The `Content-Range` of the answer. Undefined for a whole object, which a server may send for any range. */
  readonly contentRange: string | undefined
  readonly etag: string | undefined
}

export type ListPage = {
  readonly keys: readonly string[]
  readonly prefixes: readonly string[]
  readonly next: string | undefined
}

type ListRequest = { readonly prefix: string; readonly maxEntries: number; readonly from: string | undefined }

/** Access to one kind of service. `get` and `list` each send one request and throw {@link RequestFault}. */
export type Backend = {
  readonly root: string
  readonly encodesKeys: boolean
  readonly get: (request: ObjectRequest, signal: AbortSignal) => Promise<Answer>
  readonly list: (request: ListRequest, signal: AbortSignal) => Promise<ListPage>
}

/** An answer, and which bytes of its body were requested. */
type RequestedPart = { readonly answer: Answer; readonly skip: number; readonly take: number }

/** Maximum number of entries to request per page, because the services return no more. */
const maxPageEntries = 1_000

/** Maximum number of pages of a listing. Stops a server that never sends a last page; pages can be short or empty. */
const maxPages = 10_000

export class RemoteStore implements ObjectStore {
  readonly #backend: Backend
  readonly #prefix: string
  readonly #retryOptions: RetryOptions

  /** `prefix` is `''` or ends in `/`. */
  constructor(backend: Backend, prefix: string, retryOptions: RetryOptions = defaultRetryOptions) {
    this.#backend = backend
    this.#prefix = prefix
    this.#retryOptions = retryOptions
  }

  /** Computed on request, because a process can have hundreds of thousands of stores. */
  get location(): string {
    return removeSlash(`${this.#backend.root}/${this.#prefix}`)
  }

  get encodesKeys(): boolean {
    return this.#backend.encodesKeys
  }

  async read(key: string, options: ReadOptions): Promise<ReadResult> {
    if (!this.#isSafe(key)) throw this.#unsafe(key)
    return this.#retry(key, options.signal, () => this.#readOnce(key, options))
  }

  async list(prefix: string, { maxEntries, signal }: ListOptions): Promise<Listing> {
    if (prefix !== '' && !this.#isSafePrefix(prefix)) throw this.#unsafe(prefix)
    const level = this.#prefix + prefix
    const objects: string[] = []
    const prefixes: string[] = []
    let entries = 0
    let from: string | undefined
    for (let pages = 0; pages < maxPages; pages++) {
      const request = { prefix: level, maxEntries: Math.min(maxPageEntries, maxEntries - entries + 1), from }
      const page = await this.#retry(prefix, signal, () =>
        this.#limitTime(signal, (limited) => this.#backend.list(request, limited)),
      )
      entries += page.keys.length + page.prefixes.length
      if (entries > maxEntries) throw new TooManyObjectsError(this.location, prefix, `more than ${maxEntries} entries`)
      objects.push(...listNames(level, page.keys))
      prefixes.push(...listNames(level, page.prefixes.map(removeSlash)))
      if (page.next === undefined) return { objects: sortUtf8(objects), prefixes: sortUtf8(prefixes) }
      from = page.next
    }
    throw new ObjectStoreError(this.location, prefix, `the listing has more than ${maxPages} pages`)
  }

  below(prefix: string): ObjectStore {
    if (!this.#isSafePrefix(prefix)) throw this.#unsafe(prefix)
    return new RemoteStore(this.#backend, this.#prefix + prefix, this.#retryOptions)
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
    const { answerWithinMs: maxPauseMs } = this.#retryOptions
    const bytes = await readBody(body, { skip, take, length, maxBytes, maxPauseMs, signal })
    if (bytes === 'too large') throw new ObjectTooLargeError(this.location, key, `larger than ${maxBytes} bytes`)
    const version = etag ?? `"sha256-${createHash('sha256').update(bytes).digest('base64url')}"`
    if (version === ifNoneMatch) return { state: 'unchanged' }
    return { state: 'found', bytes, etag: version, totalBytes: findTotal(answer) }
  }

  async #open(key: string, { range, ifNoneMatch, signal }: ReadOptions): Promise<RequestedPart> {
    const whole = { key: this.#prefix + key, range: undefined, ifNoneMatch }
    if (range === undefined) return { answer: await this.#get(whole, signal), skip: 0, take: Infinity }
    const { start } = range
    const take = Math.max(0, range.end - start)
    // HTTP cannot request zero bytes, so request at least one.
    const answer = await this.#get({ ...whole, range: { start, end: start + Math.max(1, take) } }, signal)
    if (answer.state === 'found') return { answer, skip: start - findOffset(answer, start), take }
    // An answer to a range after the end of the object has no etag. Request the whole object to get one; `take: 0`
    // skips its body.
    return { answer: answer.state === 'beyond' ? await this.#get(whole, signal) : answer, skip: 0, take: 0 }
  }

  #get(request: ObjectRequest, signal: AbortSignal): Promise<Answer> {
    return this.#limitTime(signal, async (limited) => {
      const answer = await this.#backend.get(request, limited)
      // The caller has stopped waiting and will not read the body.
      if (limited.aborted && answer.state === 'found') answer.body.destroy()
      return answer
    })
  }

  #limitTime<T>(signal: AbortSignal, send: (limited: AbortSignal) => Promise<T>): Promise<T> {
    return limitTime(this.#retryOptions.answerWithinMs, signal, () => new RequestFault({ code: 'TIMEOUT' }), send)
  }

  async #retry<T>(key: string, signal: AbortSignal, send: () => Promise<T>): Promise<T> {
    try {
      return await retry(send, signal, this.#retryOptions)
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
    return prefix.endsWith('/') && this.#isSafe(removeSlash(prefix))
  }

  #unsafe(key: string): UnsafeKeyError {
    return new UnsafeKeyError(this.location, key, 'is not a valid key')
  }
}

export function formatRange(range: ObjectRequest['range']): Record<string, string> {
  return range === undefined ? {} : { range: `bytes=${range.start}-${range.end - 1}` }
}

/** Finds where a body starts in the object. If that is after `start`, the part is wrong: closes it and throws. */
function findOffset({ body, contentRange }: OpenObject, start: number): number {
  if (contentRange === undefined) return 0
  const offset = Number(/^bytes (\d{1,15})-/.exec(contentRange)?.[1])
  if (offset <= start) return offset
  body.destroy()
  throw new RequestFault({ status: 206, advice: 'the answer has another part of the object than requested' })
}

/** The size of the whole object. Undefined when the answer does not say. */
function findTotal({ length, contentRange }: OpenObject): number | undefined {
  if (contentRange === undefined) return length
  const total = /\/(\d{1,15})$/.exec(contentRange)?.[1]
  return total === undefined ? undefined : Number(total)
}

/** The names of keys below `level`, without keys that no other method accepts. */
function listNames(level: string, keys: readonly string[]): string[] {
  return keys
    .filter((key) => key.startsWith(level))
    .map((key) => key.slice(level.length))
    .filter((name) => isSafeKey(name) && !name.includes('/'))
}

function removeSlash(prefix: string): string {
  return prefix.endsWith('/') ? prefix.slice(0, -1) : prefix
}
