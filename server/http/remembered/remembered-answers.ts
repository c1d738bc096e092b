// Answers that can be sent again without being made again: the usual way of a request (routing, contract, reading) costs several times
// what sending costs. An answer follows from its address, a few headers, who asks, and what was read. The first three are the key under
// which it is remembered; the route that made it says how to tell whether the last still holds.
import type { IncomingHttpHeaders } from 'node:http'
import { LRUCache } from 'lru-cache'
import type { ApiKey } from '@floe/storage/database'
import type { CacheSize, Metrics } from '../observation/metrics.ts'
import type { RequestLabels } from '../observation/request-records.ts'

/** The parts of a request from which an answer follows. */
export type Question = {
  /** The address as the caller sent it. */
  readonly url: string
  readonly headers: IncomingHttpHeaders
  /** Who asks; null without credentials. */
  readonly caller: ApiKey | null
}

/** An answer to GET as it was sent. HEAD gets the same without the body. */
export type RememberedAnswer = {
  readonly status: number
  /** Names and values in turn, `content-length` included. */
  readonly headers: readonly string[]
  readonly body: Buffer | string | undefined
  /** Whether making the answer now would give the same. Asked before each use; reads nothing. */
  readonly isCurrent: () => boolean
  /** The labels under which sending it is counted. */
  readonly labels: RequestLabels
}

/** Memory of an answer besides its key, headers and body, in bytes. */
const entryBytes = 1_000

/** Remembers answers within a budget in bytes. Bodies count in full, although several answers may share one. */
export class RememberedAnswers {
  readonly #answers: LRUCache<string, RememberedAnswer>
  readonly #metrics: Metrics

  constructor(maxBytes: number, metrics: Metrics) {
    this.#answers = new LRUCache({ maxSize: maxBytes })
    this.#metrics = metrics
  }

  /** Finds the answer to a question, unless what it was made from has changed. */
  find(question: Question): RememberedAnswer | undefined {
    const answer = this.#answers.get(identify(question))
    const current = answer?.isCurrent() === true ? answer : undefined
    const { cacheHits, cacheMisses } = this.#metrics
    const counter = current === undefined ? cacheMisses : cacheHits
    counter.inc({ cache: 'remembered' })
    return current
  }

  /** How much is remembered, and how much may be. */
  get size(): CacheSize {
    const { calculatedSize: bytes, maxSize: maxBytes } = this.#answers
    return { bytes, maxBytes }
  }

  /** Remembers an answer, unless it has been overtaken already. */
  remember(question: Question, answer: RememberedAnswer): void {
    if (!answer.isCurrent()) return
    const key = identify(question)
    const texts = answer.headers.reduce((sum, text) => sum + text.length, key.length)
    const bodyBytes = answer.body === undefined ? 0 : Buffer.byteLength(answer.body)
    this.#answers.set(key, answer, { size: entryBytes + 2 * texts + bodyBytes })
  }
}

/** Stands for a header that is missing. No header can have this value. */
const missing = '\0'

/**
 * The key of a question. It holds every request header that an answer may depend on, as it was sent. No part can hold a line break, so that
 * two questions never have one key. Of the caller it holds what decides about access and about what pages show.
 */
function identify({ url, headers, caller }: Question): string {
  const scope = caller === null ? missing : `${caller.org} ${caller.role} ${JSON.stringify(caller.repos)}`
  return `${url}
${scope}
${headers.accept ?? missing}
${headers['accept-encoding'] ?? missing}
${headers['if-none-match'] ?? missing}
${headers.origin ?? missing}`
}
