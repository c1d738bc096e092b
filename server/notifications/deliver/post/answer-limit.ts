// Limits everything that a receiver sends: interim answers, headers, the framing of chunks and the body, as they come out of TLS. A
// receiver may send each byte on its own, and each read takes us as much time as many bytes, so reads count too.

/** Most interim answers (status 1xx) before the final one. */
const maxInterimAnswers = 10

/** Most bytes of one exchange, reads included. Twice the longest body that we read. */
const maxReceivedBytes = 512_000

/** A read counts as this many bytes besides its own. */
const readBytes = 1_024

/** Counts what a receiver sends in one exchange. */
export class AnswerLimit {
  #received = 0
  #interimAnswers = 0

  /** Counts a read; returns what the receiver has sent too much of, as the end of a sentence about its host. */
  countRead(bytes: number): string | undefined {
    this.#received += readBytes + bytes
    return this.#received > maxReceivedBytes ? 'sent too much before it had answered' : undefined
  }

  /** Counts an interim answer; returns the same. */
  countInterimAnswer(): string | undefined {
    if (++this.#interimAnswers <= maxInterimAnswers) return undefined
    return `sent more than ${maxInterimAnswers} interim answers (1xx)`
  }
}
