import { type Repository, type SnapshotId } from '@floe/storage/icechunk'
import { SharedReads } from '@floe/storage/waiting'
import { LRUCache } from 'lru-cache'
import { registerEncodableBody, measureKept } from '../http/representation/kept-bodies.ts'
import type { CacheSize, Metrics } from '../http/observation/metrics.ts'
import { RequestProblem } from '../http/problems/request-problem.ts'
import type { Answers, AnyAnswer, Question, QuestionKind } from './question.ts'
import type { ReaderPool } from './threads/reader-pool.ts'

/** Problems that another try may not have. All others follow from the snapshot, which never changes. */
const passing: ReadonlySet<string> = new Set(['unavailable', 'store-failed', 'store-timeout', 'snapshot-gone'])

/** Memory of a kept answer besides its key and bytes, in bytes. */
const entryBytes = 500

/** Keeps the answers of reader threads, problems too, within a budget in bytes. Requests with the same question share one answer. */
export class SnapshotAnswers {
  readonly #readers: ReaderPool
  readonly #kept: LRUCache<string, AnyAnswer | RequestProblem>
  readonly #pending = new SharedReads<AnyAnswer>()
  readonly #metrics: Metrics

  constructor(readers: ReaderPool, maxBytes: number, metrics: Metrics) {
    this.#readers = readers
    this.#kept = new LRUCache({ maxSize: maxBytes })
    this.#metrics = metrics
  }

  /**
   * Answers a question with a body.
   *
   * @param makeSignal makes the signal that stops waiting; work that nobody else waits for is given up. Not called for a kept answer
   * @throws RequestProblem when the snapshot cannot be read or the question has no answer
   * @throws MissingObjectError, ObjectStoreError
   */
  async ask<Kind extends QuestionKind>(
    repository: Repository,
    id: SnapshotId,
    question: Question & { readonly kind: Kind },
    makeSignal: () => AbortSignal,
  ): Promise<Answers[Kind]> {
    // A thread answers each kind of question with the body that `Answers` says, and the key of a kept answer names the kind.
    return (await this.#findAnswer(repository, id, question, makeSignal)) as Answers[Kind]
  }

  async #findAnswer(
    repository: Repository,
    id: SnapshotId,
    question: Question,
    makeSignal: () => AbortSignal,
  ): Promise<AnyAnswer> {
    const key = `${repository.number} ${id} ${JSON.stringify(question)}`
    const kept = this.#kept.get(key)
    const { cacheHits, cacheMisses } = this.#metrics
    const counter = kept === undefined ? cacheMisses : cacheHits
    counter.inc({ cache: 'answers' })
    if (kept instanceof RequestProblem) throw kept
    if (kept !== undefined) return kept
    const shared = this.#pending.share(key, (signal) => this.#askReaders(key, repository, id, question, signal))
    return shared.join(makeSignal())
  }

  /** How much is kept, and how much may be. */
  get size(): CacheSize {
    const { calculatedSize: bytes, maxSize: maxBytes } = this.#kept
    return { bytes, maxBytes }
  }

  async #askReaders(
    key: string,
    repository: Repository,
    id: SnapshotId,
    question: Question,
    signal: AbortSignal,
  ): Promise<AnyAnswer> {
    try {
      const body = registerEncodableBody(await this.#readers.ask(repository, id, question, signal))
      this.#keep(key, body, measureKept(body.length))
      return body
    } catch (error) {
      if (error instanceof RequestProblem && !passing.has(error.code)) this.#keep(key, error, error.message.length)
      throw error
    }
  }

  #keep(key: string, answer: AnyAnswer | RequestProblem, size: number): void {
    this.#kept.set(key, answer, { size: entryBytes + key.length + size })
  }
}
