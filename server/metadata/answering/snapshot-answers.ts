import { hash } from 'node:crypto'
import type { SnapshotId } from '@floe/storage/icechunk'
import { SharedReads } from '@floe/storage/waiting'
import { temporaryProblems } from '../../problems/reading-problem.ts'
import { RequestProblem } from '../../problems/request-problem.ts'
import { isPassing } from '../../reading/manifests/passing-answers.ts'
import type { AnswerCache } from './answer-cache.ts'
import type { Answers, AnyAnswer, Question } from '../../reading/questions/question.ts'
import type { AskedRepository, ReaderPool } from '../../reading/threads/reader-pool.ts'

/**
 * Answers questions about snapshots from the cache, or else with reader threads. Requests with the same question share
 * one answer.
 */
export class SnapshotAnswers {
  readonly #readers: ReaderPool
  readonly #cache: AnswerCache
  readonly #pending = new SharedReads<AnyAnswer>()

  constructor(readers: ReaderPool, cache: AnswerCache) {
    this.#readers = readers
    this.#cache = cache
  }

  /**
   * Answers a question with a body.
   *
   * @param makeSignal makes the signal of the caller; the work is cancelled when the signals of all its callers have
   * aborted. Not called for a cached answer
   * @throws RequestProblem when the snapshot cannot be read or the question has no answer
   * @throws MissingObjectError, ObjectStoreError
   */
  async ask<Asked extends Question>(
    asked: AskedRepository,
    id: SnapshotId,
    question: Asked,
    makeSignal: () => AbortSignal,
  ): Promise<Answers[Asked['kind']]> {
    const key = shortenKey(`${asked.repository.serial} ${id} ${JSON.stringify(question, omitBytes)}`)
    const cached = this.#cache.find(key)
    if (cached instanceof RequestProblem) throw cached
    const answer = cached ?? (await this.#askOnce(key, asked, id, question).join(makeSignal()))
    // The key names the kind of question, and a thread answers each kind with the body that `Answers` says.
    return answer as Answers[Asked['kind']]
  }

  /** Asks the readers, unless the same question is being answered. */
  #askOnce(key: string, asked: AskedRepository, id: SnapshotId, question: Question) {
    return this.#pending.share(key, (signal) => this.#askReaders(key, asked, id, question, signal))
  }

  async #askReaders(
    key: string,
    asked: AskedRepository,
    id: SnapshotId,
    question: Question,
    signal: AbortSignal,
  ): Promise<AnyAnswer> {
    try {
      const body = await this.#readers.ask(asked, id, question, signal)
      if (!isPassing(body)) this.#cache.set(key, body)
      return body
    } catch (error) {
      if (error instanceof RequestProblem && isLasting(error)) this.#cache.set(key, error)
      throw error
    }
  }
}

/** A damaged object can be replaced by a whole one, for example if it is still being copied. */
function isLasting({ code }: RequestProblem): boolean {
  return !temporaryProblems.has(code) && code !== 'damaged-repository'
}

/** Longest key that is kept as it is, in characters. */
const maxKeyLength = 1_024

/** Leaves out the bytes of a document. Its digest stands beside them. */
function omitBytes(_name: string, value: unknown): unknown {
  return value instanceof Uint8Array ? undefined : value
}

/** Hashes a long key, such as that of a question about a long path, so that it does not fill the cache. */
function shortenKey(key: string): string {
  return key.length <= maxKeyLength ? key : hash('sha256', key, 'base64url')
}
