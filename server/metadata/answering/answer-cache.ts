// The one cache of answers. It finds bodies and problems by question, and sent answers by request.
import { LRUCache } from 'lru-cache'
import type { CacheSize, Metrics } from '../../observation/metrics.ts'
import { RequestProblem } from '../../problems/request-problem.ts'
import { measureEncodable, registerEncodableBody } from '../../http/representation/content-encoding.ts'

/** The parts of a request that its answer depends on, as one text. */
export type RequestKey = string & { readonly brand: 'RequestKey' }

/** An answer that was sent, without its body. */
export type SentAnswer = {
  /** Strong entity tag of the body as it is before compression. */
  readonly etag: string
  readonly type: string
  /** Pattern of the route, for metrics. */
  readonly route: string | undefined
  /** The other headers of the answer, and of a 304: names and values alternate. */
  readonly headers: { readonly whole: readonly string[]; readonly unchanged: readonly string[] }
  /** Whether a new answer would be the same. Reads nothing from a store and does not throw. */
  readonly isCurrent: () => boolean
}

/** An answer that can be sent again. Without a body, it can only be confirmed to callers who have it. */
export type CachedAnswer = { readonly sent: SentAnswer; readonly body: Buffer | undefined }

/** Memory of an entry besides its key and bytes, in bytes. */
const entryBytes = 500

/** Share of the cache for requests and the headers of their answers. */
const requestShare = 0.1

/** Caches answers within a budget in bytes, their compressed forms included. */
export class AnswerCache {
  readonly #answers: LRUCache<string, Buffer | RequestProblem>
  readonly #sent: LRUCache<RequestKey, SentAnswer & { readonly key: string | undefined }>
  /** The keys of cached bodies. */
  readonly #keys = new WeakMap<Buffer, string>()
  readonly #hits: () => void
  readonly #misses: () => void

  constructor(maxBytes: number, { cacheHits, cacheMisses }: Pick<Metrics, 'cacheHits' | 'cacheMisses'>) {
    this.#answers = new LRUCache({ maxSize: Math.ceil(maxBytes * (1 - requestShare)) })
    this.#sent = new LRUCache({ maxSize: Math.ceil(maxBytes * requestShare) })
    const [hits, misses] = [cacheHits.labels('answers'), cacheMisses.labels('answers')]
    this.#hits = () => hits.inc()
    this.#misses = () => misses.inc()
  }

  /** Finds the answer to a question. */
  find(key: string): Buffer | RequestProblem | undefined {
    const answer = this.#answers.get(key)
    if (answer === undefined) this.#misses()
    else this.#hits()
    return answer
  }

  /** Caches the answer to a question. A body must never change. */
  set(key: string, answer: Buffer | RequestProblem): void {
    const isProblem = answer instanceof RequestProblem
    if (!isProblem) this.#keys.set(registerEncodableBody(answer), key)
    const bytes = isProblem ? answer.message.length : measureEncodable(answer)
    this.#answers.set(key, answer, { size: entryBytes + key.length + bytes })
  }

  /**
   * Finds the answer that was sent to an equal request, if a new one would be the same. Call {@link countHit} when it
   * is sent.
   */
  findSent(requestKey: RequestKey): CachedAnswer | undefined {
    const sent = this.#sent.get(requestKey)
    if (sent === undefined || !sent.isCurrent()) return undefined
    const body = sent.key === undefined ? undefined : this.#answers.get(sent.key)
    return { sent, body: body instanceof Buffer ? body : undefined }
  }

  /**
   * Caches an answer by its request. A body that answers no cached question belongs to this request alone. An entity
   * tag cannot name it: a hostile repository can repeat the snapshot ids of another organisation, and with them the
   * tags of its histories.
   *
   * @param body undefined after a 304, for which no body was made
   */
  setSent(requestKey: RequestKey, body: Buffer | undefined, sent: SentAnswer): void {
    const key = body && (this.#keys.get(body) ?? requestKey)
    if (body !== undefined && key === requestKey) this.set(key, body)
    const texts = [requestKey, key ?? '', ...sent.headers.whole, ...sent.headers.unchanged]
    const size = texts.reduce((sum, { length }) => sum + length, entryBytes)
    this.#sent.set(requestKey, { ...sent, key }, { size })
  }

  countHit(): void {
    this.#hits()
  }

  /** Size and limit of the cache. */
  get size(): CacheSize {
    const caches = [this.#answers, this.#sent]
    return {
      bytes: caches.reduce((sum, { calculatedSize }) => sum + calculatedSize, 0),
      maxBytes: caches.reduce((sum, { maxSize }) => sum + maxSize, 0),
    }
  }
}
