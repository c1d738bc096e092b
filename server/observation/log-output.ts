import type { DestinationStream } from 'pino'
import type { Timing } from '../timing.ts'

/** Takes bytes. Either way may fail: with EAGAIN when a pipe is full that nobody reads, ENOSPC when a disk is, EPIPE when a reader has left. */
export type Sink = {
  readonly write: (bytes: Uint8Array, done: (error: Error | null, written: number) => void) => void
  /** Returns how many bytes were taken. */
  readonly writeNow: (bytes: Uint8Array) => number
}

/** Lines are written together when there are so many characters of them, or after so many milliseconds. */
const writtenTogether = { length: 4_096, ms: 200 } as const

/** What waits while nobody reads the log. Lines beyond that are dropped: a service that waits for its log does not answer. */
const maxWaiting = 4 * 1024 ** 2

/** How long a sink that refused bytes is left alone, in milliseconds, and how often the end of the process waits for it. */
const pauses = { ms: 50, atEnd: 20 } as const

/**
 * Writes lines in the background. A sink that fails neither ends the process nor keeps it: what it refused waits, and is written when it
 * takes bytes again. The stream that pino brings (sonic-boom) tries for ever at the end of a process, and throws at other times.
 */
export class LogOutput implements DestinationStream {
  readonly #sink: Sink
  readonly #after: Timing['after']
  /** What is being written, or was refused. */
  #rest: Uint8Array = new Uint8Array()
  /** The lines that come after it. */
  #lines = ''
  #state: 'idle' | 'planned' | 'writing' | 'refused' = 'idle'

  constructor(sink: Sink, after: Timing['after']) {
    this.#sink = sink
    this.#after = after
  }

  /** Takes a line. */
  write(line: string): void {
    if (this.#rest.length + this.#lines.length + line.length > maxWaiting) return
    this.#lines += line
    if (this.#state === 'idle' || this.#state === 'planned') this.#plan()
  }

  #plan(): void {
    if (this.#rest.length > 0 || this.#lines.length >= writtenTogether.length) this.#send()
    else if (this.#state !== 'planned' && this.#lines !== '') {
      this.#state = 'planned'
      this.#after(writtenTogether.ms, () => {
        if (this.#state === 'planned') this.#send()
      })
    }
  }

  #send(): void {
    if (this.#rest.length === 0) {
      this.#rest = Buffer.from(this.#lines)
      this.#lines = ''
    }
    this.#state = 'writing'
    this.#sink.write(this.#rest, (error, written) => {
      if (error) {
        this.#state = 'refused'
        this.#after(pauses.ms, () => this.#send())
        return
      }
      this.#rest = this.#rest.subarray(written)
      this.#state = 'idle'
      this.#plan()
    })
  }

  /** Writes what waits, before the process ends. Gives up what the sink does not take within a second. `sleep` stops the whole thread. */
  end(sleep: (ms: number) => void): void {
    // What is being written now is written without us.
    const rest = this.#state === 'writing' ? new Uint8Array() : this.#rest
    let bytes: Uint8Array = Buffer.concat([rest, Buffer.from(this.#lines)])
    for (let pause = 0; bytes.length > 0 && pause < pauses.atEnd;) {
      try {
        bytes = bytes.subarray(this.#sink.writeNow(bytes))
      } catch (error) {
        if (!(error instanceof Error && 'code' in error && error.code === 'EAGAIN')) return
        sleep(pauses.ms)
        pause++
      }
    }
  }
}
