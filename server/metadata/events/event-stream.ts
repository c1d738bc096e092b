// The stream of one caller.
import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { matchesFilter } from '@floe/storage/database'
import type { Caller } from '../../http/access/caller.ts'
import { type EventScope, getsEvents, listNamed } from './event-scope.ts'
import type { Timing } from '../../timing.ts'
import type { Positions } from './positions.ts'
import type { SharedEvent, SharedEvents } from './shared-events.ts'

/** What a stream sends, and to whom. */
export type StreamScope = EventScope & {
  /** The response that carries the stream. */
  readonly response: Pick<ServerResponse, 'writableLength'>
}

export type StreamParts = {
  readonly elapsed: Timing['elapsed']
  readonly shared: Pick<SharedEvents, 'retain' | 'release'>
  readonly positions: Pick<Positions, 'write'>
  /** Called when the caller has room for events. */
  readonly onRoom: () => void
}

/**
 * Longest time without an event or a heartbeat, in milliseconds. Most proxies end a silent answer after 30 s or more.
 */
const heartbeatMs = 15_000

/** How long a caller should wait before it connects again, in milliseconds. */
const retryMs = 1_000

/** Sends each event to one caller once and in order. */
export class EventStream {
  /** The body of the answer. */
  readonly body: Readable
  readonly scope: StreamScope
  /** The reader as of now. It may cover other repositories than when the stream was opened. */
  reader: Caller | null
  /** Position up to which the events for the caller were sent or wait to be sent. */
  position: number
  /** When {@link measure} last noticed that the caller had read something or had nothing to read. */
  progressAt: number
  readonly #parts: StreamParts
  /** Events that wait to be sent. `end` is the number of bytes that are written up to the end of the event. */
  readonly #waiting: { readonly event: SharedEvent; readonly end: number }[] = []
  #writtenBytes = 0
  #readBytes = 0
  #writtenAt = 0
  #hasRoom = false
  #isEnding = false

  /** @param after the stream begins after the event with this position */
  constructor(scope: StreamScope, after: number, parts: StreamParts) {
    this.scope = scope
    this.reader = scope.reader
    this.position = after
    this.progressAt = parts.elapsed()
    this.#parts = parts
    // With a high-water mark of 0, Node.js reads only when the answer has room.
    this.body = new Readable({ highWaterMark: 0, read: () => this.#reportRoom() })
    this.body.once('close', () => this.drop())
    // At once, so that proxies pass on the answer and the caller knows where the stream begins.
    this.#write(`retry: ${retryMs}\n: connected\n${this.#writeId(after)}\n`)
  }

  /** Whether the caller has room for events. */
  get hasRoom(): boolean {
    return this.#hasRoom && !this.#isEnding
  }

  /** Names of all repositories whose events the stream carries; null if they are not listed by name. */
  get repos(): readonly string[] | null {
    return listNamed({ repo: this.scope.repo, reader: this.reader })
  }

  /** Sends the events that the caller may read and does not have yet. `events` must be all events up to `through`. */
  send(events: readonly SharedEvent[], through: number): void {
    this.measure()
    const { repo, served, filter } = this.scope
    const selected = { repo, reader: this.reader }
    for (const event of events) {
      if (event.position <= this.position || !getsEvents(selected, event.repo)) continue
      if (!served.serves(event.repo) || !matchesFilter(filter, event)) continue
      this.#write(this.#writeId(event.position))
      this.#write(event.bytes)
      this.#parts.shared.retain(event)
      this.#waiting.push({ event, end: this.#writtenBytes })
    }
    this.position = through
  }

  /** Measures what the caller has read. */
  measure(): void {
    const unreadBytes = this.body.readableLength + this.scope.response.writableLength
    const readBytes = this.#writtenBytes - unreadBytes
    if (unreadBytes === 0 || readBytes > this.#readBytes) this.progressAt = this.#parts.elapsed()
    this.#readBytes = readBytes
    this.#release(readBytes)
  }

  /** Sends a heartbeat when it is time. Drops a caller who has read nothing for `stalledCallerMs`. */
  beat(stalledCallerMs: number): void {
    if (this.#isEnding) return
    this.measure()
    const now = this.#parts.elapsed()
    if (now - this.progressAt > stalledCallerMs) this.drop()
    else if (now - this.#writtenAt >= heartbeatMs) {
      // The position lets a caller resume even after a long time without events.
      this.#write(`: still here\n${this.#writeId(this.position)}\n`)
    }
  }

  /** Ends the answer; drops the caller if it has not read everything. */
  end(): void {
    if (this.body.readableLength > 0) this.drop()
    else if (!this.#isEnding) this.body.push(null)
    this.#isEnding = true
  }

  /** Ends the answer at once. The caller can resume. */
  drop(): void {
    this.#isEnding = true
    this.#release(Infinity)
    this.body.destroy()
  }

  #reportRoom(): void {
    this.#hasRoom = true
    this.measure()
    this.#parts.onRoom()
  }

  #writeId(position: number): string {
    return `id: ${this.#parts.positions.write(position, { ...this.scope, reader: this.reader })}\n`
  }

  /** Writes bytes, or text of ASCII characters. */
  #write(bytes: Buffer | string): void {
    this.#hasRoom = false
    this.#writtenAt = this.#parts.elapsed()
    this.#writtenBytes += bytes.length
    this.body.push(bytes)
  }

  #release(readBytes: number): void {
    const count = this.#waiting.filter(({ end }) => end <= readBytes).length
    for (const { event } of this.#waiting.splice(0, count)) this.#parts.shared.release(event)
  }
}
